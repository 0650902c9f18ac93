import type { SiteUid } from '@evac/contract/ids.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { AreaDomain, Coded, Known, KnownPerson } from '../files/known.ts'
import { type HeldRow, listHeld, type TargetName, targets } from './write.queries.ts'

/** The stored rows of an organisation at the start of an import, by key. */
export type Held = { [N in TargetName]: ReadonlyMap<string, HeldRow<N>> }

/** Reads PEEPs only if a file has them, because nothing else needs them. */
export async function holdRows(db: Db, clientUid: string, withPlans: boolean): Promise<Held> {
  const held: Record<string, ReadonlyMap<string, unknown>> = {}
  for (const name of Object.keys(targets) as TargetName[]) {
    const rows = name === 'peep' && !withPlans ? [] : await listHeld(db, clientUid, name)
    held[name] = new Map(rows.map((row) => [(row as Record<string, string>)[targets[name].key] as string, row]))
  }
  return held as Held
}

/** Copies of the rows by code, which the files overlay. */
export function knownOf(held: Held): Omit<Known, 'client'> {
  const siteCodes = codesOf(held.site)
  const buildingCodes = codesOf(held.building)
  const personCodes = codesOf(held.person)
  const byCode = <R, K extends Coded>(rows: ReadonlyMap<string, R>, make: (row: R) => K) =>
    new Map([...rows.values()].map(make).map((entry) => [entry.code, entry]))
  const coded = (row: { uid: string; code: unknown }): Coded => ({ uid: row.uid, code: row.code as string })
  const named = (row: { uid: string; code: unknown; name: unknown }) => ({ ...coded(row), name: row.name as string })
  const floors = [...held.floor.values()].map((row) => ({
    ...named(row),
    building: buildingCodes.get(row.buildingUid as string) ?? '',
  }))
  return {
    sites: byCode(held.site, (row) => ({ ...named(row), uid: row.uid as SiteUid, timezone: row.timezone as string })),
    buildings: byCode(held.building, (row) => ({ ...named(row), site: siteCodes.get(row.siteUid as string) ?? '' })),
    floors: new Map(floors.map((floor) => [`${floor.building}/${floor.code}`, floor])),
    roles: byCode(held.role, (row) => ({ ...named(row), areaDomain: row.areaDomain as AreaDomain })),
    people: byCode(held.person, ({ uid, code, kind, active, accountUid, email, mobile }) => {
      return { uid, code, kind, active, accountUid, email, mobile } as KnownPerson
    }),
    peeps: byCode(held.peep, ({ uid, personUid }) => ({ uid, code: personCodes.get(personUid as string) ?? '' })),
    eventTypes: byCode(held.eventType, coded),
    floorStatuses: byCode(held.floorStatus, coded),
    templates: new Map(),
    documents: byCode(held.document, coded),
  }
}

const codesOf = (rows: ReadonlyMap<string, { code: unknown }>) =>
  new Map([...rows].map(([uid, { code }]) => [uid, code as string]))
