import type { BoardPlaces } from '../../calls/board.ts'
import type { SignName } from './sign.tsx'

export type BoardStatus = BoardPlaces['statuses'][number]

const tones = ['green', 'yellow', 'red', 'orange', 'blue', 'grey']

/** The class of the organisation's colour. */
export const toneOf = (colour: string) => `bd-${tones.includes(colour.toLowerCase()) ? colour.toLowerCase() : 'grey'}`

/** Cleared, help (a red one), not begun (the first), else under way. */
export function signOf({ means_clear, is_first, colour }: BoardStatus): SignName {
  if (means_clear) return 'ok'
  if (colour.toLowerCase() === 'red') return 'alert'
  return is_first ? 'dot' : 'half'
}

/** Characters of a status that fit in its column. */
const fits = 12

/** The first word where the whole does not fit. */
export const statusWord = (name: string) => (name.length > fits ? (name.split(/\s/)[0] ?? name) : name)

/** What stands for a floor in a narrow column: 'Level 27' is 27, 'Basement 2' B2, 'Ground' G, 'Level 1 East' 1E. */
export function shortName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word && !/^(level|floor|lvl|no)$/i.test(word))
  const short = words.map((word) => (/\p{N}/u.test(word) ? word : word.slice(0, 1).toUpperCase())).join('')
  return short.slice(0, 4) || '–'
}
