import { formatMinute } from '#web/lib/time/server-clock.ts'
import type { BoardCalls } from '../../calls/board.ts'
import type { ContradictionKind } from '../../kinds.ts'
import type { Need, NeedKind } from '../../open-tasks.ts'
import { age, counted } from '../parts/ages.ts'
import { sayOfAll, sayOfBuilding } from '../parts/say.ts'
import type { SignName } from '../parts/sign.tsx'
import { momentOf, type Picture } from '../reading/board-snapshot.ts'

export const needSigns: Record<NeedKind, SignName> = {
  danger: 'alert',
  call: 'help',
  command: 'flag',
  instruction: 'flag',
  reach: 'message',
  contradiction: 'conflict',
  plan: 'plan',
  gap_overdue: 'gap',
  message: 'message',
  gap: 'gap',
}

/** What needs someone in no building. */
const ofEvent: Partial<Record<NeedKind, string>> = {
  command: 'Command',
  instruction: 'Instruction',
  reach: 'Wardens',
  call: 'Place not known',
}

/** Its building, and its floor if it is of one. */
export function needPlace({ building, floor, kind }: Need, { places }: Picture): { building: string; floor?: string } {
  if (building === null) return { building: ofEvent[kind] ?? '' }
  const of = places.buildings[building]
  const first = places.buildings.slice(0, building).reduce((sum, { floors }) => sum + floors.length, 0)
  const name = floor === null ? undefined : of?.floors[floor - first]?.name
  return { building: of?.name ?? '', ...(name !== undefined && { floor: name }) }
}

type Times = (second: number) => string

/** Both records, each with its own time: the floor's sweep or the danger, then what stands against it. */
const contradictions: Record<ContradictionKind, (first: string, second: string) => string> = {
  cleared_danger: (cleared, danger) => `Cleared ${cleared}, in danger ${danger}`,
  cleared_plan: (cleared) => `Cleared ${cleared}, PEEP unknown`,
  cleared_refusal: (cleared, refused) => `Cleared ${cleared}, refused ${refused}`,
  cleared_seen: (cleared, seen) => `Cleared ${cleared}, seen there ${seen}`,
  own_safe: (danger, safe) => `In danger ${danger}, says safe ${safe}`,
  own_lifted: (danger, safe) => `In danger ${danger}, self-reported safe ${safe}`,
  late_safe: (danger, safe) => `In danger ${danger}, a late safe ${safe}`,
  two_places: (danger, safe) => `In danger ${danger}, safe on another floor ${safe}`,
}

/** What is needed, in one line. */
export function needWords(need: Need, picture: Picture, now: number): string {
  const at: Times = (second) => formatMinute(momentOf(picture, second))
  const { kind, count, since, contradiction, calls } = need
  if (kind === 'command') return commandWords(picture, now)
  if (kind === 'instruction') return `${count} ${count === 1 ? 'warden has' : 'wardens have'} not confirmed`
  if (kind === 'reach') return `${counted(count, 'warden')} not reached`
  const say = need.building === null ? sayOfAll(picture) : sayOfBuilding(picture.board.buildings[need.building])
  if (kind === 'danger') return say(`${count} in danger, newest ${at(since)}`)
  if (calls) return callWords(calls, at)
  if (contradiction)
    return say(
      contradictions[contradiction.kind](at(contradiction.first), at(contradiction.second ?? contradiction.first)),
    )
  if (kind === 'plan') return say(count === 1 ? '1 needs help to get out' : `${count} need help to get out`)
  if (kind === 'message') return `${counted(count, 'message')} unanswered`
  return gapWords(need, now)
}

/** Those of a drill stay open, because one of them may have been real. */
function callWords({ count, newest, in_drill = 0 }: BoardCalls, at: Times): string {
  const words = count === 1 ? `Call for help, ${at(newest)}` : `${count} calls for help, newest ${at(newest)}`
  if (in_drill === 0) return words
  return in_drill === count ? `${words}, in the drill` : `${words}, ${in_drill} in the drill`
}

function commandWords({ board: { command } }: Picture, now: number): string {
  if (!command?.name) return 'No one is in command.'
  // struck: another leads now, or there is contact again
  if (command.silent_since === undefined) return 'No contact with the person in command'
  return `${command.name}: no contact for ${age(now - command.silent_since)}`
}

function gapWords({ count, offered }: Need, now: number): string {
  if (count > 1) return `${count} floors without a warden`
  if (offered === undefined) return 'No warden on duty'
  const seconds = Math.max(0, now - offered)
  return seconds < 60 ? `Asked ${seconds} s ago` : `Asked ${age(seconds)} ago`
}
