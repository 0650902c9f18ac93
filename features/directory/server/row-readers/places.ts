import { columns } from '../../columns.ts'
import { type KnownBuilding, type KnownFloor, uidOf } from '../files/code-index.ts'
import { findAlike } from '../files/find-alike.ts'
import { readCells } from '../files/kinds.ts'
import type { NamedRow } from '../files/problems.ts'
import { learn, named, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'

export function readSite(row: RowCells, reading: Reading) {
  const { sites } = reading.known
  const cells = readCells(row, columns.sites, reading)
  const before = sites.get(cells.code)
  const active = readInUse(row, cells, before)
  const timezone = row.has('timezone') ? cells.timezone : (before?.timezone ?? cells.timezone)
  const site = { ...cells, line: row.line, uid: uidOf(sites, cells.code), timezone, active }
  learn(sites, site.code, { ...site, ...retired(active) }, row)
  return site
}

export function readBuilding(row: RowCells, reading: Reading) {
  const { sites, buildings } = reading.known
  const site = refer(sites, row, 'site')
  const cells = readCells(row, columns.buildings, reading)
  const active = readInUse(row, cells, buildings.get(cells.code))
  const building = { ...cells, uid: uidOf(buildings, cells.code), siteUid: site?.uid ?? '', active }
  if (active && site) refuseRetired(row, site, named('site', site))
  learn(buildings, building.code, { ...building, site: site?.code ?? '', ...retired(active) }, row)
  return building
}

export function readFloor(row: RowCells, reading: Reading) {
  const { buildings, floors } = reading.known
  const building = refer(buildings, row, 'building')
  const cells = readCells(row, columns.floors, reading)
  const key = building && cells.code ? `${building.code}/${cells.code}` : ''
  const active = readInUse(row, cells, floors.get(key))
  const floor = { ...cells, uid: uidOf(floors, key), buildingUid: building?.uid ?? '', active }
  if (active && building) refuseRetired(row, building, named('building', building))
  learn(floors, key, { ...floor, building: building?.code ?? '', ...retired(active) }, row)
  return floor
}

const retired = (active: boolean) => (active ? {} : { isRetired: true as const })

/**
 * An export brings retired places along. A stored place is retired and brought back by the console alone, which
 * looks at who is there.
 */
function readInUse(row: RowCells, cells: { active: boolean }, before: { isRetired?: true } | undefined): boolean {
  const was = !before?.isRetired
  const active = row.has('active') ? cells.active : was
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
