import type { Pdu, ShortMessage } from 'smpp'
import type { Receipt } from '../sms-gateway.ts'

/** States of a text in the field `message_state`. */
const states = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
]
const failures: Readonly<Record<string, string>> = {
  EXPIRED: 'The phone could not be reached in time.',
  DELETED: 'The network deleted the text.',
  UNDELIV: 'The network could not deliver the text.',
  REJECTD: 'The network turned the text down.',
  SKIPPED: 'The network passed the text over.',
}

export const textOf = ({ short_message, message_payload }: Pdu): string =>
  String((isFilled(message_payload) ? message_payload : short_message)?.message ?? '')
const isFilled = (message: ShortMessage | undefined) => message !== undefined && message.message.length > 0

const receiptBits = 0x3c
const deliveryReceipt = 0x04
export const isReceipt = ({ esm_class = 0 }: Pdu): boolean => (esm_class & receiptBits) === deliveryReceipt

/** Reads the receipt's fields, or the text that the standard suggests (Appendix B). Undefined if the state is not final. */
export function receiptOf(gateway: string, pdu: Pdu): Receipt | undefined {
  const text = textOf(pdu)
  const providerId = pdu.receipted_message_id?.replace(/\0+$/, '') || /\bid:(\S+)/i.exec(text)?.[1]
  const state = (states[pdu.message_state ?? -1] ?? /\bstat:(\w+)/i.exec(text)?.[1])?.toUpperCase()
  if (!providerId || !state) return undefined
  if (state === 'DELIVRD') return { gateway, providerId, status: 'delivered' }
  const reason = failures[state]
  if (!reason) return undefined
  const code = /\berr:(\w+)/i.exec(text)?.[1]
  return { gateway, providerId, status: 'failed', reason: code && !/^0+$/.test(code) ? `${reason} (${code})` : reason }
}
