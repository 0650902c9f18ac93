/** What a search for people looks for. */
export interface PeopleSearch {
  /** Without case and accents. Each begins a last name, a first name, a code or an e-mail. */
  words: string[]
  /** Beginnings of a mobile, digits with country code. Then there is one word only. */
  mobiles: string[]
}

const fewestDigits = 6
const mostWords = 6

/** Undefined for a text that looks for nothing. `countryCode` stands in for the 0 of a national number. */
export function readSearch(text: string | undefined, countryCode: string): PeopleSearch | undefined {
  const words = fold(text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, mostWords)
  if (words.length === 0) return undefined
  const number = words.join('')
  if (!/^\+?\d+$/.test(number)) return { words, mobiles: [] }
  const digits = number.replace('+', '')
  if (digits.length < fewestDigits) return { words, mobiles: [] }
  return {
    words: [digits],
    mobiles: number.startsWith('+') ? [digits] : [digits, countryCode + digits.replace(/^0/, '')],
  }
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
