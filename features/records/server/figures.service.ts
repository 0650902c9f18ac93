import { listTallies } from '#features/evacuation/server/tally.queries.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { nobodyCounted, type StatusCounts } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../calls/record.ts'
import type { RecordReplay } from '../calls/replay.ts'
import { clearTimesOf, clearWithLast, neverClear } from './clear-times.ts'
import { type Compared, comparedTo } from './earlier-record.ts'
import { type ClaimedFloor, listClaimedFloors } from './figures/claimed-floors.queries.ts'
import { contactOf } from './figures/contact-figures.ts'
import { plansOf } from './figures/plans-figures.ts'
import { textsOf } from './figures/texts-figures.ts'
import * as queries from './figures.queries.ts'
import { answersOf, coverageOf, takenUntil, timeToShare } from './floor-shifts.ts'
import { sentencesOf } from './record-sentences.ts'
import { type PlaceMove, type ReplaySource, replayOf } from './replay/replay.ts'

type Of = queries.Of
/** A curve has at most so many steps. */
const mostSteps = 300

const total = ({ safe, unknown, danger }: StatusCounts) => ({ safe, unknown, danger, total: safe + unknown + danger })
const sum = (all: readonly StatusCounts[]) =>
  total(
    all.reduce(
      (of, { safe, unknown, danger }) => ({
        safe: of.safe + safe,
        unknown: of.unknown + unknown,
        danger: of.danger + danger,
      }),
      nobodyCounted,
    ),
  )
const by = (name: string | null, role: string | null) => (name === null ? null : { name, role: role ?? '' })

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
  /** Null where the counts of the journal are not those of the end. */
  replay: RecordReplay | null
}

/** The record of an ended event, every figure from its rows and its journal. */
export async function writeRecord(tx: Tx, of: Of, around: Around): Promise<Written> {
  const ended = await queries.getEnded(tx, of)
  const { replayed, ...all } = await placesOf(tx, of)
  const { moves, ...people } = await peopleOf(tx, of, ended.seconds)
  const record = {
    number: around.number,
    kind: ended.kind,
    announced: ended.announced,
    shift: around.shift,
    live_from: ended.liveFrom?.toISOString() ?? null,
    live_by: by(ended.liveBy, null),
    type: ended.type,
    site: { id: ended.siteUid, name: ended.siteName },
    timezone: ended.timezone,
    buildings: all.buildings,
    started_at: ended.startedAt.toISOString(),
    ended_at: ended.endedAt.toISOString(),
    seconds: ended.seconds,
    started_by: by(ended.startedBy, ended.startedByRole),
    ended_by: by(ended.endedBy, ended.endedByRole),
    message: ended.message,
    toggles: { broadcast: ended.broadcast, alert: ended.alert },
    result: resultOf(people.end),
    people,
    floors: all.floors,
    wardens: all.wardens,
    plans: await plansOf(tx, of),
    texts: { allowed: ended.smsAllowed, ...(await textsOf(tx, of)) },
    decisions: await decisionsOf(tx, of),
    contact: await contactOf(tx, of, ended.seconds),
    late: await queries.findLate(tx, of),
    actions_before: around.actionsBefore,
    ...(around.isEarly && { written_early: true as const }),
  }
  const compared = comparedTo(record, around.earlier)
  const written = { ...record, compared, sentences: sentencesOf({ ...record, compared }) }
  if (!people.curve) return { record: written, replay: null }
  const { step_seconds: stepSeconds, steps } = people.curve
  const statuses = await queries.listFloorStatuses(tx, of.clientUid)
  const peopled = new Set(moves.map(({ placeUid }) => placeUid))
  const places = replayed.places.filter(({ id, name }) => name !== null || peopled.has(id))
  return {
    record: written,
    replay: replayOf({ stepSeconds, steps: steps.length, statuses, moves, ...replayed, places }),
  }
}

/** The graver word wins. */
function resultOf({ unknown, danger, total }: EventRecord['people']['end']): EventRecord['result'] {
  if (total === 0) return { word: 'nobody', people: 0 }
  if (danger > 0) return { word: 'danger', people: danger }
  return unknown > 0 ? { word: 'unaccounted', people: unknown } : { word: 'accounted', people: 0 }
}

