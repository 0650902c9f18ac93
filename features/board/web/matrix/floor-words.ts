import { wordOfInstruction } from '#features/command/instruction-word.ts'
import type { Say } from '#kernel/action-words.ts'
import { counted } from '../parts/ages.ts'
import type { FloorShown } from './floors.ts'

const sources = { b: 'by another warden', m: 'by an event manager' } as const

/** What a floor says to a reader who does not see it. The age is left out, because it would be said anew each minute. */
export function floorWords(building: string, shown: FloorShown, say: Say): string {
  const { floor, place, status } = shown
  const { by, unknown = 0, danger = 0, safe = 0, wardens = 0, gap } = floor
  const parts = [
    status && `${status.name}${by ? ` ${sources[by]}` : ''}`,
    say(`${danger} in danger, ${unknown} unknown, ${safe} safe`),
    gap !== undefined ? 'no warden' : wardens > 0 && counted(wardens, 'warden'),
    ...markWords(shown).map(say),
    floor.told && `instruction: ${wordOfInstruction(floor.told)}`,
  ]
  return `${building}, ${place.name}: ${parts.filter(Boolean).join(', ')}`
}

export function markWords({ floor, calls }: FloorShown): string[] {
  const { plans = 0, refused = 0, unanswered = 0, text_failed = 0, contradictions = 0 } = floor
  return [
    calls > 0 && counted(calls, 'call for help', 'calls for help'),
    contradictions > 0 && counted(contradictions, 'contradiction'),
    plans > 0 && (plans === 1 ? '1 needs help to get out' : `${plans} need help to get out`),
    refused > 0 && `${refused} refused`,
    unanswered > 0 && `${unanswered} unanswered`,
    text_failed > 0 && `${counted(text_failed, 'text')} not delivered`,
  ].filter((one) => one !== false)
}
