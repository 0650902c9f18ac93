import { codeOfCountry, dialled, readPhone } from '#server/platform/phones.ts'

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
  const text = dialled(from)
  const digits = text.replace(/\D/g, '')
  if (kind === 'international' || text.startsWith('+')) return [withCode(digits.replace(/^0+/, ''))].filter(isPhone)
  const national = countries.flatMap((country) => {
    const code = codeOfCountry(country)
    // a phone that is no mobile may write too
    return code ? [numberIn(text, country) ?? code + digits.replace(/^0/, '')] : []
  })
  const abroad = /^(?:0011|011|00)([1-9]\d{6,14})$/.exec(digits)?.[1] ?? (digits.startsWith('0') ? '' : digits)
  const all = kind === 'national' ? national : [withCode(abroad), ...national]
  return [...new Set(all)].filter(isPhone)
}

/** Digits with a country code: a 0 behind it goes. */
const withCode = (digits: string) => numberIn(`+${digits}`) ?? digits

function numberIn(text: string, country = ''): string | undefined {
  const read = readPhone(text, country)
  return read && 'number' in read ? read.number : undefined
}
