import { wordOf } from '#kernel/action-words.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { RecordReplay } from '../../calls/replay.ts'
import { sayOfRecord } from '../../doing.ts'

/** How a place stood: safe, unknown, in danger, status (-1: none, or not in the event), warden (0 or 1). */
export interface Cell {
  safe: number
  unknown: number
  danger: number
  status: number
  warden: number
}
export type Place = RecordReplay['places'][number]

const outside = -1
const empty: Cell = { safe: 0, unknown: 0, danger: 0, status: outside, warden: 0 }
const cellOf = ([, , safe = 0, unknown = 0, danger = 0, status = outside, warden = 0]: readonly number[]): Cell => ({
  safe,
  unknown,
  danger,
  status,
  warden,
})

/** The cell of each place at a step. A place that did not change keeps the same cell. */
export function boardOf({ places, cells }: RecordReplay) {
  const of: { step: number; cell: Cell }[][] = places.map(() => [])
  for (const told of cells) of[told[1] ?? -1]?.push({ step: told[0] ?? 0, cell: cellOf(told) })
  return (step: number): Cell[] => of.map((all) => all.findLast((one) => one.step <= step)?.cell ?? empty)
}

const decisions: Record<string, string> = {
  event_started: 'The event began.',
  drill_made_live: 'The drill became a live event.',
  evacuee_group_messaged: 'A message was sent to a group.',
  event_ended: 'The event ended.',
}

const nameOf = ({ name, building_name }: Place) => `${building_name}, ${name ?? 'without a floor'}`

/** What happened in each step that has a key moment: decisions, floor statuses, people in danger, wardens. */
export function momentsOf(replay: RecordReplay, record: EventRecord): Map<number, string[]> {
  const moments = new Map<number, string[]>()
  const say = (step: number, words: string) => moments.set(step, [...(moments.get(step) ?? []), words])
  const spoken = sayOfRecord(record)
  const sayAt = (seconds: number, words: string) =>
    say(Math.min(Math.floor(seconds / replay.stepSeconds), replay.steps - 1), words)
  for (const { seconds, action } of record.decisions) {
    if (action === 'buildings_added' || action === 'buildings_removed' || action === 'action_changed') continue
    sayAt(action === 'event_ended' ? Number.POSITIVE_INFINITY : seconds, decisions[action] ?? 'A decision was made.')
  }
  for (const { seconds, action, buildings } of record.actions ?? []) {
    const changed = buildings.filter(({ before }) => before)
    if (changed.length > 0) sayAt(seconds, `${wordOf(action)} in ${changed.map(({ name }) => name).join(', ')}.`)
  }
  for (const { name, joined, left } of record.buildings) {
    if (joined > 0) sayAt(joined, `${name} joined the event.`)
    if (left !== null) sayAt(left, `${name} left the event.`)
  }
  for (const { from } of record.outages?.server ?? []) sayAt(from, 'The server was unavailable.')
  for (const { from } of record.outages?.feed ?? []) sayAt(from, 'Live updates were delayed.')
  const before = new Map<number, Cell>()
  for (const told of replay.cells) {
    const [step = 0, nth = 0] = told
    const [was, now, place] = [before.get(nth), cellOf(told), replay.places[nth]]
    before.set(nth, now)
    if (!was || !place) continue
    const status = replay.statuses[now.status]
    if (was.status !== now.status && was.status !== outside && status) say(step, `${nameOf(place)}: ${status.name}.`)
    if (now.danger > was.danger) say(step, `${nameOf(place)}: ${spoken(`${now.danger} in danger`)}.`)
    if (was.warden !== now.warden)
      say(step, `${nameOf(place)}: ${now.warden ? 'a warden is' : 'no warden is'} on duty.`)
  }
  return moments
}

/** The words of a step, at most three. */
export const wordsOf = (moment: readonly string[]) =>
  moment.length > 3 ? `${moment.slice(0, 3).join(' ')} And ${moment.length - 3} more.` : moment.join(' ')

/** Why a building is not on the board at a step, in words. Undefined: it is. `after`: seconds since the start. */
export function absenceOf(
  { joined, left }: Pick<EventRecord['buildings'][number], 'joined' | 'left'>,
  places: readonly { place: Place; cell: Cell }[],
  after: number,
): string | undefined {
  // people without a floor have no status: the floors of their building say it
  const floors = places.filter(({ place }) => place.name !== null)
  const isOut =
    floors.length > 0
      ? floors.every(({ cell }) => cell.status === outside)
      : after < joined || (left !== null && after >= left)
  if (!isOut) return undefined
  return after < joined ? 'Not in the event yet' : 'Left the event'
}