type Counts = StatusCounts & { refusals: number }

interface Places extends Pick<EventRecord, 'buildings' | 'floors' | 'wardens'> {
  replayed: Pick<ReplaySource, 'places' | 'changes' | 'covered'>
}

/** Floors, buildings and wardens: who cleared what, who was where. */
async function placesOf(tx: Tx, of: Of): Promise<Places> {
  const floors = await queries.listRecordedFloors(tx, of)
  const tallies = new Map<string, Counts>(
    (await listTallies(tx, of.clientUid, of.eventUid)).map((row) => [row.placeUid, row]),
  )
  const uids = floors.map(({ floorUid }) => floorUid)
  const changes = await queries.listFloorChanges(tx, of)
  const times = clearTimesOf(uids, changes)
  const timesOf = (uid: FloorUid) => times.get(uid) ?? neverClear
  const cleared = uids.flatMap((floorUid) => {
    const { firstClear } = timesOf(floorUid)
    return firstClear === null ? [] : [{ floorUid, at: firstClear }]
  })
  const unseen = await queries.countUnseen(tx, of, cleared)
  const participations = await queries.listParticipations(tx, of)
  const attendance = await queries.listAttendance(tx, of)
  const taken = takenUntil(await listClaimedFloors(tx, of), attendance)
  const coverage = coverageOf(uids, participations, attendance, taken)
  const order = new Map(
    uids
      .filter((uid) => timesOf(uid).clear !== null)
      .toSorted((a, b) => (timesOf(a).clear ?? 0) - (timesOf(b).clear ?? 0))
      .map((uid, index) => [uid, index + 1]),
  )
  const rows = floors.map((floor) => {
    const covered = coverage.floors.get(floor.floorUid)
    const { refusals, ...counts } = tallies.get(floor.floorUid) ?? { ...nobodyCounted, refusals: 0 }
    const { firstClear, clear, clearRecorded, reopened } = timesOf(floor.floorUid)
    return {
      id: floor.floorUid,
      name: floor.name,
      building: floor.buildingUid,
      building_name: floor.buildingName,
      first_clear: firstClear,
      clear,
      clear_recorded: clearRecorded,
      reopened,
      order: order.get(floor.floorUid) ?? null,
      status: floor.status,
      people: total(counts),
      refusals,
      wardens: covered?.wardens.size ?? 0,
      first_covered: covered?.firstCovered ?? null,
      last_covered: covered?.lastCovered ?? null,
      unseen_when_clear: unseen.get(floor.floorUid) ?? 0,
    }
  })
  const clearOf = (building: BuildingUid) => {
    const { firstClear, clear } = clearWithLast(
      rows.filter((row) => row.building === building).map(({ id }) => timesOf(id)),
    )
    return { first_clear: firstClear, clear }
  }
  const buildings = await queries.listRecordedBuildings(tx, of)
  return {
    replayed: {
      places: placesInOrder(floors, buildings),
      changes: changes.map(({ floorUid, statusUid, seen }) => ({ placeUid: floorUid, statusUid, seconds: seen })),
      covered: coverage.changes,
    },
    buildings: buildings.map(({ uid, name, joined, left }) => ({
      id: uid,
      name,
      joined,
      left,
      ...clearOf(uid),
    })),
    floors: {
      has_clear_status: await queries.hasClearStatus(tx, of.clientUid),
      total: rows.length,
      clear: order.size,
      rows: rows.toSorted((a, b) => (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY) || 0),
    },
    wardens: { ...wardensOf(participations.length, attendance, coverage.steps, rows), taken: presentTaken(taken) },
  }
}

/** Building by building, floors from the top down, and then the building itself for people without a floor. */
function placesInOrder(
  floors: readonly queries.RecordedFloor[],
  buildings: readonly { uid: BuildingUid; name: string }[],
): RecordReplay['places'] {
  return buildings.flatMap(({ uid, name: building_name }) => [
    ...floors
      .filter(({ buildingUid }) => buildingUid === uid)
      .map(({ floorUid, name }) => ({ id: floorUid, name, building: uid, building_name })),
    { id: uid, name: null, building: uid, building_name },
  ])
}

/** A record lists so many floors that were taken. All of them count. */
const mostTaken = 1000

