import { WebSocket } from 'ws'
import { readCertificate } from '../../platform/observability/certificate.ts'
import { socketPath } from '../../realtime/realtime.ts'
import { type Finding, fault, good, warning } from './finding.ts'

const patienceMs = 10_000

/** Checks whether people reach a running Evac at APP_URL, and whether phones get live updates, there unless `socketUrl` says where. */
export async function checkAddress(
  appUrl: string,
  trustedProxies: number,
  socketUrl = appUrl.replace(/^http/, 'ws') + socketPath,
): Promise<Finding[]> {
  const certificate = appUrl.startsWith('https:') ? await checkCertificate(new URL(appUrl)) : []
  if (certificate.some(({ state }) => state === 'fault')) return certificate
  return [...certificate, ...(await checkAnswers(appUrl, trustedProxies, socketUrl))]
}

/** Days before its end at which a certificate should have been renewed. */
const renewalDays = 14

/** Nothing if no one answers there: the next check says so. */
async function checkCertificate(url: URL): Promise<Finding[]> {
  const found = await readCertificate(url)
  return found ? [judgeCertificate(url.hostname, found.trouble, found.endsAt)] : []
}

function judgeCertificate(host: string, trouble: Error | undefined, ends: Date): Finding {
  const days = Math.floor((ends.getTime() - Date.now()) / 86_400_000)
  if (days < 0) return fault(`The certificate of ${host} ended on ${ends.toISOString().slice(0, 10)}: renew it`)
  if (trouble)
    return fault(
      `The certificate of ${host} is not trusted (${trouble}): phones refuse it. If your own authority issued it, set NODE_EXTRA_CA_CERTS for the doctor`,
    )
  return days < renewalDays
    ? fault(`The certificate of ${host} ends in ${days} days: renew it`)
    : good(`The certificate of ${host} is trusted, for ${days} days more`)
}

async function checkAnswers(appUrl: string, trustedProxies: number, socketUrl: string): Promise<Finding[]> {
  const answer = await fetch(`${appUrl}/health/ready`, { signal: AbortSignal.timeout(patienceMs) }).catch(
    (error: Error) => error,
  )
  if (answer instanceof Error)
    return [warning(`Nothing answers at ${appUrl} (${reasonOf(answer)}): start Evac, then run this again`)]
  const body: unknown = await answer.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || !('ok' in body || 'error' in body))
    return [fault(`The server at ${appUrl} is not Evac (status ${answer.status}): check the proxy in front`)]
  return [
    answer.ok
      ? good(`Evac answers at ${appUrl}`)
      : fault(`Evac at ${appUrl} is not ready (${answer.status}): see its log`),
    await checkSocket(appUrl, socketUrl),
    ...(await checkMetrics(appUrl, trustedProxies)),
  ]
}

/** The cause is often one level down: 'fetch failed' alone explains nothing. */
const reasonOf = ({ message, cause }: Error) =>
  cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message

function checkSocket(appUrl: string, socketUrl: string): Promise<Finding> {
  const socket = new WebSocket(socketUrl, {
    origin: appUrl,
    handshakeTimeout: patienceMs,
  })
  return new Promise((done) => {
    socket.on('open', () => {
      socket.terminate()
      done(good('Live updates work'))
    })
    socket.on('error', ({ message }) => {
      const status = /(\d{3})$/.exec(message)?.[1] ?? ''
      done(fault(`Live updates do not work (${message}): ${advice[status] ?? 'check the proxy in front'}`))
    })
  })
}

const advice: Readonly<Record<string, string>> = {
  '403': 'this process has another APP_URL; restart it with this one',
  '404': 'no process accepts WebSockets there; check ROLES and the paths of the proxy',
  '426': 'the proxy removes the Upgrade header; see docs/operations/nginx.conf',
  '503': 'the process is full or stopping',
}

async function checkMetrics(appUrl: string, trustedProxies: number): Promise<Finding[]> {
  const isHere = /^http:\/\/(localhost|127\.)/.test(appUrl)
  if (isHere) return []
  const metrics = await fetch(`${appUrl}/metrics`, { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined)
  return [
    metrics?.ok
      ? fault(`${appUrl}/metrics is public: block it at the proxy, or set METRICS_TOKEN`)
      : good('/metrics is not public'),
    trustedProxies > 0
      ? good(`TRUST_PROXY is ${trustedProxies}`)
      : warning('TRUST_PROXY is not set: behind a proxy all callers share one request limit'),
  ]
}
