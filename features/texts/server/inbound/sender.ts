/** How a country writes its numbers: code, and what stands before a national number. */
const codes: Readonly<Record<string, string>> = { AU: '61', NZ: '64', US: '1', UK: '44' }

/** What a provider says about the number: TON of SMPP. */
export type SenderKind = 'international' | 'national' | 'short' | 'name' | 'unknown'

const isPhone = (digits: string) => /^[1-9]\d{6,14}$/.test(digits)

/** A name, a short code or nothing that can be called is no phone: no one can be found by it or answered there. */
export const isPhoneNumber = (sender: string): boolean => /^0{0,4}[1-9]\d{6,14}$/.test(sender)

/**
 * The readings of a sender as a number with country code, digits only, the likeliest first. Empty for names and short
 * codes. `countries`: those whose national numbers it may be.
 */
export function readingsOf(from: string, kind: SenderKind, countries: readonly string[]): string[] {
  if (kind === 'short' || kind === 'name' || /\p{L}/u.test(from)) return []
  const text = from.replace(/[^\d+]/g, '')
  const digits = text.replaceAll('+', '')
  if (kind === 'international' || text.startsWith('+')) return [digits.replace(/^0+/, '')].filter(isPhone)
  const trunkless = digits.replace(/^0/, '')
  const national = countries.flatMap((country) => (codes[country] ? [codes[country] + trunkless] : []))
  if (kind === 'national') return national.filter(isPhone)
  const abroad = /^(?:0011|011|00)([1-9]\d{6,14})$/.exec(digits)?.[1]
  return [...(abroad ? [abroad] : []), ...(digits.startsWith('0') ? [] : [digits]), ...national].filter(isPhone)
}
