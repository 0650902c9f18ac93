import type { EventRecord, RecordSentence } from '../calls/record.ts'
import { durationOf, lastClearOf } from '../figures.ts'
import { noTextsSent } from '../words.ts'
import { countOf, eventWord, numberOf, timesIn, was } from './sentence-words.ts'

type Told = Omit<EventRecord, 'sentences'>
/** Nothing to say: the sentence is left out. */
type Text = string | null

/** In the order of a record; openings of plans come last. */
const all: readonly { evidence: RecordSentence['evidence']; tell: (record: Told) => Text }[] = [
  { evidence: 'entries', tell: whatAndWhen },
  { evidence: 'entries', tell: byWhom },
  { evidence: 'entries', tell: toldBefore },
  { evidence: 'people', tell: peopleAtTheEnd },
  { evidence: 'people', tell: accountedFor },
  { evidence: 'floors', tell: floorsClear },
  { evidence: 'floors', tell: clearTooEarly },
  { evidence: 'wardens', tell: wardensAnswered },
  { evidence: 'wardens', tell: neverCovered },
  { evidence: 'entries', tell: refusals },
  { evidence: 'plans', tell: peopleWithPlans },
  { evidence: 'texts', tell: textsSent },
  { evidence: 'late', tell: lateRecords },
  { evidence: 'contact', tell: outOfContact },
  { evidence: 'compared', tell: comparedWithEarlier },
  { evidence: 'actions', tell: actionsOpen },
  { evidence: 'plans', tell: plansOpened },
]
/** The summary by fixed rules. The same data gives the same sentences. */
export const sentencesOf = (record: Told): RecordSentence[] =>
  all.flatMap(({ evidence, tell }, index) => {
    const text = tell(record)
    return text === null ? [] : [{ number: index + 1, text, evidence }]
  })

function whatAndWhen(record: Told): Text {
  const { timeOf, dateOf } = timesIn(record)
  const [began, ended] = [dateOf(record.started_at), dateOf(record.ended_at)]
  const end = timeOf(record.ended_at) + (began === ended ? '' : ` on ${ended}`)
  const buildings = record.buildings.map(({ name }) => name).join(', ')
  return `The ${eventWord(record.kind)} "${record.type}" at ${record.site.name} (${buildings}) began at ${timeOf(record.started_at)} on ${began} and ended at ${end}, after ${durationOf(record.seconds)}.`
}

const named = ({ name, role }: { name: string; role: string }) => (role ? `${name} (${role})` : name)

function byWhom({ started_by, ended_by }: Told): Text {
  if (!started_by || !ended_by) return null
  return `It was started by ${named(started_by)} and ended by ${named(ended_by)}.`
}

function toldBefore(record: Told): Text {
  if (record.live_from) {
    const time = timesIn(record).timeOf(record.live_from)
    return `It was a drill until ${time}; from then on it was a live event.`
  }
  if (record.kind !== 'drill' || record.announced === null) return null
  return record.announced ? 'People were told about it in advance.' : 'People were not told about it in advance.'
}

function peopleAtTheEnd({ people: { end } }: Told): Text {
  if (end.total === 0) return 'There was no one to account for.'
  const states = `${numberOf(end.safe)} ${was(end.safe)} safe, ${numberOf(end.unknown)} unknown and ${numberOf(end.danger)} in danger`
  return `${countOf(end.total, 'person was', 'people were')} to be accounted for. When it ended ${states}.`
}

const unaccounted = ({ people: { end } }: Pick<Told, 'people'>) => end.unknown + end.danger

function accountedFor({ people }: Told): Text {
  if (people.end.total === 0) return null
  const never = unaccounted({ people })
  if (never > 0) return `${countOf(never, 'person was', 'people were')} never accounted for.`
  return people.everyone_after === null
    ? null
    : `Everyone was accounted for after ${durationOf(people.everyone_after)}.`
}

function floorsClear({ floors: { has_clear_status, total, clear, rows } }: Told): Text {
  if (!has_clear_status || total === 0) return null
  const last = rows.findLast(({ order }) => order !== null)
  if (!last || last.clear === null) return 'No floor was reported clear.'
  const place = `${last.building_name} - ${last.name}`
  return `${numberOf(clear)} of ${countOf(total, 'floor', 'floors')} ${was(clear)} reported clear; the last was ${place} after ${durationOf(last.clear)}.`
}

function clearTooEarly({ floors: { rows } }: Told): Text {
  const early = rows.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  if (early.length === 0) return null
  const people = early.reduce((sum, { unseen_when_clear }) => sum + unseen_when_clear, 0)
  const whose = early.length === 1 ? 'its' : 'their'
  return `${countOf(early.length, 'floor was', 'floors were')} reported clear while ${numberOf(people)} of ${whose} people ${was(people)} still unknown or in danger.`
}

