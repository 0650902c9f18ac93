import { wordsOfRecord } from '../../doing.ts'
import { countedFrom, durationOf } from '../../figures.ts'
import { countOf, numberOf, statesInWords, type Told, was } from './sentence-words.ts'

type Text = string | null

/** Unknown or in danger at the end. */
export const unaccounted = ({ people: { end } }: Pick<Told, 'people'>) => end.unknown + end.danger

export function peopleAtTheEnd({ people: { end, left = [] }, ...record }: Told): Text {
  if (end.total === 0) return 'There was no one to account for.'
  const ended = left.length > 0 ? 'When it ended for them' : 'When it ended'
  return `${countOf(end.total, 'person was', 'people were')} to be accounted for. ${ended} ${statesInWords(end, wordsOfRecord(record))}.`
}

export function leftTheEvent({ people: { left = [] }, ...record }: Told): string[] {
  const after = (seconds: number) => durationOf(countedFrom(record, seconds))
  const words = wordsOfRecord(record)
  return left.map(
    (one) =>
      `${numberOf(one.people.total)} of them left the event with ${one.building_name} after ${after(one.after)}: ${statesInWords(one.people, words, '')}.`,
  )
}

export function accountedFor({ people, ...record }: Told): Text {
  if (people.end.total === 0) return null
  const missing = unaccounted({ people })
  if (missing > 0) return `${countOf(missing, 'person', 'people')} had not been accounted for when it ended.`
  if (people.everyone_after === null) return null
  const after = durationOf(countedFrom(record, people.everyone_after))
  return record.live_from
    ? `Everyone was accounted for ${after} after it became live.`
    : `Everyone was accounted for after ${after}.`
}

export function onceInDanger({ people: { once_danger: once }, ...record }: Told): Text {
  if (!once || once.people === 0) return null
  const { safe, inDanger } = wordsOfRecord(record)
  return once.people === 1
    ? `1 person was recorded ${inDanger} and was ${safe} ${durationOf(once.safe_after)} later.`
    : `${numberOf(once.people)} people were recorded ${inDanger} and later ${safe}. The longest was ${inDanger} for ${durationOf(once.longest)}.`
}

export function refusals({ people: { refusals: n, agreed = 0 }, ...record }: Told): Text {
  if (n === 0) return null
  const words = wordsOfRecord(record)
  if (n === 1) return `1 person ${words.refused}${agreed > 0 ? `, and ${words.oneAgreed}` : ''}.`
  return `${numberOf(n)} people ${words.refused}.${agreed > 0 ? ` ${numberOf(agreed)} of them ${words.someAgreed}.` : ''}`
}

export function helpCalls({ help }: Told): Text {
  if (!help || help.calls === 0) return null
  const came = `${countOf(help.calls, 'call', 'calls')} for help came in`
  if (help.answered === 0 || help.half === null) return `${came}; none was answered.`
  return `${came}: ${numberOf(help.answered)} ${was(help.answered)} answered, half of them within ${durationOf(help.half)}, and ${numberOf(help.open)} ${was(help.open)} open when it ended.`
}

const planned = (n: number) => countOf(n, 'person', 'people')

export function peopleWithPlans({ plans: { end, last_safe }, ...record }: Told): Text {
  if (end.total === 0) return null
  const after = last_safe === null ? null : durationOf(countedFrom(record, last_safe))
  const { safe } = wordsOfRecord(record)
  const missing = end.unknown + end.danger
  if (missing === 0 && after !== null)
    return end.total === 1
      ? `The person with an evacuation plan was ${safe} after ${after}.`
      : `All ${planned(end.total)} with an evacuation plan were ${safe}, the last after ${after}.`
  const last = after === null ? '' : `, the last after ${after}`
  return `Of ${planned(end.total)} with an evacuation plan, ${numberOf(end.safe)} ${was(end.safe)} ${safe}${last}; ${numberOf(missing)} ${was(missing)} not accounted for.`
}
