import type { MailTransport } from '#features/mail/server/mail-transport.ts'
import type { SmsGateway } from '#features/texts/server/sms-gateway.ts'
import type { Cells } from './http/services.ts'
import type { Service } from './platform/observability/watch-services.ts'

const seldom = 300_000
const often = 5_000

/** Gateways, mail and the directory as services to watch. SMPP watches its own connection, so its check costs nothing. */
export function servicesOf(gateways: readonly SmsGateway[], mail: MailTransport, cells: Cells | undefined): Service[] {
  const ways = gateways.flatMap(({ name, check }) =>
    check ? [{ name, check, everyMs: name === 'smpp' ? often : seldom }] : [],
  )
  if (mail.check) ways.push({ name: 'mail', check: mail.check, everyMs: seldom })
  if (cells) ways.push({ name: 'directory', check: cells.check, everyMs: often })
  return ways
}
