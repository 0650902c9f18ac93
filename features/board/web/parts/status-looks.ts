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
