import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../calls/record.ts'
import type { RecordReplay } from '../calls/replay.ts'
import { voiceOfRecord } from '../doing.ts'
import { type Counted, countEvent, statusesAtEnd, wasIn } from './count/count.service.ts'
import { coverageSteps } from './count/coverage.ts'
import { timeToShare } from './count/duties.ts'
import type { Of } from './count/facts.queries.ts'
import { clearOfBuilding, countReported, floorRows, isNeverCovered, placeName } from './count/floor-figures.ts'
import { peopleFigures, planFigures, resultOf, totalsOf } from './count/people-figures.ts'
import { replayOf } from './count/replay.ts'
import { type Compared, comparedTo } from './earlier-record.ts'
import { readersOfPlans } from './figures/plan-readers.ts'
import { textsOf } from './figures/texts-figures.ts'
import * as queries from './figures.queries.ts'
import { sentencesOf } from './record-sentences.ts'

/** By the name with which they took part, or the one of now of someone who did not. Null: no one is known. */
const byIn =
  (who: Counted['who']) =>
  ({ signIn, person, name, role }: queries.Named): EventRecord['started_by'] => {
    const packed = who.get(signIn ?? '') ?? who.get(person ?? '')
    const told = packed ? { name: packed.name, role: packed.role ?? role } : { name, role }
    return told.name === null ? null : { name: told.name, role: told.role ?? '' }
  }

/** What stands beside the event when its record is written. */
export interface Around {
  number: number
  shift: string | null
  actionsBefore: { open: number; overdue: number }
  earlier: readonly Compared[]
  /** A transaction from before the end is open. */
  isEarly: boolean
}

export interface Written {
  record: EventRecord
  /** Null where the journal does not lead to the counts of the end. */
  replay: RecordReplay | null
}

/** The record of an ended event, every figure from one count of its journal. */
export async function writeRecord(tx: Tx, of: Of, around: Around): Promise<Written> {
  const ended = await queries.getEnded(tx, of)
  const counted = await countEvent(tx, of, ended)
  const { walked, part, floors, buildings, contact, evidenceOf } = counted
  const places = placesOf(counted)
  const figures: Omit<EventRecord, 'compared' | 'sentences'> = {
    version: 2,
    counts_from: part.from,
    drill_part: drillOf(counted),
    help: counted.help,
    instructions: counted.instructions,
    ...(counted.actions && { actions: counted.actions }),
    outages: counted.outages,
    ...headOf(ended, around, counted),
    ...places,
    result: resultOf(totalsOf(counted.ended), voiceOfRecord(counted)),
    people: peopleFigures({ ...counted, buildings }),
    plans: { ...planFigures(counted.ended, floors, buildings), ...(await readersOfPlans(tx, of)) },
    texts: {
      allowed: ended.smsAllowed,
      ...(await textsOf(tx, of, new Date(ended.startedAt.getTime() + part.from * 1000))),
    },
    decisions: await decisionsOf(tx, of, counted),
    contact: contact && contactOf(contact, counted),
    late: counted.late,
    actions_before: around.actionsBefore,
    ...(around.isEarly && { written_early: true as const }),
  }
  const compared = comparedTo(figures, around.earlier)
  const sentences = sentencesOf({ ...figures, compared }).map((sentence) =>
    sentence.evidence === 'entries' ? { ...sentence, entries: evidenceOf(sentence.number) } : sentence,
  )
  return {
    record: { ...figures, compared, sentences },
    replay: walked.curve.length > 0 && counted.isWhole ? replayOf(counted) : null,
  }
}

function headOf(
  ended: Awaited<ReturnType<typeof queries.getEnded>>,
  { number, shift }: Around,
  { who, words }: Pick<Counted, 'who' | 'words'>,
) {
  const by = byIn(who)
  return {
    number,
    kind: ended.kind,
    announced: ended.announced,
    shift,
    live_from: ended.liveFrom?.toISOString() ?? null,
    live_by: by(ended.liveBy),
    type: words.type()?.name ?? ended.type,
    site: { id: ended.siteUid, name: words.site()?.name ?? ended.siteName },
    timezone: ended.timezone,
    started_at: ended.startedAt.toISOString(),
    ended_at: ended.endedAt.toISOString(),
    seconds: ended.seconds,
    started_by: by(ended.startedBy),
    ended_by: by(ended.endedBy),
    message: ended.message,
    toggles: { broadcast: ended.broadcast, alert: ended.alert },
  }
}

