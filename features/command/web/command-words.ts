import type { Say } from '#web/live/response.ts'
import type { CommandState } from './command.data.ts'

type Turn = CommandState['turns'][number]

export const beginningWords: Record<Turn['how'], string> = {
  start: 'Started the event',
  handed_over: 'Handed over',
  taken: 'Took command',
  silent: 'Took command, no one in command could be reached',
}

/** '3 in danger, 12 unknown, 85 safe, 4 of 7 floors cleared' */
export const countWords = ({ danger, unknown, safe, floors, floors_cleared }: NonNullable<Turn['counts']>, say: Say) =>
  say(`${danger} in danger, ${unknown} unknown, ${safe} safe, ${floors_cleared} of ${floors} floors cleared`)

/** Whole minutes, never negative. */
export const minutesBetween = (from: string, to: number) => Math.max(0, Math.floor((to - Date.parse(from)) / 60_000))
