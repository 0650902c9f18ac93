import { sql } from 'kysely'
import {
  cellsOf,
  changeDirectory,
  type FormRows,
  holdDirectory,
  requireNone,
} from '#features/directory/server/change-directory.service.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import type { JournalAction } from '#features/live-updates/actions.ts'
import type { BuildingUid, ClientUid, FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { addBuilding, addFloors, addSite, changePlace, movePlace } from '../calls.ts'
import * as queries from './place-changes.queries.ts'
import { type FoundPlace, findPlace } from './places.queries.ts'

export interface Changing {
  administrator: Administrator
  now: Date
}

/** Saves rows by the rules of an import, which also writes the journal. Returns their uids. */
async function save(tx: Tx, { administrator, now }: Changing, rows: FormRows) {
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), rows, now })
  requireNone(changed)
  return changed.uids
}

/** A place within reach, under the lock of the directory. Throws `not_found`. */
async function holdPlace(tx: Tx, { administrator }: Changing, uid: PlaceUid): Promise<FoundPlace> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const found = await findPlace(tx, clientUid, uid, within(administrator).site)
  if (!found) throw new Refusal('not_found')
  return found
}

async function holdPlaceInUse(tx: Tx, changing: Changing, uid: PlaceUid, kind?: FoundPlace['kind']) {
  const found = await holdPlace(tx, changing, uid)
  if (found.retiredAt || (kind && found.kind !== kind)) throw new Refusal('not_found')
  return found
}

