import type { RecordSentence } from '../calls/record.ts'
import { countedFrom, durationOf, textsBy } from '../figures.ts'
import { noTextsSent } from '../words.ts'
import { floorsClear, floorsNeverCovered, floorsTooEarly } from './sentences/floor-sentences.ts'
import { actionChanges, byWhom, drillPart, toldBefore, whatAndWhen } from './sentences/head-sentences.ts'
import {
  accountedFor,
  helpCalls,
  leftTheEvent,
  onceInDanger,
  peopleAtTheEnd,
  peopleWithPlans,
  refusals,
} from './sentences/people-sentences.ts'
import { countOf, named, numberOf, type Told, was } from './sentences/sentence-words.ts'
import {
  comparedWithEarlier,
  instructionsSent,
  noPhoneReached,
  outages,
  outOfContact,
} from './sentences/service-sentences.ts'

/** Nothing to count: the sentence is left out. */
type Text = string | null

interface Rule {
  number: number
  evidence: RecordSentence['evidence']
  tell: (record: Told) => Text | string[]
}

/** In the order of a record. */
const rules: readonly Rule[] = [
  { number: 1, evidence: 'entries', tell: whatAndWhen },
  { number: 2, evidence: 'entries', tell: byWhom },
  { number: 3, evidence: 'entries', tell: toldBefore },
  { number: 25, evidence: 'entries', tell: actionChanges },
  { number: 18, evidence: 'people', tell: drillPart },
  { number: 4, evidence: 'people', tell: peopleAtTheEnd },
  { number: 19, evidence: 'people', tell: leftTheEvent },
  { number: 5, evidence: 'people', tell: accountedFor },
  { number: 20, evidence: 'people', tell: onceInDanger },
  { number: 6, evidence: 'floors', tell: floorsClear },
  { number: 7, evidence: 'floors', tell: floorsTooEarly },
  { number: 8, evidence: 'wardens', tell: wardensAnswered },
  { number: 9, evidence: 'wardens', tell: floorsNeverCovered },
  { number: 10, evidence: 'entries', tell: refusals },
  { number: 21, evidence: 'entries', tell: helpCalls },
  { number: 11, evidence: 'plans', tell: peopleWithPlans },
  { number: 17, evidence: 'plans', tell: plansOpened },
  { number: 12, evidence: 'texts', tell: textsSent },
  { number: 24, evidence: 'entries', tell: instructionsSent },
  { number: 13, evidence: 'late', tell: lateRecords },
  { number: 22, evidence: 'entries', tell: outages },
  { number: 23, evidence: 'contact', tell: noPhoneReached },
  { number: 14, evidence: 'contact', tell: outOfContact },
  { number: 15, evidence: 'compared', tell: comparedWithEarlier },
  { number: 16, evidence: 'actions', tell: actionsOpen },
]

/** The summary by fixed rules. The same data gives the same sentences. */
export const sentencesOf = (record: Told): RecordSentence[] =>
  rules.flatMap(({ number, evidence, tell }) =>
    [tell(record)]
      .flat()
      .filter((text) => text !== null)
      .map((text) => ({ number, text, evidence })),
  )

function wardensAnswered({ wardens: { total, reported_in, not_available, answered }, ...record }: Told): Text {
  if (total === 0) return null
  const answers = `${numberOf(reported_in + not_available)} of ${countOf(total, 'warden', 'wardens')} answered`
  const half =
    answered.half === null
      ? 'Fewer than half answered.'
      : `Half had answered after ${durationOf(countedFrom(record, answered.half))}.`
  return `${answers}: ${numberOf(reported_in)} reported in, ${numberOf(not_available)} not available. ${half}`
}

function plansOpened({ plans: { opened = [] } }: Told): string[] {
  return opened.map(
    (reader) => `${named(reader)} opened ${countOf(reader.plans, 'evacuation plan', 'evacuation plans')}.`,
  )
}

function textsSent({ texts: { allowed, purposes, delivered_half } }: Told): Text {
  const { written, delivered, failed, withoutReceipt, notSent } = textsBy(purposes)
  if (written === 0) return allowed ? null : noTextsSent
  const states = `${numberOf(delivered)} delivered, ${numberOf(failed)} failed, ${numberOf(withoutReceipt)} without a receipt, ${numberOf(notSent)} not sent`
  const half = delivered_half === null ? '' : ` Half were delivered within ${durationOf(delivered_half)}.`
  return `${countOf(written, 'text', 'texts')}: ${states}.${half}`
}

function lateRecords({ late: { records, longest } }: Told): Text {
  if (records === 0) return null
  const [they, times] =
    records === 1 ? ['it was', 'the time at which it was'] : ['they were', 'the times at which they were']
  return `${countOf(records, 'record', 'records')} reached the server more than 30 s after ${they} made, the latest after ${durationOf(longest)}. The figures use ${times} made.`
}

function actionsOpen({ actions_before: { open, overdue } }: Told): Text {
  if (open === 0) return null
  return `When it began, ${countOf(open, 'action', 'actions')} from earlier records ${was(open)} open, ${numberOf(overdue)} of them overdue.`
}
