import type { SmppSettings } from '#server/platform/config/gateway-settings.ts'

/** As both sides are compared: lower case, without '0x' and leading zeros. The index of the parts says the same. */
const plain = (id: string) => id.toLowerCase().replace(/^(0x)?0*/, '')

type MessageIds = NonNullable<SmppSettings['messageIds']>

/** 2^64 has 20 digits. Longer ids are no numbers. */
const asHex = (id: string) => (/^\d{1,20}$/.test(id) ? BigInt(id).toString(16) : undefined)
const asDecimal = (id: string) => (/^[\da-f]{1,16}$/.test(id) ? BigInt(`0x${id}`).toString() : undefined)

/** What the id of a receipt may have been in the answer: in other case, without zeros, hexadecimal or decimal. */
export function spellingsOf(id: string): string[] {
  const written = plain(id)
  if (written === '') return []
  return [...new Set([written, asHex(written), asDecimal(written)])].filter((one) => one !== undefined)
}

/** The id of an answer, as it is kept. */
export const keptId = (id: string, ids: MessageIds): string => (ids === 'same' ? id : plain(id))

/** The kept id that a receipt is of. A provider that sends something else is found by the sweep. */
export function receiptedId(id: string, ids: MessageIds): string {
  if (ids === 'same') return id
  const written = plain(id)
  return (ids === 'hex' ? asHex(written) : asDecimal(written)) ?? written
}
