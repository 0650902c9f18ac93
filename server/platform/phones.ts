interface CountryRule {
  code: string
  /** A national number: digits only, with its leading 0. */
  national: RegExp
  /** National numbers that ring and take no texts. A country that does not tell them apart has none. */
  landline?: RegExp
  rule: string
}

/** National forms of mobile numbers, as on the login page. */
const countries: Record<string, CountryRule> = {
  AU: { code: '61', national: /^04\d{8}$/, landline: /^0[2378]\d{8}$/, rule: '10 digits starting with 04' },
  NZ: { code: '64', national: /^02\d{8}$/, landline: /^0[34679]\d{7}$/, rule: '10 digits starting with 02' },
  US: { code: '1', national: /^[2-9]\d{9}$/, rule: '10 digits starting with the 3-digit area code' },
  UK: { code: '44', national: /^07\d{9}$/, landline: /^0[123]\d{8,9}$/, rule: '11 digits starting with 07' },
}

/** What a mobile number looks like within the country. '' for a country without a rule. */
export const mobileRule = (country: string): string => countries[country]?.rule ?? ''

/**
 * Digits with country code, `landline` of a national number that takes no texts; or what a spreadsheet has made of the number,
 * which no one can read back.
 */
export type PhoneReading =
  | { number: string; isFirstOfTwo: boolean }
  | { landline: string; isFirstOfTwo: boolean }
  | { spoilt: string }
  | undefined

/**
 * The one reader of phone numbers, for forms, tables, pages and searches, in every spelling that people and spreadsheets
 * give them. Undefined for what is no number of the country (`AU`) and has no country code. Of two numbers the first is read.
 */
export function readPhone(text: string, country: string): PhoneReading {
  const [written = '', ...others] = plain(text)
    .replace(/\s*(;ext=|ext(ension)?\.?|x|#)\s*\d{1,6}$/i, '')
    .split(/[;/|,\n&]|\bor\b/i)
    .filter((part) => (part.match(/\d/g) ?? []).length >= 6 || /\de\+?\d/i.test(part))
  const bare = written.trim().replace(/\.0$/, '')
  if (/^\d+([.]\d+)?e\+?\d+$/i.test(bare)) return { spoilt: bare }
  const isFirstOfTwo = others.length > 0
  const number = numberOf(dialled(bare), country)
  if (number !== undefined) return { number, isFirstOfTwo }
  const landline = landlineOf(dialled(bare), countries[country])
  return landline === undefined ? undefined : { landline, isFirstOfTwo }
}

/** The digits of part of a number, as numbers are stored: with neither + nor leading 0. Null for any other text. */
export function partOfPhone(text: string): string | null {
  const digits = dialled(text).replace(/^(\+|0011|00|0)/, '')
  return /^\d+$/.test(digits) ? digits : null
}

/** Beginnings of the stored numbers that a typed beginning may mean: with a country code, or national. */
export function beginningsOf(text: string, country: string): string[] {
  const digits = partOfPhone(text)
  if (digits === null) return []
  const abroad = /^\s*(\+|00)/.test(plain(text))
  return abroad ? [digits.replace(/^(61|64|44)0/, '$1')] : [digits, (countries[country]?.code ?? '') + digits]
}

/** As a spreadsheet leaves it alone: '+61 491 000 001'. Without spaces it becomes 6.1491E+10. */
export function formatPhone(number: string): string {
  const [, code = '', rest = number] = /^(1|44|61|64)(\d+)$/.exec(number) ?? []
  return `+${code} ${rest.replace(/(\d{3})(?=\d{3})/g, '$1 ')}`.replace('+ ', '+')
}

/** What is dialled: without what stands between the digits, and with the + in front of them. */
export const dialled = (text: string): string => plain(text).replace(/\(0\)/g, '').replace(between, '')

/** '61' of AU. Undefined for a country without a rule. */
export const codeOfCountry = (country: string): string | undefined => countries[country]?.code

/** Spaces, dashes, dots and brackets between digits. */
const between = /[\s().\p{Pd}\u2212]/gu

/** One spelling of digits, + and -; without format characters, the apostrophe of a spreadsheet, and tel: */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .trim()
    .replace(/^['’]?\s*(tel|phone|mobile|mob|m|t)?\s*[:.]?\s*/i, '')

/** Digits of a script stand in rows from 0 to 9. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

function numberOf(text: string, country: string): string | undefined {
  const international = /^(?:\+|0011|00)(\d+)$/.exec(text)?.[1]
  if (international !== undefined) return internationalOf(international)
  const rule = countries[country]
  if (!/^\d+$/.test(text) || !rule) return undefined
  return nationalOf(text, rule) ?? viaCode(text, rule) ?? viaExit(text)
}

const nationalOf = (text: string, { code, national }: CountryRule) => withoutZero(text, code, national)
const landlineOf = (text: string, rule: CountryRule | undefined) =>
  rule?.landline && withoutZero(text, rule.code, rule.landline)

/** With the country code. A spreadsheet drops the leading 0. */
function withoutZero(text: string, code: string, national: RegExp): string | undefined {
  const whole = [text, `0${text}`].find((one) => national.test(one))
  return whole && code + whole.replace(/^0/, '')
}

/** With the code of the own country and without +, which a spreadsheet drops too. */
const viaCode = (text: string, rule: CountryRule) =>
  text.startsWith(rule.code) ? nationalOf(text.slice(rule.code.length), rule) : undefined

/** As dialled from the United States. */
const viaExit = (text: string) => (text.startsWith('011') ? internationalOf(text.slice(3)) : undefined)

/** E.164. A 0 between a country code and the national number is not dialled and goes. */
function internationalOf(digits: string): string | undefined {
  const number = digits.replace(/^(61|64|44)0(?=\d{8,10}$)/, '$1')
  return /^[1-9]\d{7,14}$/.test(number) && !/^(61|64|44)0/.test(number) ? number : undefined
}
