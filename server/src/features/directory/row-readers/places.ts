import { type KnownBuilding, type KnownFloor, uidOf } from '../files/known.ts'
import { learn, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'

export function readSite(row: RowCells, { known }: Reading) {
  const code = row.placeCode('code')
  const site = {
    uid: uidOf(known.sites, code),
    code,
    name: row.required('name'),
    timezone: row.has('timezone')
      ? row.timezone('timezone', known.client.timezone)
      : (known.sites.get(code)?.timezone ?? known.client.timezone),
  }
  learn(known.sites, code, { ...site, ...retired(known.sites.get(code)) }, row)
  return site
}

export function readBuilding(row: RowCells, { known }: Reading) {
  const site = refer(known.sites, row, 'site')
  const code = row.placeCode('code')
  const building = { uid: uidOf(known.buildings, code), code, name: row.required('name'), siteUid: site?.uid ?? '' }
  const before = known.buildings.get(code)
  if (!before?.isRetired) refuseRetired(row, 'site', site)
  learn(known.buildings, code, { ...building, site: site?.code ?? '', ...retired(before) }, row)
  return building
}

export function readFloor(row: RowCells, { known }: Reading) {
  const building = refer(known.buildings, row, 'building')
  const code = row.placeCode('code')
  const key = building && code ? `${building.code}/${code}` : ''
  const floor = {
    uid: uidOf(known.floors, key),
    code,
    name: row.required('name'),
    buildingUid: building?.uid ?? '',
    level: row.integer('level'),
    kind: row.word('kind', ['floor', 'area'], 'floor'),
  }
  const before = known.floors.get(key)
  if (!before?.isRetired) refuseRetired(row, 'building', building)
  learn(known.floors, key, { ...floor, building: building?.code ?? '', ...retired(before) }, row)
  return floor
}

const retired = (before: { isRetired?: true } | undefined) => (before?.isRetired ? { isRetired: true as const } : {})

/** PPL-21: a problem if a row would take a retired place into use. */
export function refuseRetired(row: RowCells, column: string, place: { code: string; isRetired?: true } | undefined) {
  if (place?.isRetired) row.problem(column, `'${place.code}' is retired`)
}

export interface Place {
  building: KnownBuilding
  floor: KnownFloor | undefined
}

/** Reads `BUILDING` or `BUILDING/FLOOR`. Undefined, with a problem, if there is no such place. */
export function readPlace(row: RowCells, column: string, text: string, { known }: Reading): Place | undefined {
  const [buildingCode = '', ...rest] = text.split('/').map((part) => part.trim())
  const floorCode = rest.join('/')
  const building = known.buildings.get(buildingCode)
  const floor = known.floors.get(`${buildingCode}/${floorCode}`)
  if (!building) row.unknown(column, buildingCode, 'building')
  else if (rest.length > 0 && !floor) row.unknown(column, text, 'floor')
  else return { building, floor }
  return undefined
}
