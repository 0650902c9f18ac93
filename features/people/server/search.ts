import { beginningsOf, partOfPhone } from '#server/platform/phones.ts'

export interface PeopleSearch {
  /** Words of a name. '' for a number. */
  text: string
  /** The beginning of a code or an e-mail, in small letters without accents. */
  beginning: string
  /** Beginnings of a mobile, digits with country code. */
  mobiles: string[]
}

const fewestDigits = 6

/** Undefined for a text that looks for nothing. A number is one of the country (`AU`), or has a country code. */
export function readSearch(text: string | undefined, country: string): PeopleSearch | undefined {
  const beginning = fold(text ?? '')
  if (beginning === '') return undefined
  const digits = partOfPhone(beginning)
  const typed = beginning.match(/\p{Nd}/gu)?.length ?? 0
  if (digits === null || typed < fewestDigits) return { text: beginning, beginning, mobiles: [] }
  return { text: '', beginning: beginning.replace(/\s+/g, ''), mobiles: beginningsOf(beginning, country) }
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