const inEvent = (site: string) =>
  new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`)

const tell = (tx: Tx, { administrator }: Changing, action: JournalAction, { kind, uid }: FoundPlace) =>
  record(tx, journalAdministrator(administrator), { action, subjectType: kind, subjectUid: uid })

/** The given code, or the first free one: 'S-001', 'B-001', 'F-001'. */
function codesFor(letter: string, given: readonly (string | undefined)[], used: readonly string[]): string[] {
  const taken = new Set([...used, ...given.map((code) => code?.trim())])
  let number = 0
  const free = () => {
    for (;;) {
      const code = `${letter}-${String(++number).padStart(3, '0')}`
      if (!taken.has(code)) return code
    }
  }
  return given.map((code) => code?.trim() || free())
}

/** A site belongs to the whole organisation. */
export async function makeSite(
  tx: Tx,
  changing: Changing,
  { name, code, timezone }: CallInput<typeof addSite>['body'],
): Promise<SiteUid> {
  const { clientUid, reach } = changing.administrator
  if (reach.kind !== 'organisation')
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation can add a site.')
  await holdDirectory(tx, clientUid)
  const [made = ''] = codesFor('S', [code], await queries.listCodes(tx, clientUid, 'site'))
  const { sites: [uid] = [] } = await save(tx, changing, {
    sites: [{ uid: null, code: made, name, timezone: timezone ?? '' }],
  })
  return uid as SiteUid
}

/** A building of a site in use. */
export async function makeBuilding(
  tx: Tx,
  changing: Changing,
  { site, name, code }: CallInput<typeof addBuilding>['body'],
): Promise<BuildingUid> {
  const { code: siteCode } = await holdPlaceInUse(tx, changing, site, 'site')
  const { clientUid } = changing.administrator
  const [made = ''] = codesFor('B', [code], await queries.listCodes(tx, clientUid, 'building'))
  const { buildings: [uid] = [] } = await save(tx, changing, {
    buildings: [{ uid: null, site: siteCode, code: made, name }],
  })
  return uid as BuildingUid
}

/** Floors or areas of a building in use. Those without a level go on top. */
export async function makeFloors(
  tx: Tx,
  changing: Changing,
  { building, kind, floors }: CallInput<typeof addFloors>['body'],
): Promise<FloorUid[]> {
  const { code } = await holdPlaceInUse(tx, changing, building, 'building')
  const { clientUid } = changing.administrator
  const given = floors.map((floor) => floor.code)
  const codes = codesFor('F', given, await queries.listCodes(tx, clientUid, 'floor', building))
  let top = (await queries.listLevels(tx, clientUid, building)).at(-1)?.level ?? -1
  const rows = floors.map(({ name, level }, n) => {
    top = level ?? top + 1
    return { uid: null, building: code, code: codes[n] ?? '', name, level: String(top), kind }
  })
  const { floors: uids = [] } = await save(tx, changing, { floors: rows })
  return uids as FloorUid[]
}

/** Name, code, kind of a floor, time zone of a site. Throws `changed_since` if someone else was faster. */
export async function change(
  tx: Tx,
  changing: Changing,
  uid: PlaceUid,
  body: CallInput<typeof changePlace>['body'],
): Promise<void> {
  const { version, name, code, kind, ...ofSite } = body
  const { timezone } = ofSite
  const found = await holdPlaceInUse(tx, changing, uid)
  if (found.version !== version) throw new Refusal('changed_since', `Someone else changed this at ${found.changedAt}.`)
  if (timezone !== undefined && timezone !== found.timezone && found.kind === 'site') {
    await lockSite(tx, found.siteUid)
    if (await queries.findEventOf(tx, changing.administrator.clientUid, found.siteUid)) throw inEvent(found.siteName)
  }
  const row = { uid, name, ...(code?.trim() && { code }) }
  if (found.kind === 'site') await save(tx, changing, { sites: [{ ...row, ...cellsOf(ofSite) }] })
  else if (found.kind === 'building') await save(tx, changing, { buildings: [row] })
  else await save(tx, changing, { floors: [{ ...row, ...(kind && { kind }) }] })
}

/** Puts a floor behind another one of its building, or first. Levels stay where the order allows it. */
export async function move(
  tx: Tx,
  changing: Changing,
  uid: PlaceUid,
  { after }: CallInput<typeof movePlace>['body'],
): Promise<void> {
  const found = await holdPlaceInUse(tx, changing, uid, 'floor')
  const { clientUid } = changing.administrator
  const before = await queries.listLevels(tx, clientUid, found.buildingUid as BuildingUid)
  const others = before.filter((floor) => floor.uid !== uid)
  const at = after === null ? 0 : others.findIndex((floor) => floor.uid === after) + 1
  if (after !== null && at === 0) throw new Refusal('not_found')
  const order = others.toSpliced(at, 0, ...before.filter((floor) => floor.uid === uid))
  const rows = levelsOf(
    order,
    before.map(({ level }) => level),
  )
  if (rows.length === 0) return
  const floors = rows.map(({ uid, level }) => ({ uid, level: String(level) }))
  await save(tx, changing, { floors })
}

/** The floors whose level changes. The levels of the building are given out anew, from the lowest, no two alike. */
function levelsOf(order: readonly { uid: FloorUid; level: number }[], levels: readonly number[]) {
  let last = Number.NEGATIVE_INFINITY
  return order
    .map(({ uid, level }, n) => {
      last = Math.max(levels[n] ?? 0, last + 1)
      return { uid, was: level, level: last }
    })
    .filter(({ was, level }) => was !== level)
}

/** Refused with each reason: an event, people, assignments, documents. */
export async function retire(tx: Tx, changing: Changing, uid: PlaceUid): Promise<void> {
  const { clientUid, reach } = changing.administrator
  const found = await holdPlaceInUse(tx, changing, uid)
  if (found.kind === 'site' && reach.kind !== 'organisation')
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation can retire a site.')
  await lockSite(tx, found.siteUid)
  if (await queries.findEventOf(tx, clientUid, found.siteUid)) throw inEvent(found.siteName)
  const uses = Object.entries(await queries.countUses(tx, clientUid, found)).filter(([, count]) => count > 0)
  if (uses.length > 0)
    throw new Refusal('in_use', sentenceOf(uses), undefined, { uses: uses.map(([what, count]) => ({ what, count })) })
  await queries.retire(tx, clientUid, uid)
  await tell(tx, changing, 'place_retired', found)
}

/**
 * Retires places as no one uses them any more, whatever the reach. Returns why the others stay. Call it under the lock of an
 * import, while no event runs.
 */
export async function retireUnused(
  tx: Tx,
  by: JournalActor,
  clientUid: ClientUid,
  uids: readonly PlaceUid[],
): Promise<Map<string, string>> {
  const stay = new Map<string, string>()
  for (const uid of uids) {
    const found = await findPlace(tx, clientUid, uid, sql`true`)
    if (!found || found.retiredAt) continue
    const uses = Object.entries(await queries.countUses(tx, clientUid, found)).filter(([, count]) => count > 0)
    if (uses.length > 0) stay.set(uid, sentenceOf(uses))
    else if (await queries.hasPlaces(tx, clientUid, uid)) stay.set(uid, 'This has places that are still in use.')
    else {
      await queries.retire(tx, clientUid, uid)
      await record(tx, by, { action: 'place_retired', subjectType: found.kind, subjectUid: uid })
    }
  }
  return stay
}

const sentenceOf = (uses: readonly [string, number][]) =>
  `This is still in use: ${uses.map(([what, count]) => `${count} ${count === 1 ? what.replace(/people/, 'person').replace(/s$/, '') : what}`).join(', ')}.`

/** Brings a place back with what was retired with it. Its name must be free. */
export async function bringBack(tx: Tx, changing: Changing, uid: PlaceUid): Promise<void> {
  const { clientUid } = changing.administrator
  const found = await holdPlace(tx, changing, uid)
  if (!found.retiredAt) return
  if (await queries.isWithinRetired(tx, clientUid, found))
    throw new Refusal('invalid_transition', 'Restore the building or site it belongs to first.')
  if (await queries.isNameUsed(tx, clientUid, found))
    throw new Refusal('taken', 'This name is already in use. Rename the other one first.', ['name'])
  await queries.bringBack(tx, clientUid, uid, found.retiredAt)
  await tell(tx, changing, 'place_brought_back', found)
}
