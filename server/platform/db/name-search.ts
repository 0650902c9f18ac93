import { type RawBuilder, sql } from 'kysely'
import { wordsOf } from '#kernel/name-fold.ts'

const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`)

/** A pattern for each word of a text, folded: a name fits all of them. Null for a text without a word, which no name has. */
export function namePatterns(text: string): string[] | null {
  const words = wordsOf(text)
  return words.length > 0 ? words.map((word) => `%${escapeLike(word)}%`) : null
}

/** Each word of the text stands anywhere in the name, in any order. Everyone passes a blank text. `name` is a column such as `p.search_name`. */
export function isNamed(name: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (text.trim() === '') return sql<boolean>`true`
  const patterns = namePatterns(text)
  return patterns ? sql<boolean>`(${name} like all (${patterns}::text[]))` : sql<boolean>`false`
}

/** Three letters in a row use the index of names. Shorter texts match so many names that reading on is cheaper. */
export const isIndexed = (patterns: readonly string[]) => patterns.some((one) => /[\p{L}\p{N}]{3}/u.test(one))
