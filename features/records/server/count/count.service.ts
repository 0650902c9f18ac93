import { readWords, type StatusWord } from '#features/log/server/names/names-kept.service.ts'
import { type PackedPerson, readPeople } from '#features/log/server/people/people-named.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { actionsTold } from './actions-told.ts'
import { helpOf, instructionsOf, lateOf, outagesOf } from './calls-and-outages.ts'
import { contactGapsOf, openContactTold } from './contact.ts'
import { coverageOf, openClaims } from './coverage.ts'
import { answersOf, openDuties } from './duties.ts'
import { openEvidence } from './evidence.ts'
import * as rows from './facts.queries.ts'
import { Histories, type Step } from './histories.ts'
import { readCounted } from './packed-facts.ts'
import { endedPeople } from './people-figures.ts'
import type { Span } from './spans.ts'
import { walk } from './walk.ts'

/** What is counted of an event, before it is put into a record. */
export type Counted = Awaited<ReturnType<typeof countEvent>>

/** Reads the journal once, follows each person and floor, and counts. */
export async function countEvent(tx: Tx, of: rows.Of, { startedAt, seconds }: { startedAt: Date; seconds: number }) {
  const { people, floors, buildings, statuses, wardens, meansClear, words, who } = await readGround(tx, of)
  const floorsOf = await rows.listInstructions(tx, of)
  const untold = await rows.countUntoldCalls(tx, of)
  const secondsOf = (iso: unknown) => {
    const time = typeof iso === 'string' ? Date.parse(iso) : Number.NaN
    return Number.isNaN(time) ? null : (time - startedAt.getTime()) / 1000
  }
  const histories = new Histories({ people, floors, statuses, meansClear })
  const [duties, claims, contact, evidence] = [openDuties(), openClaims(), openContactTold(), openEvidence()]
  /** Entries of which an event has few. */
  const few: rows.Fact[] = []
  let from = 0
  for await (const page of readCounted(tx, of, { people, floors, buildings, wardens }))
    for (const fact of page) {
      histories.take(fact)
      duties.take(fact)
      claims.take(fact)
      contact.take(fact, secondsOf)
      evidence.take(fact)
      if (fact.after !== null || fact.seen !== null) few.push(fact)
      if (fact.action === 'drill_made_live') from = fact.recorded
    }
  const part = { from, to: seconds }
  const { steps, isWhole } = histories.finish(seconds)
  const walked = walk(steps, seconds)
  const coverage = coverageOf({ floors, wardens, duties, claims, histories })
  const outages = outagesOf(few, part, secondsOf)
  return {
    part,
    floors,
    buildings,
    statuses,
    hasClearStatus: statuses.some(({ meansClear, action }) => meansClear && histories.offered.has(action)),
    wardens,
    /** Wardens as they were packed, by participation and person, and the words of the event. */
    who,
    words,
    people,
    steps,
    walked,
    coverage,
    isWhole,
    outages,
    presence: buildings.map((building) => ({ ...building, spans: histories.presence.get(building.uid) ?? [] })),
    ended: endedPeople(walked, people, floors),
    leftAt: leavingsOf(people),
    touched: new Set(histories.acts.flatMap((act) => (act.from === from ? act.floor : []))),
    answers: answersOf(wardens, duties, part),
    contact: contactGapsOf(wardens, duties, contact, { part, outages: outages.server }),
    actions: actionsTold(few, buildings),
    help: helpOf(few, part, untold),
    instructions: instructionsOf(few, part, { wardens, duties, taken: coverage.taken, floorsOf }),
    late: lateOf(few, part),
    evidenceOf: (number: number) => evidence.of(number, part),
  }
}

/** Who and what there was, in the words of the event. Those of an event of an earlier version are today's. */
async function readGround(tx: Tx, of: rows.Of) {
  const words = await readWords(tx, of)
  const statuses = await rows.listStatuses(tx, of.clientUid)
  const today = new Map(statuses.map(({ uid, meansClear }) => [uid, meansClear]))
  const buildingName = (uid: string, name: string) => words.building(uid)?.name ?? name
  const participations = await rows.listParticipations(tx, of)
  const who = await readPeople(
    tx,
    of,
    participations.map(({ signIn }) => signIn),
  )
  return {
    people: await rows.listEvacuees(tx, of),
    floors: (await rows.listFloors(tx, of)).map((row) => ({
      ...row,
      name: words.floor(row.floor)?.name ?? row.name,
      buildingName: buildingName(row.building, row.buildingName),
    })),
    buildings: (await rows.listBuildings(tx, of)).map(({ uid, name }) => ({ uid, name: buildingName(uid, name) })),
    statuses: statuses.map((row) => ({ ...row, ...pick(words.status(row.uid)) })),
    wardens: participations.map((one) => ({ ...one, ...namedAs(who.get(one.signIn)) })),
    who,
    words,
    meansClear: (uid: string, at: Pick<rows.Fact, 'xid' | 'position'>) =>
      words.status(uid, at)?.meansClear ?? today.get(uid) ?? false,
  }
}

const namedAs = (packed: PackedPerson | undefined) =>
  packed && { name: packed.name, ...(packed.role !== null && { role: packed.role }) }

const pick = (word: StatusWord | undefined) =>
  word && { name: word.name, colour: word.colour, meansClear: word.meansClear }

/** When each person last left with a building. */
const leavingsOf = (people: readonly rows.Evacuee[]): ReadonlyMap<string, number> =>
  new Map(
    people.flatMap(({ person, stays }) => {
      const last = stays.at(-1)
      return last?.left && last.removed !== null ? [[person as string, last.removed] as const] : []
    }),
  )

/** The building was in the event at a moment of the span. */
export const wasIn = (spans: readonly Span[], { from, to }: Span): boolean =>
  spans.some((span) => span.from <= to && span.to >= from)

/** The status of each floor at its end, by the last step about it. */
export function statusesAtEnd(steps: readonly Step[]): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  for (const step of steps) if (step.kind === 'floor') last.set(step.floor, step.status)
  return last
}
