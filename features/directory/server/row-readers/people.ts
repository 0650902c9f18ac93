import { longestReviewMonths, planConsents } from '#kernel/console-kinds.ts'
import { type KnownPerson, type KnownPlan, uidOf } from '../files/code-index.ts'
import { todayIn } from '../files/dates.ts'
import { learn, named, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import { namedPlace, type Place, readPlace, refuseRetired } from './places.ts'

export function readPerson(row: RowCells, reading: Reading) {
  const { known } = reading
  const code = row.required('code')
  const before = known.people.get(code)
  const isWanted = row.yesNo('active', true)
  const kind = row.word('kind', ['staff', 'visitor'], 'staff')
  const place = readHome(row, kind, reading)
  const person = {
    line: row.line,
    uid: uidOf(known.people, code),
    code,
    firstName: row.required('first_name'),
    lastName: row.required('last_name'),
    // the stored value of a missing column stays
    email: row.has('email') ? row.email('email') : (before?.email ?? null),
    mobile: row.has('mobile') ? row.mobile('mobile', known.client.country) : (before?.mobile ?? null),
    isClientMaster: row.yesNo('is_client_master', false),
    kind,
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
  const texts = {
    disability: row.lines('disability'),
    assistance: row.lines('assistance'),
    other: row.lines('other'),
    summary: row.lines('summary'),
  }
  return {
    ...{ uid, personUid: person?.uid ?? '' },
    ...texts,
    ...readAgreement(row, todayAt(person?.site, reading), before),
    fireService: row.plain('fire_service') === '' ? null : row.yesNo('fire_service', false),
    active: Object.values(texts).some((text) => text !== ''),
  }
}

/** Who agreed, and when the plan is looked at again. Null where nothing is recorded. Stored days stay, also where today is earlier. */
function readAgreement(row: RowCells, today: string, before: KnownPlan | undefined) {
  const consentOn = row.date('consent_on', today) ?? null
  const reviewOn = row.date('review_on', today) ?? null
  if (consentOn && consentOn > today && consentOn !== before?.consentOn) row.problem('consent_on', 'is after today')
  if (reviewOn && reviewOn > monthsAfter(today, longestReviewMonths) && reviewOn !== before?.reviewOn)
    row.problem('review_on', `is more than ${longestReviewMonths} months away`)
  const consent = row.plain('consent') === '' ? null : row.word('consent', planConsents)
  return { consent, consentOn, reviewOn }
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
