import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type JournalEntry, record, unattended } from '#server/platform/db/journal.ts'
import * as queries from './names-kept.queries.ts'

/** Floors of one entry. */
const mostFloors = 2_000

/** Keeps the words of an event that starts and of its buildings: they stand in its log as they are now. */
export async function keepNames(tx: Tx, clientUid: string, eventUid: string): Promise<void> {
  const event = sql`e.uid = ${eventUid}`
  await record(tx, unattended(clientUid), [...(await ofEvents(tx, event)), ...(await ofBuildings(tx, event))])
}

/** Keeps the words of buildings that join a running event. */
export async function keepBuildingNames(
  tx: Tx,
  clientUid: string,
  eventUid: string,
  buildingUids: readonly string[],
): Promise<void> {
  await record(
    tx,
    unattended(clientUid),
    await ofBuildings(tx, sql`e.uid = ${eventUid} and ${isAny('eb.building_uid', buildingUids)}`),
  )
}

/** Whose words an event shows. */
export type Named = 'site' | 'building' | 'floor' | 'role' | 'eventType' | 'floorStatus'
const isOf: Record<Named, (uids: readonly string[]) => RawBuilder<unknown>> = {
  site: (uids) => isAny('e.site_uid', uids),
  building: (uids) => isAny('eb.building_uid', uids),
  floor: (
    uids,
  ) => sql`exists (select from floor f where f.client_uid = eb.client_uid and f.building_uid = eb.building_uid
    and ${isAny('f.uid', uids)})`,
  role: () => sql`true`,
  eventType: (uids) => isAny('e.event_type_uid', uids),
  floorStatus: () => sql`true`,
}

/** Keeps the words of running events after these rows have changed. Call it in the transaction of the change. */
export async function keepChangedNames(tx: Tx, clientUid: string, kind: Named, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  const which = sql`e.client_uid = ${clientUid} and ${isOf[kind](uids)}`
  const isPlace = kind === 'building' || kind === 'floor'
  await record(tx, unattended(clientUid), isPlace ? await ofBuildings(tx, which) : await ofEvents(tx, which))
}

const isAny = (column: string, uids: readonly string[]) => sql`${sql.ref(column)} = any (${uids as string[]}::uuid[])`

const ofEvents = async (tx: Tx, which: RawBuilder<unknown>): Promise<JournalEntry[]> =>
  (await queries.listEventNames(tx, which)).map(({ eventUid, names }) => ({
    action: 'names_kept',
    subjectType: 'site',
    subjectUid: names.site.uid,
    eventUid,
    after: names,
  }))

const ofBuildings = async (tx: Tx, which: RawBuilder<unknown>): Promise<JournalEntry[]> =>
  (await queries.listBuildingNames(tx, which, mostFloors)).map(({ eventUid, names }) => ({
    action: 'names_kept',
    subjectType: 'building',
    subjectUid: names.building_uid,
    eventUid,
    after: names,
  }))

/** What `names_kept` holds, or `log_form` of an event of the version before, which has all in one. */
type AnyNames =
  | queries.EventNames
  | queries.BuildingNames
  | (queries.EventNames & { buildings: queries.BuildingNames[] })

/** The place of an entry in the journal. */
interface JournalPlace {
  xid: string
  position: string | number
}

interface Kept<T> {
  at: JournalPlace
  word: T
}
type Words<T> = Map<string, Kept<T>[]>

export interface StatusWord {
  uid: string
  name: string
  meansClear: boolean
  colour: string
  order: number
}
export interface RoleWord {
  uid: string
  name: string
  domain: string
  modules: string[]
}
export interface FloorWord {
  uid: string
  name: string
  level: number
  buildingUid: string
}
interface PlaceWord {
  uid: string
  name: string
}

/**
 * The words of one event as they were at an entry of its journal, or as they last were. Undefined: the log has never kept the
 * word, as that of an event of an earlier version.
 */
export class EventWords {
  readonly #event: Words<{ site: PlaceWord; type: PlaceWord }> = new Map()
  readonly #statuses: Words<StatusWord> = new Map()
  readonly #roles: Words<RoleWord> = new Map()
  readonly #buildings: Words<PlaceWord> = new Map()
  readonly #floors: Words<FloorWord> = new Map()

  constructor(kept: readonly (JournalPlace & { after: unknown })[]) {
    for (const { after, ...at } of kept) {
      if (after === null) continue
      const names = after as AnyNames
      if ('building_uid' in names) this.#keepBuilding(at, names)
      if ('site' in names) this.#keepEvent(at, names)
      if ('buildings' in names) for (const building of names.buildings) this.#keepBuilding(at, building)
    }
  }

  site = (at?: JournalPlace) => wordAt(this.#event, '', at)?.site
  type = (at?: JournalPlace) => wordAt(this.#event, '', at)?.type
  status = (uid: string, at?: JournalPlace) => wordAt(this.#statuses, uid, at)
  role = (uid: string, at?: JournalPlace) => wordAt(this.#roles, uid, at)
  building = (uid: string, at?: JournalPlace) => wordAt(this.#buildings, uid, at)
  floor = (uid: string, at?: JournalPlace) => wordAt(this.#floors, uid, at)
  /** Buildings and floors as they last were. A building has no level. */
  places = (): { uid: string; name: string; level: number | null }[] => [
    ...[...this.#buildings.keys()].flatMap((uid) => this.building(uid) ?? []).map((word) => ({ ...word, level: null })),
    ...[...this.#floors.keys()].flatMap((uid) => this.floor(uid) ?? []),
  ]

  #keepEvent(at: JournalPlace, { site, type, statuses, roles }: queries.EventNames) {
    keep(this.#event, '', { at, word: { site, type } })
    for (const [uid, name, meansClear, colour, order] of statuses)
      keep(this.#statuses, uid, { at, word: { uid, name, meansClear, colour, order } })
    for (const [uid, name, domain, modules] of roles)
      keep(this.#roles, uid, { at, word: { uid, name, domain, modules } })
  }

  #keepBuilding(at: JournalPlace, { building_uid: buildingUid, name, floors }: queries.BuildingNames) {
    keep(this.#buildings, buildingUid, { at, word: { uid: buildingUid, name } })
    for (const [uid, floor, level] of floors)
      keep(this.#floors, uid, { at, word: { uid, name: floor, level, buildingUid } })
  }
}

function keep<T>(words: Words<T>, uid: string, kept: Kept<T>): void {
  const known = words.get(uid)
  if (known) known.push(kept)
  else words.set(uid, [kept])
}

/** What was kept last up to the entry. Of an entry before the first keeping, what was kept first. */
function wordAt<T>(words: Words<T>, uid: string, at: JournalPlace | undefined): T | undefined {
  const all = words.get(uid)
  const found = at ? (all?.findLast((one) => !isAfter(one.at, at)) ?? all?.[0]) : all?.at(-1)
  return found?.word
}

const isAfter = (one: JournalPlace, other: JournalPlace) => {
  const [xid, than] = [BigInt(one.xid), BigInt(other.xid)]
  return xid === than ? BigInt(one.position) > BigInt(other.position) : xid > than
}

/** Reads the words of an event as its log has kept them. */
export const readWords = async (db: Db, of: { clientUid: string; eventUid: string }): Promise<EventWords> =>
  new EventWords(await queries.listKept(db, of))