const presentTaken = (taken: readonly ClaimedFloor[]): EventRecord['wardens']['taken'] =>
  taken.slice(0, mostTaken).map(({ by: name, role, floorUid, floorName, buildingName, from, to }) => ({
    floor: floorUid,
    name: floorName,
    building_name: buildingName,
    by: { name, role },
    from,
    to,
  }))

function wardensOf(
  all: number,
  attendance: Awaited<ReturnType<typeof queries.listAttendance>>,
  coverage: [number, number][],
  floors: EventRecord['floors']['rows'],
): EventRecord['wardens'] {
  const answers = answersOf(attendance)
  const came = new Set(attendance.flatMap(({ signInUid, to }) => (to === 'on_duty' ? [signInUid] : [])))
  const away = new Set(
    attendance.flatMap(({ signInUid, to }) => (to === 'not_available' && !came.has(signInUid) ? [signInUid] : [])),
  )
  // who starts an event answers in its first moment
  const minutes = answers.length === 0 ? 0 : Math.min(mostSteps, Math.max(1, Math.ceil((answers.at(-1) ?? 0) / 60)))
  const never = floors.filter(({ first_covered }) => first_covered === null)
  return {
    total: all,
    reported_in: came.size,
    not_available: away.size,
    answered: {
      half: timeToShare(answers, all, 0.5),
      most: timeToShare(answers, all, 0.8),
      nearly_all: timeToShare(answers, all, 0.9),
    },
    answered_by_minute: Array.from(
      { length: minutes },
      (_, minute) => answers.filter((at) => at <= (minute + 1) * 60).length,
    ),
    coverage: coverage.slice(0, mostSteps),
    never_covered: never.length,
    names_never_covered: never.slice(0, 5).map(({ name, building_name }) => `${building_name} - ${name}`),
  }
}

/** The last step of the curve is the tally. */
async function peopleOf(tx: Tx, of: Of, seconds: number): Promise<EventRecord['people'] & { moves: PlaceMove[] }> {
  const tallies = await listTallies(tx, of.clientUid, of.eventUid)
  const end = sum(tallies)
  const stepSeconds = Math.max(1, Math.ceil(seconds / mostSteps))
  const moves = await queries.listMoves(tx, of, stepSeconds)
  const last = sum(moves)
  const isWhole = last.safe === end.safe && last.unknown === end.unknown && last.danger === end.danger
  const everyoneAfter =
    end.total > 0 && end.unknown + end.danger === 0
      ? await queries.findLastUnaccounted(tx, of, lastChange(moves) * stepSeconds)
      : null
  return {
    moves,
    end,
    refusals: tallies.reduce((all, { refusals }) => all + refusals, 0),
    everyone_after: everyoneAfter,
    // an event of an earlier release does not say with how many it began
    curve: isWhole ? { step_seconds: stepSeconds, steps: stepsOf(moves, Math.ceil(seconds / stepSeconds)) } : null,
  }
}

/** The last step that changed how many people are unknown or in danger. 0: none did in sum. */
function lastChange(moves: readonly PlaceMove[]): number {
  const changes = new Map<number, number>()
  for (const { step, unknown, danger } of moves) changes.set(step, (changes.get(step) ?? 0) + unknown + danger)
  return Math.max(0, ...[...changes].flatMap(([step, change]) => (change === 0 ? [] : [step])))
}

/** A transaction that began earlier may write later: what it moved can be missing for a step, and no one is counted below 0. */
function stepsOf(moves: readonly PlaceMove[], steps: number): [number, number, number][] {
  const byStep = Map.groupBy(moves, ({ step }) => step)
  let now = { safe: 0, unknown: 0, danger: 0 }
  return Array.from({ length: Math.max(1, Math.min(mostSteps, steps + 1)) }, (_, step) => {
    now = sum([now, ...(byStep.get(step) ?? [])])
    return [Math.max(0, now.safe), Math.max(0, now.unknown), Math.max(0, now.danger)]
  })
}

async function decisionsOf(tx: Tx, of: Of): Promise<EventRecord['decisions']> {
  return (await queries.listDecisions(tx, of)).map(({ at, seconds, action, name, role, words }) => ({
    at: at.toISOString(),
    seconds,
    action,
    by: by(name, role),
    words,
  }))
}
