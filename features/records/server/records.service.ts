import { presentCheck, presentHeads } from '#features/log/server/heads.service.ts'
import { readWords } from '#features/log/server/names/names-kept.service.ts'
import { type PackedPerson, readPeople } from '#features/log/server/people/people-named.service.ts'
import { notAsLogged } from '#features/log/words.ts'
import type { BuildingUid, ClientUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { EventRecord } from '../calls/record.ts'
import type { getRecord, listNames, listRecords, listTrends, NamedPerson, RecordCard } from '../calls/records.ts'
import type { getReplay } from '../calls/replay.ts'
import { lastClearOf } from '../figures.ts'
import { keepReason, presentAdditions } from './additions.service.ts'
import { mostCovered } from './earlier-record.ts'
import { presentArrived } from './late/arrived.ts'
import { askedItems } from './observing/checklist.ts'
import { noteNamesSeen, type Reach, reachOf, requireRecord } from './record-access.service.ts'
import * as queries from './records.queries.ts'
import { onlyPlaces, unpackReplay } from './replay/replay.ts'
import type { Then } from './words-of-then.ts'

export async function presentRecords(
  tx: Tx,
  reader: Reader,
  query: CallInput<typeof listRecords>['query'],
): Promise<CallAnswer<typeof listRecords>> {
  const reach = await reachOf(tx, reader)
  const { shown, next } = pageOf(await queries.listCards(tx, reach, query), ({ eventUid }) => eventUid)
  const running = query.after ? [] : await queries.listRunning(tx, reach)
  return {
    records: shown.map(presentCard),
    running: running.map(({ eventUid, siteName, startedAt, ...event }) => ({
      ...event,
      event: eventUid,
      site: siteName,
      started_at: startedAt.toISOString(),
    })),
    sites: await queries.listRecordedSites(tx, reach),
    next,
  }
}

function pageOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const shown = rows.slice(0, queries.pageSize)
  const last = shown.at(-1)
  return { shown, next: rows.length > shown.length && last ? keyOf(last) : null }
}

function presentCard({ eventUid, siteName, beganAt, endedAt, actionsOpen, ...card }: queries.CardRow): RecordCard {
  return {
    ...card,
    event: eventUid,
    site: siteName,
    actions_open: actionsOpen,
    started_at: beganAt.toISOString(),
    ended_at: endedAt.toISOString(),
  }
}

/** What the server is set up with: the keys that have signed here, and a mail server. */
interface LogFacts {
  keys: readonly { key: string }[]
  hasMail: boolean
}

/** The record with its additions. Beyond the reach of the caller totals only. */
export async function presentRecord(
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { keys, hasMail }: LogFacts,
): Promise<CallAnswer<typeof getRecord>> {
  const reach = await reachOf(tx, reader)
  return {
    ...(await presentWithin(tx, reader, reach, eventUid)),
    heads: await presentHeads(tx, keys, { clientUid: reach.clientUid, eventUid }),
    has_mail: hasMail,
  }
}

/** What is kept of the event, for a reach that is known. */
export async function presentWithin(
  tx: Tx,
  reader: Pick<Reader, 'personUid'>,
  reach: Reach,
  eventUid: EventUid,
): Promise<Omit<CallAnswer<typeof getRecord>, 'heads' | 'has_mail'>> {
  const found = await requireRecord(tx, reach, eventUid)
  const { state, isWhole } = found
  const kept = await queries.findSummary(tx, reach, eventUid)
  const summary = kept && (reach.seesPlanned ? kept : withoutPlanned(kept))
  return {
    state,
    whole: isWhole,
    ...(await presentArrived(tx, reach, { eventUid, isWhole, isReduced: found.reducedAt !== null })),
    record: summary && (isWhole ? summary : withinReach(summary, reach)),
    reduced_at: found.reducedAt?.toISOString() ?? null,
    hold: found.held,
    check: await presentCheck(tx, { clientUid: reach.clientUid, eventUid }),
    number: found.number,
    timezone: found.timezone,
    started_at: found.beganAt.toISOString(),
    ended_at: found.endedAt.toISOString(),
    recount: isWhole ? await queries.findRecount(tx, reach, eventUid) : null,
    additions: await presentAdditions(tx, reader, reach, { eventUid, isWhole }),
    checklist: await askedItems(tx, reach.clientUid),
  }
}

/** The record as it is stored, for no reader in particular. Null: it is not written, or deleted. */
export const findStoredRecord = (tx: Tx, of: { clientUid: ClientUid; eventUid: EventUid }) =>
  queries.findSummary(tx, of, of.eventUid)

const withoutPlanned = (summary: EventRecord): EventRecord => ({
  ...summary,
  plans: { ...summary.plans, floors: [], people: [] },
})

/** Sentences that name no person, floor or building of others, and that count the whole event. */
const sentencesForAll = new Set([1, 3, 4, 5, 8, 10, 11, 12, 13, 14, 18, 20, 21, 22, 23, 24])

