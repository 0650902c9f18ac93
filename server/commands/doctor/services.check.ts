import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createMailTransport } from '#features/mail/server/mail.service.ts'
import { openGateways } from '#features/texts/server/gateways/gateways.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { JobQueue } from '../../platform/db/jobs.ts'
import { failureOf } from '../../platform/observability/watch-services.ts'
import { servicesOf } from '../../services-of.ts'
import { type Finding, fault, good } from './finding.ts'

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
  try {
    const findings: Finding[] = []
    for (const { name, check } of servicesOf(gateway.gateways, transport)) {
      let failure = await failureOf(check)
      // the SMPP connection may still be opening
      for (let tries = 0; failure && name === 'smpp' && tries < attempts; tries++) {
        await delay(500)
        failure = await failureOf(check)
      }
      const where = name === 'mail' ? mailServerOf(config) : name
      findings.push(failure ? fault(`${where} does not work: ${failure.message}`) : good(`${where} works`))
    }
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

/** 'mail (smtp.example:587)', never with the password. */
function mailServerOf({ mail }: Config): string {
  return typeof mail === 'object' ? `mail (${new URL(mail.smtpUrl).host})` : 'mail'
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
