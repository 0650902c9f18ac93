import { navigate } from '#web/pages/navigate.ts'
import { type Need, needsOf } from '../../open-tasks.ts'
import { eventSeconds, type Picture } from '../reading/board-snapshot.ts'

const known = new WeakMap<Picture, Need[]>()

/** The needs of a reading, as of its moment: the list changes with a reading, not with the clock. */
export function needsIn(picture: Picture): Need[] {
  const needs = known.get(picture) ?? needsOf(picture.board, picture.places, eventSeconds(picture, picture.heardAt))
  known.set(picture, needs)
  return needs
}

/** The floor that a need leads to: of a building, its first floor without a warden, else its first. */
export function floorOfNeed({ building, floor }: Need, { board, places }: Picture): number | undefined {
  if (building === null) return undefined
  if (floor !== null) return floor
  const first = places.buildings.slice(0, building).reduce((sum, of) => sum + of.floors.length, 0)
  const count = places.buildings[building]?.floors.length ?? 0
  if (count === 0) return undefined
  const open = board.floors.slice(first, first + count).findIndex(({ gap }) => gap !== undefined)
  return first + Math.max(0, open)
}

const pages = {
  command: '/event/command',
  instruction: '/event/instructions',
  reach: '/event/reach',
  call: '/event/people?tab=reports',
} as const

/** The page of a need of the whole event. */
function pageOf({ kind, building }: Need): (typeof pages)[keyof typeof pages] | undefined {
  return building === null && kind in pages ? pages[kind as keyof typeof pages] : undefined
}

/** A need of the whole event leads to its page. True if it did. */
export function openOfEvent(need: Need): boolean {
  const page = pageOf(need)
  if (page) navigate(page)
  return page !== undefined
}

/** The list of reports is for those who may read names, and a call for help from nowhere leads to nothing else. */
export const isOpenTo = ({ kind, building }: Need, mayReadNames: boolean): boolean =>
  kind !== 'call' || building !== null || mayReadNames
