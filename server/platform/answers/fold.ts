/** Letters that have no accent to take off. */
const own: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe' }

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
    .replace(/[\p{Cf}\p{M}'’‘´`ʼ]/gu, '')
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[ıłđøßæœ]/g, (letter) => own[letter] ?? letter)
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
