/**
 * One fold of names for both sides, and the same as `name_fold` in SQL: without case, accents, apostrophes and format
 * characters; a dash, full stop or comma is a space. Two names that people take for the same have one fold.
 */
export function nameFold(name: string): string {
  const plain = name
    .replace(accentsAlone, '')
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(lettersOfTheirOwn, (letter) => own[letter] ?? '')
  return plain.replace(apart, ' ').replace(apostrophes, '').replace(/ {2,}/g, ' ').replace(/^ | $/g, '')
}

/** What a search reads: the fold, and with letters of two spellings ('Müller', 'Mueller') the other one behind it. */
export function nameSearch(name: string): string {
  const composed = name.normalize('NFC').toLowerCase()
  const other = composed.replace(/[äöüøå]/g, (letter) => spelt[letter] ?? '')
  return other === composed ? nameFold(name) : `${nameFold(name)} ${nameFold(other)}`
}

/** Names of places, roles and groups that differ only in case or spaces are one. */
export const oneName = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase()

/** The folded words of a search. Empty if it looks for nothing. */
export const wordsOf = (text: string): string[] => nameFold(text).split(' ').filter(Boolean)

/** True if each word of the text stands anywhere in the name, in any order. Everyone passes a blank text. */
export function isNamed(text: string): (name: string) => boolean {
  const words = wordsOf(text)
  if (words.length === 0) return () => text.trim() === ''
  return (name) => {
    const folded = nameSearch(name)
    return words.every((word) => folded.includes(word))
  }
}

/** They decompose into a space and a mark, and stand for an apostrophe. */
const accentsAlone = /[\u00b4\u1ffd\u1fef]/g
/** Accents and points beside letters, and what changes the look of text only. Vowel signs of other scripts stay. */
const marks =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single marks are meant
  /[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufe20-\ufe2f\ufeff]/g
const own: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const lettersOfTheirOwn = /[ßæœþøłđðħıς]/g
const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const apart = /[-.,\u2010-\u2015\u2212]/g
const apostrophes = /['`\u2018\u2019\u201b\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2032]/g
