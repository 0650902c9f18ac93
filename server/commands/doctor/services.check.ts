import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openCells } from '#features/cells/server/directory/cells.ts'
import { createMailTransport } from '#features/mail/server/mail.service.ts'
import { namedHosts } from '#features/reach/server/push/push-hosts.ts'
import { openGateways } from '#features/texts/server/gateways/gateways.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { JobQueue } from '../../platform/db/jobs.ts'
import { failureOf } from '../../platform/observability/watch-services.ts'
import { type CallOut, openOutgoing } from '../../platform/outgoing.ts'
import { servicesOf } from '../../services-of.ts'
import { type Finding, fault, good, warning } from './finding.ts'

/** Receivers of the test text (mobile with country code) and of the test mail. */
export interface TestReceivers {
  text?: string | undefined
  mail?: string | undefined
}

const attempts = 10
const testBody = 'Evac: this is a test. Nothing has happened.'

/** Checks whether texts and mails can be sent, and sends a test of each. */
export async function checkServices(
  system: Db,
  jobs: JobQueue,
  config: Config,
  { text, mail }: TestReceivers,
): Promise<Finding[]> {
  const gateway = openGateways({ system, jobs }, config)
  const transport = createMailTransport(system, config)
  const cells = openCells({ config, callOut: openOutgoing(config), clock: systemClock })
  try {
    const findings: Finding[] = []
    for (const { name, check } of servicesOf(gateway.gateways, transport, cells)) {
      let failure = await failureOf(check)
      // the SMPP connection may still be opening
      for (let tries = 0; failure && name === 'smpp' && tries < attempts; tries++) {
        await delay(500)
        failure = await failureOf(check)
      }
      const where = whereOf(name, config)
      findings.push(failure ? fault(`${where} does not work: ${failure.message}`) : good(`${where} works`))
    }
    findings.push(...(await checkPushHosts(config, openOutgoing(config))))
    if (text) findings.push(await tryText(gateway, text))
    if (mail) {
      const test = { reference: randomUUID(), to: mail, subject: 'Evac: a test', body: testBody }
      findings.push(await outcome(`the test mail to ${mail}`, () => transport.send(test)))
    }
    return findings
  } finally {
    await gateway.close()
  }
}

/** Alerts leave by push services: one that cannot be reached loses those of its phones, and their wardens are texted. */
export async function checkPushHosts(
  { webPushContact, pushHosts }: Pick<Config, 'webPushContact' | 'pushHosts'>,
  callOut: CallOut,
): Promise<Finding[]> {
  if (!webPushContact) return []
  const asked = namedHosts(pushHosts).map(async (host) => {
    const knock = {
      url: `https://${host}/`,
      setBy: 'operator',
      method: 'POST',
      headers: { 'content-length': '0' },
    } as const
    // any answer will do
    const failure = await failureOf(async () => void (await callOut(knock)))
    return failure ? [warning(`alerts on phones: ${host} cannot be reached: ${failure.message}`)] : []
  })
  const away = (await Promise.all(asked)).flat()
  return away.length > 0 ? away : [good('alerts on phones: the push services can be reached')]
}

/** 'mail (smtp.example:587)', never with the password. */
function whereOf(name: string, { mail, directory }: Config): string {
  const url = name === 'mail' && typeof mail === 'object' ? mail.smtpUrl : name === 'directory' && directory?.url
  return url ? `${name} (${new URL(url).host})` : name
}

function tryText(gateway: ReturnType<typeof openGateways>, mobile: string): Promise<Finding> {
  const validUntil = new Date(Date.now() + 300_000)
  const test = { reference: `doctor/${randomUUID()}`, to: mobile.replace(/\D/g, ''), body: testBody, validUntil }
  return outcome(`the test text to ${mobile}`, () => gateway.send(test))
}

async function outcome(what: string, send: () => Promise<unknown>): Promise<Finding> {
  return send().then(
    () => good(`The provider accepted ${what}`),
    (error: Error) => fault(`The provider did not accept ${what}: ${error.message}`),
  )
}
