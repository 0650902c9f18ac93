import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Metrics } from './metrics.ts'
import { rowGauges } from './row-gauges.ts'

export interface Certificate {
  endsAt: Date
  /** Why browsers refuse it. Absent: they trust it. */
  trouble?: Error
}

const patienceMs = 10_000

/** The certificate that an https address shows. Undefined if no one answers there with TLS. */
export function readCertificate({ hostname, port }: URL): Promise<Certificate | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((done) => {
    const name = isIP(host) ? {} : { servername: host }
    const socket = connect({ host, port: Number(port || 443), ...name, rejectUnauthorized: false, timeout: patienceMs })
    const end = (found?: Certificate) => {
      socket.destroy()
      done(found)
    }
    socket.once('secureConnect', () => {
      const endsAt = new Date(socket.getPeerCertificate().valid_to)
      end(socket.authorized ? { endsAt } : { endsAt, trouble: socket.authorizationError })
    })
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })
}

const usualMs = 3_600_000
/** After a look that found no certificate. */
const soonMs = 60_000

/** When the certificate of APP_URL ends, looked up by this process once an hour. No value without TLS. */
export function meterCertificate(metrics: Pick<Metrics, 'registry'>, appUrl: string): void {
  const read = appUrl.startsWith('https:') ? hourly(() => readCertificate(new URL(appUrl))) : async () => undefined
  rowGauges(metrics, () => false)(
    'evac_certificate_ends_timestamp_seconds',
    'When the certificate of APP_URL ends; no value if this process does not reach it',
    [],
    async () => {
      const found = await read()
      return found ? [{ value: found.endsAt.getTime() / 1000 }] : []
    },
  )
}

/** The last answer, for an hour. A collector asks several times a minute. */
function hourly(look: () => Promise<Certificate | undefined>): () => Promise<Certificate | undefined> {
  let last: Promise<Certificate | undefined> = Promise.resolve(undefined)
  let again = 0
  return async () => {
    if (Date.now() >= again) {
      again = Date.now() + soonMs
      last = look()
      if (await last) again = Date.now() + usualMs
    }
    return last
  }
}
