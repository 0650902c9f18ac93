import { codeOfCountry, dialled, readPhone } from '#server/platform/phones.ts'

/** What a provider says about the number: TON of SMPP. */
export type SenderKind = 'international' | 'national' | 'short' | 'name' | 'unknown'

const isPhone = (digits: string) => /^[1-9]\d{6,14}$/.test(digits)

/** A name, a short code or nothing that can be called is no phone: no one can be found by it or answered there. */
export const isPhoneNumber = (sender: string): boolean => /^0{0,4}[1-9]\d{6,14}$/.test(sender)

/** Digits, as dialled, of a sender that is not a name: no one is called by that. Undefined for a name and a short code. */
export function digitsOf(from: string, kind: SenderKind): string | undefined {
  const isName = kind === 'short' || kind === 'name' || /\p{L}/u.test(from.replace(/^\s*tel:/i, ''))
  return isName ? undefined : dialled(from).replace(/\D/g, '')
}

/**
 * The readings of a sender as a number with country code, digits only, the likeliest first. Empty for names and short
 * codes. `countries`: those whose national numbers it may be. A + or a type of number before a single 0 is wrong: no country
 * code begins with 0, and without it the rest is the number of someone else.
 */
export function readingsOf(from: string, kind: SenderKind, countries: readonly string[]): string[] {
  const digits = digitsOf(from, kind)
  if (digits === undefined) return []
  const text = dialled(from)
  const abroad = /^(?:0011|011|00)([1-9]\d{6,14})$/.exec(digits)?.[1] ?? (digits.startsWith('0') ? '' : digits)
  const isAbroad = kind === 'international' || text.startsWith('+')
  if (isAbroad && abroad !== '') return [withCode(abroad)].filter(isPhone)
  const national = countries.flatMap((country) => nationalIn(isAbroad ? digits : text, country))
  const all = kind === 'national' ? national : [withCode(abroad), ...national]
  return [...new Set(all)].filter(isPhone)
}

/** A phone that is no mobile may write too. */
function nationalIn(text: string, country: string): string[] {
  const code = codeOfCountry(country)
  const number = numberIn(text, country)
  if (number !== undefined) return [number]
  // the United States know no 0 in front, and have one length for all numbers
  return code && code !== '1' ? [code + text.replace(/\D/g, '').replace(/^0/, '')] : []
}

/** Digits with a country code: a 0 behind it goes. */
const withCode = (digits: string) => numberIn(`+${digits}`) ?? digits

function numberIn(text: string, country = ''): string | undefined {
  const read = readPhone(text, country)
  return read && 'number' in read ? read.number : undefined
}
