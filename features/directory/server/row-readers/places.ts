import { type KnownBuilding, type KnownFloor, uidOf } from '../files/code-index.ts'
import { findAlike } from '../files/find-alike.ts'
import type { NamedRow } from '../files/problems.ts'
import { learn, named, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'

export function readSite(row: RowCells, { known }: Reading) {
  const code = row.placeCode('code')
  const active = readInUse(row, known.sites.get(code))
  const site = {
    line: row.line,
    uid: uidOf(known.sites, code),
    code,
    name: row.required('name'),
    timezone: row.has('timezone')
      ? row.timezone('timezone', known.client.timezone)
      : (known.sites.get(code)?.timezone ?? known.client.timezone),
    drillEveryDays: row.count('drill_every_days', 7, 1_825) ?? 365,
    drillShifts: row.shifts('drill_shifts'),
    active,
  }
  learn(known.sites, code, { ...site, ...retired(active) }, row)
  return site
}

export function readBuilding(row: RowCells, { known }: Reading) {
  const site = refer(known.sites, row, 'site')
  const code = row.placeCode('code')
  const active = readInUse(row, known.buildings.get(code))
  const own = { uid: uidOf(known.buildings, code), code, name: row.required('name') }
  const building = { ...own, siteUid: site?.uid ?? '', active }
  if (active && site) refuseRetired(row, site, named('site', site))
  learn(known.buildings, code, { ...building, site: site?.code ?? '', ...retired(active) }, row)
  return building
}

export function readFloor(row: RowCells, { known }: Reading) {
  const building = refer(known.buildings, row, 'building')
  const code = row.placeCode('code')
  const key = building && code ? `${building.code}/${code}` : ''
  const active = readInUse(row, known.floors.get(key))
  const floor = {
    uid: uidOf(known.floors, key),
    code,
    name: row.required('name'),
    buildingUid: building?.uid ?? '',
    level: row.integer('level'),
    kind: row.word('kind', ['floor', 'area'], 'floor'),
    active,
  }
  if (active && building) refuseRetired(row, building, named('building', building))
  learn(known.floors, key, { ...floor, building: building?.code ?? '', ...retired(active) }, row)
  return floor
}

const retired = (active: boolean) => (active ? {} : { isRetired: true as const })

/**
 * An export brings retired places along. A stored place is retired and brought back by the console alone, which
 * looks at who is there.
 */
function readInUse(row: RowCells, before: { isRetired?: true } | undefined): boolean {
  const was = !before?.isRetired
  const active = row.has('active') ? row.yesNo('active', true) : was
  if (before && active !== was)
    row.problem(
      'active',
      was ? 'ends a place in use: retire it in the console' : 'reopens a retired place: restore it in the console',
    )
  return active
}

/** A problem if a row would take a retired place into use. */
export function refuseRetired(row: RowCells, place: { code: string; isRetired?: true }, as: NamedRow) {
  if (place.isRetired) row.misfit(as.column, `'${place.code}' is retired`, [as])
}

/** For a misfit: the rows of a place that a cell names, its floor first. */
export function namedPlace(column: string, { building, floor }: Place): [NamedRow, ...NamedRow[]] {
  const ofBuilding: NamedRow = { column, kind: 'building', code: building.code, line: building.line }
  if (!floor) return [ofBuilding]
  return [{ column, kind: 'floor', code: `${building.code}/${floor.code}`, line: floor.line }, ofBuilding]
}

export interface Place {
  building: KnownBuilding
  floor: KnownFloor | undefined
}

/** Reads `BUILDING` or `BUILDING/FLOOR`. Undefined, with a problem, if there is no such place. */
export function readPlace(row: RowCells, column: string, text: string, { known }: Reading): Place | undefined {
  const [buildingCode = '', ...rest] = text.split('/').map((part) => part.trim())
  const floorCode = rest.join('/')
  const building = findAlike(known.buildings, buildingCode)
  const floor = building && findAlike(known.floors, `${building.code}/${floorCode}`)
  if (!building) row.unknown(column, buildingCode, 'building')
  else if (rest.length > 0 && !floor) row.unknown(column, text, 'floor')
  else return { building, floor }
  return undefined
}
