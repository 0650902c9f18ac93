import type { EventRecord } from '@evac/contract/calls/records/record.ts'
import type {
  getRecord,
  listNames,
  listRecords,
  listTrends,
  NamedPerson,
  RecordCard,
} from '@evac/contract/calls/records/records.ts'
import type { BuildingUid, EventUid, FloorUid, SiteUid } from '@evac/contract/ids.ts'
import { lastClearOf } from '@evac/contract/record-figures.ts'
import type { CallAnswer, CallInput } from '@evac/contract/route.ts'
import type { Tx } from '../../platform/db/db.ts'
import { record } from '../../platform/db/journal.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Actor, journalActor } from '../../wardens/actor.ts'
import { keepReason, presentAdditions } from './additions.service.ts'
import { mostCovered } from './compared.ts'
import { countLateRecords } from './late/late.queries.ts'
import { type Reach, reachOf, requireRecord } from './reach.service.ts'
import * as queries from './records.queries.ts'

/** AAR-36. */
export async function presentRecords(
  tx: Tx,
  actor: Actor,
  query: CallInput<typeof listRecords>['query'],
): Promise<CallAnswer<typeof listRecords>> {
  const reach = await reachOf(tx, actor)
  const { shown, next } = pageOf(await queries.listCards(tx, reach, query), ({ eventUid }) => eventUid)
  const running = query.after ? [] : await queries.listRunning(tx, reach)
  return {
    records: shown.map(presentCard),
    running: running.map(({ eventUid, siteName, startedAt, ...event }) => ({
      ...event,
      ...{ event: eventUid, site: siteName, started_at: startedAt.toISOString() },
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
    ...{ event: eventUid, site: siteName, actions_open: actionsOpen },
    ...{ started_at: beganAt.toISOString(), ended_at: endedAt.toISOString() },
  }
}

/** The record with its additions. Beyond the reach of the caller totals only (AAR-02). */
export async function presentRecord(tx: Tx, actor: Actor, eventUid: EventUid): Promise<CallAnswer<typeof getRecord>> {
  const reach = await reachOf(tx, actor)
  const { state, isWhole } = await requireRecord(tx, reach, eventUid)
  const summary = await queries.findSummary(tx, reach, eventUid)
  return {
    ...{ state, whole: isWhole },
    arrived_late: await countLateRecords(tx, reach.clientUid, eventUid),
    record: summary && (isWhole ? summary : withinReach(summary, reach)),
    additions: await presentAdditions(tx, actor, reach, { eventUid, isWhole }),
  }
}

/** Sentences that name no person and no floor, and that count the whole event. */
const sentencesForAll = new Set([1, 3, 4, 5, 8, 10, 11, 12, 13, 14])

/** AAR-02: totals stay; names, and floors of others, go. */
function withinReach(summary: EventRecord, { buildingUids, floorUids }: Reach): EventRecord {
  const buildings = new Set(buildingUids)
  const floors = new Set(floorUids)
  const isOwn = ({ floor, building }: { floor: FloorUid | null; building: BuildingUid }) =>
    (floor !== null && floors.has(floor)) || buildings.has(building)
  return {
    ...summary,
    ...{ started_by: null, ended_by: null, live_by: null, compared: null },
    buildings: summary.buildings.filter(({ id }) => buildings.has(id)),
    floors: {
      ...summary.floors,
      rows: summary.floors.rows.filter(({ id, building }) => floors.has(id) || buildings.has(building)),
    },
    wardens: { ...summary.wardens, names_never_covered: [] },
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

/** AAR-17, AAR-18: names are asked for one page at a time, and it is journaled who saw them. */
export async function presentNames(
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
  { list, reason, after }: CallInput<typeof listNames>['body'],
): Promise<CallAnswer<typeof listNames>> {
  const reach = await reachOf(tx, actor)
  const { state } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  if (list === 'plans' && !after) await keepReason(tx, actor, eventUid, reason)
  const { shown, next } = pageOf(await queries.listNamed(tx, reach, { eventUid, list, after }), (row) => row.personUid)
  await record(tx, journalActor(actor), {
    ...{ action: 'record_names_seen', subjectType: 'event', subjectUid: eventUid, eventUid },
    after: { list, people: shown.length },
  })
  return { people: shown.map(presentNamed), next }
}

const presentNamed = (row: queries.NamedRow): NamedPerson => ({
  ...{ person: row.personUid, name: row.name, status: row.status, refused: row.refused },
  place: row.floorName === null ? row.buildingName : `${row.buildingName} - ${row.floorName}`,
  ...{ last_at: row.statusAt?.toISOString() ?? null, last_by: row.lastBy },
})

/** AAR-37. */
export async function presentTrends(tx: Tx, actor: Actor, siteUid: SiteUid): Promise<CallAnswer<typeof listTrends>> {
  const rows = await queries.listTrendRows(tx, await reachOf(tx, actor), siteUid)
  return {
    points: rows.map(({ eventUid, number, kind, beganAt, timezone, record: { floors, wardens } }) => ({
      ...{ event: eventUid, number, kind, started_at: beganAt.toISOString(), timezone },
      last_clear: lastClearOf({ floors }),
      ...{ covered: mostCovered({ wardens }), floors: floors.total },
      answered: wardens.answered_by_minute[Math.min(4, wardens.answered_by_minute.length - 1)] ?? 0,
      wardens: wardens.total,
    })),
  }
}