function wardensAnswered({ wardens: { total, reported_in, not_available, answered } }: Told): Text {
  if (total === 0) return null
  if (answered.half === null) return `Fewer than half of ${countOf(total, 'warden', 'wardens')} answered.`
  const answers = `${numberOf(reported_in + not_available)} of ${countOf(total, 'warden', 'wardens')} answered`
  return `${answers}: ${numberOf(reported_in)} reported in, ${numberOf(not_available)} not available. Half had answered after ${durationOf(answered.half)}.`
}

function neverCovered({ floors, wardens: { never_covered, names_never_covered } }: Told): Text {
  if (never_covered === 0) return null
  const more = never_covered - names_never_covered.length
  const names = names_never_covered.join(', ') + (more > 0 ? ` and ${numberOf(more)} more` : '')
  return `${numberOf(never_covered)} of ${countOf(floors.total, 'floor', 'floors')} never had a warden on duty${names ? `: ${names}` : ''}.`
}

function refusals({ people }: Told): Text {
  return people.refusals === 0 ? null : `${countOf(people.refusals, 'person', 'people')} refused to leave.`
}

function peopleWithPlans({ plans: { end, last_safe } }: Told): Text {
  if (end.total === 0) return null
  const last = last_safe === null ? '' : `, the last after ${durationOf(last_safe)}`
  const missing = end.unknown + end.danger
  return `Of ${countOf(end.total, 'person', 'people')} with an evacuation plan ${numberOf(end.safe)} ${was(end.safe)} safe${last}; ${numberOf(missing)} ${was(missing)} not accounted for.`
}

function textsSent({ texts: { allowed, purposes, delivered_half } }: Told): Text {
  const sum = (key: 'written' | 'delivered' | 'failed' | 'unconfirmed' | 'expired') =>
    purposes.reduce((all, purpose) => all + purpose[key], 0)
  const written = sum('written')
  if (written === 0) return allowed ? null : noTextsSent
  const late = sum('unconfirmed') + sum('expired')
  const states = `${numberOf(sum('delivered'))} delivered, ${numberOf(sum('failed'))} failed, ${numberOf(late)} without a receipt or too late`
  const half = delivered_half === null ? '' : ` Half were delivered within ${durationOf(delivered_half)}.`
  return `${countOf(written, 'text', 'texts')}: ${states}.${half}`
}

function lateRecords({ late: { records, longest } }: Told): Text {
  if (records === 0) return null
  const they = records === 1 ? 'it was' : 'they were'
  return `${countOf(records, 'record', 'records')} reached the server more than 30 s after ${they} seen, the latest ${durationOf(longest)} late.`
}

function outOfContact({ contact }: Told): Text {
  if (!contact) return null
  const { wardens, to_the_end } = contact
  if (wardens === 0) return 'No warden on duty was out of contact for more than 90 s.'
  return `${countOf(wardens, 'warden', 'wardens')} on duty ${was(wardens)} out of contact for more than 90 s, ${numberOf(to_the_end)} of them to the end.`
}

function comparedWithEarlier(record: Told): Text {
  const { compared, kind, wardens } = record
  if (!compared) return null
  const ago = (now: number | null, then: number | null) =>
    now === null || then === null || Math.round(now - then) === 0
      ? null
      : `${durationOf(Math.abs(Math.round(now - then)))} ${now < then ? 'sooner' : 'later'}`
  const [clear, half] = [
    ago(lastClearOf(record), compared.last_clear),
    ago(wardens.answered.half, compared.half_answered),
  ]
  const missing = unaccounted(record) - compared.unaccounted
  const parts = [
    clear && `the last floor was clear ${clear}`,
    half && `half of the wardens answered ${half}`,
    missing !== 0 &&
      `${numberOf(Math.abs(missing))} ${missing > 0 ? 'more' : 'fewer'} ${Math.abs(missing) === 1 ? 'person was' : 'people were'} not accounted for`,
  ].filter(Boolean)
  if (parts.length === 0) return null
  const date = timesIn(record).dateOf(compared.started_at)
  return `Compared with the ${eventWord(kind)} of ${date}: ${parts.join(', ')}.`
}

function actionsOpen({ actions_before: { open, overdue } }: Told): Text {
  if (open === 0) return null
  return `${countOf(open, 'action', 'actions')} of earlier records ${was(open)} open when it began, ${numberOf(overdue)} of them overdue.`
}

function plansOpened({ plans: { opened = [] } }: Told): Text {
  if (opened.length === 0) return null
  return `${opened.map((reader) => `${named(reader)} opened ${numberOf(reader.plans)} evacuation plans`).join('; ')}.`
}
