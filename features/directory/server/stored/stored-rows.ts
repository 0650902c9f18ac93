import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Coded, Known } from '../files/code-index.ts'
import {
  type ExistingAssignment,
  findClient,
  listAssignments,
  listMembers,
  listReachedGroups,
} from './load-code-index.queries.ts'
import { type HeldRow, listHeld, type TargetName, targets } from './write.queries.ts'

/** Stored rows of an organisation at the start of a change, by key. */
export type Held = { [N in TargetName]: ReadonlyMap<string, HeldRow<N>> }

export type StoredClient = Awaited<ReturnType<typeof findClient>>

/** What rows are checked against and compared with: all that the organisation has, or what the rows name. */
export interface Stored {
  /** Undefined for a new organisation. */
  client: StoredClient
  held: Held
  /** A copy of `held` by code, which the rows overlay. */
  known: Known
  assignments: readonly ExistingAssignment[]
  /** People by group. */
  members: ReadonlyMap<string, ReadonlySet<string>>
}

/** Everything that the organisation has. Plans, assignments and members only if the tables have them: nothing else needs them. */
export async function loadAll(
  db: Db,
  row: { code: string; timezone: string; country: string },
  given: { columns: ReadonlySet<string>; plans: boolean; assignments: boolean; members: boolean },
): Promise<Stored> {
  const client = await findClient(db, row.code)
  const timezone = given.columns.has('timezone') || !client ? row.timezone : client.timezone
  const country = given.columns.has('country') || !client ? row.country : client.country
  const uid = client?.uid ?? (crypto.randomUUID() as string as ClientUid)
  const held: Record<string, readonly unknown[]> = {}
  for (const name of Object.keys(targets) as TargetName[])
    held[name] = name === 'peep' && !given.plans ? [] : await listHeld(db, uid, name)
  const assignments = given.assignments ? await listAssignments(db, uid) : []
  const members = given.members ? await listMembers(db, uid) : new Map()
  const own = { uid, code: row.code, timezone, country }
  const stored = storedOf({ client, held: byKey(held as RowsOf), assignments, members }, own)
  const reached = await listReachedGroups(db, uid)
  for (const group of stored.known.groups.values()) if (reached.has(group.uid)) group.isReach = true
  return stored
}

export const storedOf = (stored: Omit<Stored, 'known'>, client: Known['client']): Stored => ({
  ...stored,
  known: { client, ...knownOf(stored.held) },
})

export type RowsOf = { [N in TargetName]: readonly HeldRow<N>[] }

export function byKey(rows: RowsOf): Held {
  const held: Record<string, ReadonlyMap<string, unknown>> = {}
  for (const name of Object.keys(targets) as TargetName[]) held[name] = new Map(rows[name].map((row) => [row.uid, row]))
  return held as Held
}

/** Copies of the rows by code. */
function knownOf(held: Held): Omit<Known, 'client'> {
  const siteCodes = codesOf(held.site)
  const buildingCodes = codesOf(held.building)
  const personCodes = codesOf(held.person)
  const byCode = <R, K extends Coded>(rows: ReadonlyMap<string, R>, make: (row: R) => K) =>
    new Map([...rows.values()].map(make).map((entry) => [entry.code, entry]))
  const coded = ({ uid, code }: Coded): Coded => ({ uid, code })
  const named = ({ uid, code, name, active }: Coded & { name: string; active: boolean }) => ({
    uid,
    code,
    name,
    ...(!active && { isRetired: true as const }),
  })
  const floors = [...held.floor.values()].map((row) => ({
    ...named(row),
    building: buildingCodes.get(row.buildingUid) ?? '',
  }))
  return {
    sites: byCode(held.site, (row) => ({ ...named(row), uid: row.uid as SiteUid, timezone: row.timezone })),
    buildings: byCode(held.building, (row) => ({ ...named(row), site: siteCodes.get(row.siteUid) ?? '' })),
    floors: new Map(floors.map((floor) => [`${floor.building}/${floor.code}`, floor])),
    roles: byCode(held.role, (row) => ({ ...named(row), areaDomain: row.areaDomain })),
    people: byCode(held.person, ({ uid, code, kind, active, accountUid, email, mobile, ...home }) => {
      const floor = held.floor.get(home.primaryFloorUid ?? '')
      const building = held.building.get(floor?.buildingUid ?? home.visitingBuildingUid ?? '')
      return { uid, code, kind, active, accountUid, email, mobile, site: siteCodes.get(building?.siteUid ?? '') }
    }),
    groups: byCode(held.group, named),
    peeps: byCode(held.peep, ({ uid, personUid, consentOn, reviewOn }) => ({
      uid,
      code: personCodes.get(personUid) ?? '',
      consentOn,
      reviewOn,
    })),
    eventTypes: byCode(held.eventType, coded),
    floorStatuses: byCode(held.floorStatus, coded),
    checklist: byCode(held.checklistItem, (row) => named({ ...row, name: row.text })),
    templates: byCode(held.template, coded),
    documents: byCode(held.document, coded),
  }
}

const codesOf = (rows: ReadonlyMap<string, { code: string }>) =>
  new Map([...rows].map(([uid, { code }]) => [uid, code]))
