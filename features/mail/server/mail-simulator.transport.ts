import type { Db } from '#server/platform/db/db.ts'
import { insertSimulatedMail } from './mail-simulator.queries.ts'
import type { MailTransport } from './mail-transport.ts'

/** Shows mails on the page `/simulator`. */
export function createMailSimulator(system: Db): MailTransport {
  return {
    async send({ reference, to, subject, body }) {
      await insertSimulatedMail(system, { uid: reference, toEmail: to, subject, body })
      return { providerId: `simulated-${reference}` }
    },
  }
}
