/** Letters that have no accent to take off, and such as differ by keyboard or place alone. */
const own: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ك: 'ک',
  ي: 'ی',
  ى: 'ی',
}
const ownLetters = new RegExp(`[${Object.keys(own).join('')}]`, 'g')

/** In these scripts vowels are marks. Without them words are no longer told apart. */
const scripts = 'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Mymr Khmr'.split(' ')
const accents = new RegExp(
  `(?!${scripts.map((script) => `\\p{Script=${script}}`).join('|')})[\\p{Cf}\\p{M}'’‘´\`ʼ]`,
  'gu',
)

/**
 * A text as its reader compares it: without accents, format marks and apostrophes, digits of every script as 0 to 9, in
 * lower case, with single spaces.
 */
export const fold = (text: string): string =>
  text
    // an ellipsis marks a lost part, three dots do not
    .split('…')
    .map((part) => part.normalize('NFKD'))
    .join('…')
    .toLowerCase()
    .replace(accents, '')
    .replace(/[“”„‟«»″]/g, '"')
    .replace(ownLetters, (letter) => own[letter] ?? letter)
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/\s+/g, ' ')
    .trim()

/** Unicode has the ten digits of a script in a row. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) as number
  if (point < 0x80) return digit
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

/** Of words of four letters or more a doubled letter counts once: 'heeelp'. */
export const squeeze = (word: string): string => ([...word].length < 4 ? word : word.replace(/(\p{L})\1+/gu, '$1'))

/** Cyrillic and Greek letters by the Latin ones that they look like, in upper or lower case. */
const looks = new Map(
  Object.entries({
    ...{
      a: 'аα',
      b: 'вβ',
      c: 'сϲ',
      d: 'ԁ',
      e: 'еεэ',
      g: 'ԍ',
      h: 'нһη',
      i: 'іι',
      j: 'ј',
      k: 'кκ',
      l: 'ӏ',
      m: 'мμ',
      n: 'ν',
    },
    o: 'оο',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    w: 'ԝ',
    x: 'хχ',
    y: 'уγ',
    z: 'ζ',
  }).flatMap(([latin, others]) => [...others].map((letter) => [letter, latin] as const)),
)

/** A word that is Latin to the eye, such as 'hеlp' with one Cyrillic letter. Any other word is returned as it is. */
export function asSeen(word: string): string {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) return word
  const seen = [...word].map((letter) => looks.get(letter) ?? letter).join('')
  return /^\p{Script=Latin}+$/u.test(seen) ? seen : word
}
