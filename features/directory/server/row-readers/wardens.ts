import { columns, longestText } from '../../columns.ts'
import { type KnownRole, type KnownSite, uidOf } from '../files/code-index.ts'
import { todayIn } from '../files/dates.ts'
import { readCells } from '../files/kinds.ts'
import { learn, named, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import { readPersonCode } from './people.ts'
import { namedPlace, readPlace, refuseRetired } from './places.ts'

export function readRole(row: RowCells, reading: Reading) {
  const { roles } = reading.known
  const cells = readCells(row, columns.roles, reading)
  const role = { ...cells, line: row.line, uid: uidOf(roles, cells.code) }
  learn(roles, role.code, role, row)
  return role
}

const { of: assignmentStatuses, empty: offered } = columns.assignments.status

/** A building or a floor, never both. */
export interface Location {
  buildingUid: string | null
  floorUid: string | null
}

export interface AssignmentRow {
  line: number
  /** `PERSON/ROLE/SITE`, as they stand in the row. */
  codes: string
  /** The stored assignment that a form means, null for a new one. Undefined for a row of a file. */
  uid: string | null | undefined
  person: string
  personUid: string
  roleUid: string
  siteUid: string
  dateFrom: string
  dateTo: string
  /** Today, at the site. */
  isInDate: boolean
  /** True if its last day at the site has passed. */
  isOver: boolean
  /** Undefined if the file lacks the column. */
  status: (typeof assignmentStatuses)[number] | undefined
  locations: Location[]
}

export function readAssignment(row: RowCells, reading: Reading): AssignmentRow {
  const { known, now } = reading
  const person = readPersonCode(row, reading)
  if (person?.kind === 'visitor')
    row.misfit('person', 'is a visitor: visitors cannot be wardens', [named('person', person)])
  const role = refer(known.roles, row, 'role')
  const site = refer(known.sites, row, 'site')
  const today = todayIn(site?.timezone ?? known.client.timezone, now)
  const dateFrom = readBound(row, 'date_from', today)
  const dateTo = readBound(row, 'date_to', today)
  if (dateFrom && dateTo && dateTo < dateFrom) row.problem('date_to', 'is before date_from')
  const status = row.has('status') ? row.word('status', assignmentStatuses, offered) : undefined
  const isPast = dateTo < today || status === 'Declined' || status === 'Withdrawn'
  return {
    line: row.line,
    codes: ['person', 'role', 'site'].map((column) => row.plain(column)).join('/'),
    uid: row.uid,
    person: person?.code ?? '',
    personUid: person?.uid ?? '',
    roleUid: role?.uid ?? '',
    siteUid: site?.uid ?? '',
    dateFrom,
    dateTo,
    isInDate: dateFrom <= today && today <= dateTo,
    isOver: dateTo < today,
    status,
    locations: role && site ? readLocations(row, role, site, { ...reading, isPast }) : [],
  }
}

function readBound(row: RowCells, column: string, today: string): string {
  if (row.plain(column) === '') row.problem(column, 'is empty')
  return row.date(column, today) ?? ''
}

/** No locations for a Site role, buildings for a Building role, floors and areas for the others. */
function readLocations(
  row: RowCells,
  role: KnownRole,
  site: KnownSite,
  reading: Reading & { isPast: boolean },
): Location[] {
  const domain = role.areaDomain
  const of = named('role', role)
  if (!reading.isPast) refuseRetired(row, site, named('site', site))
  const texts = row
    .text('locations', longestText)
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)
  if (domain === 'Site' && texts.length > 0)
    row.misfit('locations', 'must be empty: the role covers the whole site', [of])
  if (domain !== 'Site' && texts.length === 0) row.misfit('locations', `is empty: the role covers a ${domain}`, [of])
  const found = new Map<string, Location>()
  for (const text of new Set(texts)) {
    const place = readPlace(row, 'locations', text, reading)
    if (!place) continue
    const { building, floor } = place
    const at = namedPlace('locations', place)
    if (!reading.isPast) refuseRetired(row, floor ?? building, at[0])
    if (building.site !== site.code) row.misfit('locations', `'${text}' is not at the site`, at)
    if (domain === 'Building' && floor) row.misfit('locations', `'${text}': the role covers whole buildings`, [of])
    if ((domain === 'Floor' || domain === 'Area') && !floor)
      row.misfit('locations', `'${text}' has no floor: write BUILDING/FLOOR`, [of])
    found.set(floor?.uid ?? building.uid, { buildingUid: floor ? null : building.uid, floorUid: floor?.uid ?? null })
  }
  return [...found.values()]
}