/** Floors, buildings and wardens: who cleared what, who was where. */
function placesOf(counted: Counted): Pick<EventRecord, 'buildings' | 'floors' | 'wardens'> {
  const { walked, part, presence, statuses, ended, coverage, touched } = counted
  const inPart = presence.filter(({ spans }) => wasIn(spans, part))
  const isInPart = new Set(inPart.map(({ uid }) => uid))
  const names = new Map(statuses.map(({ uid, name }) => [uid, name]))
  const last = statusesAtEnd(counted.steps)
  const rows = floorRows({
    part: walked.part,
    ended,
    coverage,
    span: part,
    floors: counted.floors.filter(({ building }) => isInPart.has(building)),
    statusOf: (floor) => names.get(last.get(floor) ?? '') ?? '',
  })
  const never = rows.filter((row) => isNeverCovered(row, touched))
  return {
    buildings: presence.map(({ uid, name, spans }) => ({
      id: uid,
      name,
      joined: Math.max(0, spans[0]?.from ?? 0),
      left: leftAt(spans.at(-1)?.to),
      ...clearOfBuilding(uid, rows),
      people: totalsOf(ended.filter(({ building }) => building === uid)),
    })),
    floors: {
      has_clear_status: counted.hasClearStatus,
      total: rows.length,
      reported: rows.filter(({ first_clear }) => first_clear !== null).length,
      clear: rows.filter(({ clear }) => clear !== null).length,
      rows,
    },
    wardens: wardensOf(counted, never.map(placeName)),
  }
}

const leftAt = (to: number | undefined) => (to === undefined || to === Number.POSITIVE_INFINITY ? null : to)

/** A record lists so many floors that were taken, and so many gaps. All of them count. */
const mostListed = 1000
/** A curve has at most so many steps. */
const mostSteps = 300

function wardensOf({ answers, coverage, wardens, part }: Counted, never: readonly string[]): EventRecord['wardens'] {
  const share = (of: number) => timeToShare(answers, of)
  const last = answers.at.at(-1) ?? 0
  // who starts an event answers in its first moment
  const minutes = answers.at.length === 0 ? 0 : Math.min(mostSteps, Math.max(1, Math.ceil((last - part.from) / 60)))
  const who = new Map(wardens.map(({ signIn, name, role }) => [signIn, { name, role }]))
  const taken = coverage.taken.filter(({ from, to }) => from <= part.to && to >= part.from)
  return {
    total: answers.total,
    reported_in: answers.reportedIn,
    not_available: answers.notAvailable,
    answered: { half: share(0.5), most: share(0.8), nearly_all: share(0.9) },
    answered_by_minute: Array.from(
      { length: minutes },
      (_, minute) => answers.at.filter((at) => at <= part.from + (minute + 1) * 60).length,
    ),
    answered_steps: answerSteps(answers.at),
    coverage: coverageSteps(coverage.covers.values(), part).slice(0, mostSteps),
    never_covered: never.length,
    names_never_covered: never.slice(0, 5),
    taken: taken.slice(0, mostListed).map(({ signIn, floor, from, to }) => ({
      floor: floor.floor,
      name: floor.name,
      building_name: floor.buildingName,
      by: who.get(signIn) ?? null,
      from,
      to: to >= part.to ? null : to,
    })),
  }
}

/** Each second in which someone answered, with how many had by then. Of more than 300 the last of every few. */
function answerSteps(answers: readonly number[]): [number, number][] {
  const steps = [...new Map(answers.map((at, nth) => [Math.floor(at), nth + 1]))]
  const each = Math.max(1, Math.ceil(steps.length / mostSteps))
  return steps.filter((_, nth) => (steps.length - 1 - nth) % each === 0)
}

function contactOf(
  { gaps, nobody }: NonNullable<Counted['contact']>,
  { wardens, part }: Counted,
): NonNullable<EventRecord['contact']> {
  const who = new Map(wardens.map(({ signIn, name, role }) => [signIn, { name, role }]))
  const span = ({ from, to }: { from: number; to: number }) => ({ from, to: to >= part.to ? null : to })
  return {
    wardens: new Set(gaps.map(({ signIn }) => signIn)).size,
    to_the_end: new Set(gaps.flatMap(({ signIn, to }) => (to >= part.to ? [signIn] : []))).size,
    service: nobody.map(span),
    gaps: gaps
      .slice(0, mostListed)
      .map((gap) => ({ ...(who.get(gap.signIn) ?? { name: '', role: '' }), ...span(gap) })),
  }
}

/** What had been done when the drill was made live. */
function drillOf({ walked: { drill, drillEnd }, floors, presence, part }: Counted): EventRecord['drill_part'] {
  if (!drill) return null
  const inDrill = new Set(presence.flatMap(({ uid, spans }) => (wasIn(spans, { from: 0, to: part.from }) ? [uid] : [])))
  const { safe, total } = totalsOf(drillEnd)
  return {
    people: { safe, total },
    floors: {
      reported: countReported(drill.floors.values()),
      total: floors.filter(({ building }) => inDrill.has(building)).length,
    },
  }
}

async function decisionsOf(tx: Tx, of: Of, { who }: Pick<Counted, 'who'>): Promise<EventRecord['decisions']> {
  const by = byIn(who)
  return (await queries.listDecisions(tx, of)).map(({ at, seconds, action, by: maker, words }) => ({
    at: at.toISOString(),
    seconds: Math.max(0, seconds),
    action,
    by: by(maker),
    words,
  }))
}
