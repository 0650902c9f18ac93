import { longestReviewMonths } from '#kernel/console-kinds.ts'
import { columns } from '../../columns.ts'
import { type KnownPerson, uidOf } from '../files/code-index.ts'
import { todayIn } from '../files/dates.ts'
import { readCells } from '../files/kinds.ts'
import { learn, named, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import { namedPlace, type Place, readPlace, refuseRetired } from './places.ts'

export function readPerson(row: RowCells, reading: Reading) {
  const { known } = reading
  const cells = readCells(row, columns.people, reading)
  const { code, kind, active: isWanted } = cells
  const before = known.people.get(code)
  const place = readHome(row, kind, reading)
  const person = {
    ...cells,
    ...row.names(),
    line: row.line,
    uid: uidOf(known.people, code),
    // the stored value of a missing column stays
    email: row.has('email') ? cells.email : (before?.email ?? null),
    mobile: row.has('mobile') ? cells.mobile : (before?.mobile ?? null),
    primaryFloorUid: place?.floor?.uid ?? null,
    visitingBuildingUid: place && !place.floor ? place.building.uid : null,
    visitDate: readVisitDate(row, kind, place, reading),
    // who is to leave stays until everything else is written
    active: isWanted || before?.active === true,
    isWanted,
    ends: !isWanted && before?.active === true,
    accountUid: kind === 'staff' ? (before?.accountUid ?? null) : null,
    /** The stored account, also of a person who becomes a visitor and gives it up. */
    heldAccountUid: before?.accountUid ?? null,
    username: row.has('username') ? row.username('username') : undefined,
    password: row.password('password'),
  }
  if (kind === 'visitor') refuseAccount(row)
  if (isWanted) refuseRetiredHome(row, place, person.visitDate, reading)
  const entry: KnownPerson = {
    ...person,
    active: isWanted,
    accountUid: person.heldAccountUid,
    site: place?.building.site,
  }
  learn(known.people, code, entry, row)
  return person
}

/** Staff may have no floor. A visitor needs at least a building, so that a list shows them. */
function readHome(row: RowCells, kind: 'staff' | 'visitor', reading: Reading): Place | undefined {
  const text = row.plain('floor')
  if (text === '') {
    if (kind === 'visitor') row.problem('floor', 'is empty: a visitor needs BUILDING or BUILDING/FLOOR')
    return undefined
  }
  const place = readPlace(row, 'floor', text, reading)
  if (place && !place.floor && kind === 'staff') row.problem('floor', 'has no floor: write BUILDING/FLOOR')
  return place
}

/** Visitors of past days stay where they were. */
function refuseRetiredHome(row: RowCells, place: Place | undefined, visitDate: string | null, reading: Reading) {
  if (visitDate && visitDate < todayAt(place?.building.site, reading)) return
  if (place) refuseRetired(row, place.floor ?? place.building, namedPlace('floor', place)[0])
}

function readVisitDate(row: RowCells, kind: 'staff' | 'visitor', place: Place | undefined, reading: Reading) {
  if (kind === 'staff') {
    if (row.plain('visit_date') !== '') row.problem('visit_date', 'is for visitors only')
    return null
  }
  if (row.plain('visit_date') === '') row.problem('visit_date', 'is empty: a visitor needs a day')
  return row.date('visit_date', todayAt(place?.building.site, reading)) ?? null
}

/** The day at a site, or that of the organisation. */
const todayAt = (site: string | undefined, { known, now }: Reading): string =>
  todayIn(known.sites.get(site ?? '')?.timezone ?? known.client.timezone, now)

function refuseAccount(row: RowCells) {
  for (const column of ['username', 'password']) {
    if (row.plain(column) !== '') row.problem(column, 'is for staff only: a visitor does not sign in')
  }
}

/** A row with only empty texts ends the person's PEEP. */
export function readPeep(row: RowCells, reading: Reading) {
  const person = readPersonCode(row, reading)
  const code = person?.code ?? ''
  const before = reading.known.peeps.get(code)
  const uid = uidOf(reading.known.peeps, code)
  learn(reading.known.peeps, code, { consentOn: null, reviewOn: null, ...before, uid, code }, row, 'person')
  const cells = readCells(row, columns.peeps, reading)
  const today = todayAt(person?.site, reading)
  const consentOn = row.date('consent_on', today) ?? null
  const reviewOn = row.date('review_on', today) ?? null
  // stored days stay, also where today is earlier
  if (consentOn && consentOn > today && consentOn !== before?.consentOn) row.problem('consent_on', 'is after today')
  if (reviewOn && reviewOn > monthsAfter(today, longestReviewMonths) && reviewOn !== before?.reviewOn)
    row.problem('review_on', `is more than ${longestReviewMonths} months away`)
  const texts = [cells.disability, cells.assistance, cells.other, cells.summary]
  return {
    ...cells,
    uid,
    personUid: person?.uid ?? '',
    consentOn,
    reviewOn,
    active: texts.some((text) => text !== ''),
  }
}

/** The day so many months later, or the last day of that month. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** A person of this organisation, active unless the files have them as one who left. Otherwise undefined, with a problem. */
export function readPersonCode(row: RowCells, { known }: Reading): KnownPerson | undefined {
  const person = refer(known.people, row, 'person')
  // files that say themselves that the person has left tell of the past
  if (person && !person.active && person.line === undefined)
    row.misfit('person', `'${person.code}' is no longer active: add the person to people.csv`, [
      named('person', person),
    ])
  return person
}