/** Totals stay; names, and floors of others, go. */
function withinReach(summary: EventRecord, { buildingUids, floorUids }: Reach): EventRecord {
  const buildings = new Set(buildingUids)
  const floors = new Set(floorUids)
  const isOwn = ({ floor, building }: { floor: FloorUid | null; building: BuildingUid }) =>
    (floor !== null && floors.has(floor)) || buildings.has(building)
  return {
    ...summary,
    started_by: null,
    ended_by: null,
    live_by: null,
    compared: null,
    buildings: summary.buildings.filter(({ id }) => buildings.has(id)),
    ...(summary.actions && { actions: actionsAt(summary.actions, buildings) }),
    floors: {
      ...summary.floors,
      rows: summary.floors.rows.filter(({ id, building }) => floors.has(id) || buildings.has(building)),
    },
    people: {
      ...summary.people,
      ...(summary.people.left && { left: summary.people.left.filter(({ building }) => buildings.has(building)) }),
    },
    wardens: { ...summary.wardens, names_never_covered: [], taken: [] },
    plans: {
      ...summary.plans,
      floors: summary.plans.floors?.filter(isOwn) ?? [],
      people: summary.plans.people?.filter(isOwn) ?? [],
    },
    contact: summary.contact && { ...summary.contact, gaps: [] },
    decisions: summary.decisions.map((decision) => ({ ...decision, by: null })),
    sentences: summary.sentences.filter(({ number }) => sentencesForAll.has(number)),
  }
}

/** What people of these buildings were told to do. */
const actionsAt = (actions: NonNullable<EventRecord['actions']>, own: ReadonlySet<BuildingUid>) =>
  actions.flatMap((told) => {
    const buildings = told.buildings.filter(({ id }) => own.has(id))
    return buildings.length > 0 ? [{ ...told, buildings }] : []
  })

/** Beyond the caller's places no floors. Throws `not_found` if the record has no replay. */
export async function presentReplay(tx: Tx, reader: Reader, eventUid: EventUid): Promise<CallAnswer<typeof getReplay>> {
  const reach = await reachOf(tx, reader)
  const { state, isWhole } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  const kept = await queries.findReplay(tx, reach, eventUid)
  if (!kept) throw new Refusal('not_found')
  const replay = await unpackReplay(kept)
  const own = new Set<string>([...reach.buildingUids, ...reach.floorUids])
  return isWhole ? replay : onlyPlaces(replay, ({ id, building }) => own.has(id) || own.has(building))
}

/** Names are asked for one page at a time, and it is journaled who saw them. */
export async function presentNames(
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { list, reason, after }: CallInput<typeof listNames>['body'],
): Promise<CallAnswer<typeof listNames>> {
  const reach = await reachOf(tx, reader)
  const { state } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  if (list === 'plans' && !reach.seesPlanned) throw new Refusal('forbidden')
  if (list === 'plans' && !after) await keepReason(tx, reader, eventUid, reason)
  const of = { clientUid: reach.clientUid, eventUid }
  const words = await readWords(tx, of)
  const rows = await queries.listNamed(tx, reach, { eventUid, list, after }, words.places())
  const { shown, next } = pageOf(rows, (row) => row.personUid)
  await noteNamesSeen(tx, reader, eventUid, { list, people: shown.length })
  const whom = shown.flatMap(({ personUid, lastByUid }) => [personUid, lastByUid])
  const then = { words, people: await readPeople(tx, of, whom) }
  return { people: shown.map((row) => presentNamed(row, then)), next }
}

/** People and places have the names that they had in the event. */
function presentNamed(row: queries.NamedRow, { words, people }: Then): NamedPerson {
  const building = words.building(row.buildingUid)?.name ?? row.buildingName
  const floor = row.floorUid === null ? null : (words.floor(row.floorUid)?.name ?? row.floorName)
  return {
    person: row.personUid,
    name: nameOf(people.get(row.personUid)) ?? row.name,
    status: row.status,
    refused: row.refused,
    left_with: row.left ? building : null,
    place: floor === null ? building : `${building} - ${floor}`,
    last_at: row.statusAt?.toISOString() ?? null,
    last_by: nameOf(people.get(row.lastByUid ?? '')) ?? row.lastBy,
  }
}

/** Undefined: the log has none. */
const nameOf = (packed: PackedPerson | undefined) => (packed?.isAsLogged === false ? notAsLogged : packed?.name)

export async function presentTrends(tx: Tx, reader: Reader, siteUid: SiteUid): Promise<CallAnswer<typeof listTrends>> {
  const reach = await reachOf(tx, reader)
  const rows = await queries.listTrendRows(tx, reach, siteUid)
  return {
    not_drawn: await queries.countNotDrawn(tx, reach, siteUid),
    points: rows.map(({ eventUid, number, kind, beganAt, timezone, record: { floors, wardens, counts_from } }) => ({
      event: eventUid,
      number,
      kind,
      started_at: beganAt.toISOString(),
      timezone,
      last_clear: lastClearOf({ floors, counts_from }),
      covered: mostCovered({ wardens }),
      floors: floors.total,
      answered: wardens.answered_by_minute[Math.min(4, wardens.answered_by_minute.length - 1)] ?? 0,
      wardens: wardens.total,
    })),
  }
}
