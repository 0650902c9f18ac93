import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// Writes the CSV files of an invented organisation of any size (docs/import-format.md). The same arguments give the
// same files.

const usage =
  'Usage: node scripts/make-organisation.mjs FOLDER [--code BIG] [--sites 3] [--buildings 20] [--people 50000] [--mobiles 0492] [--password TEXT]'

const perFloor = 100
const givenNames = words(
  'Ada Bao Chidi Dalia Emil Farah Goran Hina Ines Jomo Keiko Lars Mona Nils Oona Pablo Qiu Rana Sami Tala',
)
const familyNames = words(
  'Abara Brandt Cho Diaz Eriksen Fofana Gupta Hakimi Ivanova Jones Kaya Lopes Mori Nunes Osei Park',
)
const floorModules =
  'Floor_Evacuation Evacuee_Safety Floor_Evacuation_Status Wardens_On_Duty Warden_Messaging My_Messages'
const allModules = `${floorModules} Event_Management Floor_Warden_Status Building_Evacuation_Status`
/** The same in every organisation. */
const catalogue = {
  roles: [
    ['code', 'name', 'area_domain', 'modules'],
    ['CHIEF', 'Chief Warden', 'Site', allModules],
    ['FLOOR', 'Floor Warden', 'Floor', floorModules],
  ],
  event_types: [
    ['code', 'type', 'description', 'message'],
    ['FIRE', 'Fire', 'Fire or smoke', 'Leave now by the nearest exit.'],
  ],
  floor_statuses: [
    ['code', 'name', 'colour', 'display_order', 'in_use'],
    ['NOT_STARTED', 'Not Started', 'grey', 1, 'yes'],
    ['EVACUATING', 'Evacuating', 'yellow', 2, 'yes'],
    ['EVACUATED', 'Evacuated', 'green', 3, 'yes'],
    ['ASSISTANCE', 'Assistance Required', 'red', 4, 'yes'],
  ],
}
const personColumns = words(
  'code first_name last_name email username mobile password floor kind visit_date is_client_master',
)

main()

function main() {
  const options = readArguments()
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  mkdirSync(options.folder, { recursive: true })
  for (const [file, rows] of Object.entries(makeFiles(options)))
    writeFileSync(join(options.folder, `${file}.csv`), rows.map((row) => `${row.map(quote).join(',')}\n`).join(''))
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      code: { type: 'string', default: 'BIG' },
      sites: { type: 'string', default: '3' },
      buildings: { type: 'string', default: '20' },
      people: { type: 'string', default: '50000' },
      // the first four digits; two organisations with the same digits in one database share their wardens' accounts
      mobiles: { type: 'string', default: '0492' },
      password: { type: 'string', default: '' },
    },
  })
  const [sites, buildings, people] = [values.sites, values.buildings, values.people].map(Number)
  const isSane = [sites, buildings, people].every((n) => Number.isInteger(n) && n > 0) && buildings >= sites
  if (positionals.length !== 1 || !isSane) return undefined
  return { ...values, folder: positionals[0], sites, buildings, people }
}

function makeFiles({ code, sites, buildings, people, mobiles, password }) {
  const siteCodes = range(sites).map((n) => `S${n + 1}`)
  const buildingCodes = range(buildings).map((n) => `B${n + 1}`)
  const siteOf = (building) => siteCodes[buildingCodes.indexOf(building) % sites]
  const floors = makeFloors(buildingCodes, people)
  const staff = makeStaff(people, floors)
  // the first people are one warden a floor, and the first warden of a site is its chief
  const wardens = staff.slice(0, floors.length)
  const chiefs = siteCodes.map((site) => wardens.find(({ floor }) => siteOf(floor.building) === site))
  return {
    organisation: [
      ['code', 'name', 'sms_allowed', 'timezone', 'country'],
      [code, `Organisation ${code}`, 'yes', 'Australia/Sydney', 'AU'],
    ],
    sites: [['code', 'name', 'timezone'], ...siteCodes.map((site, n) => [site, `Site ${n + 1}`, 'Australia/Sydney'])],
    buildings: [['site', 'code', 'name'], ...buildingCodes.map((b, n) => [siteOf(b), b, `Building ${n + 1}`])],
    floors: [['building', 'code', 'name', 'level', 'kind'], ...floors.map(floorRow)],
    ...catalogue,
    people: [
      personColumns,
      ...staff.map((person) => personRow(person, code, mobiles, person.n < wardens.length ? password : '')),
    ],
    peeps: [
      ['person', 'disability', 'assistance', 'other', 'summary'],
      ...staff.filter(({ n }) => n % 80 === 79).map(peepRow),
    ],
    assignments: [
      ['person', 'role', 'site', 'locations', 'date_from', 'date_to', 'status'],
      ...wardens.map((person) => assignmentRow(person, siteOf(person.floor.building), chiefs.includes(person))),
    ],
  }
}

function makeFloors(buildings, people) {
  const floorsEach = Math.max(1, Math.ceil(people / buildings.length / perFloor))
  return buildings.flatMap((building) => range(floorsEach).map((level) => ({ building, code: `L${level}`, level })))
}

function makeStaff(people, floors) {
  return range(people).map((n) => {
    const floor = floors[n % floors.length]
    return { code: `P${n + 1}`, n, floor, place: `${floor.building}/${floor.code}` }
  })
}

function floorRow({ building, code, level }) {
  return [building, code, level === 0 ? 'Ground' : `Level ${level}`, level, 'floor']
}

function peepRow({ code }) {
  const assistance = 'Evacuation chair, two helpers'
  return [code, 'Uses a wheelchair', assistance, '', assistance]
}

function assignmentRow({ code, place }, site, isChief) {
  return [code, isChief ? 'CHIEF' : 'FLOOR', site, isChief ? '' : place, '2020-01-01', '2099-12-31', 'Accepted']
}

function personRow({ code: person, n, place }, organisation, mobiles, password) {
  const first = givenNames[n % givenNames.length]
  const last = `${familyNames[Math.floor(n / givenNames.length) % familyNames.length]} ${n + 1}`
  const email = `${person}@${organisation}.test`.toLowerCase()
  const mobile = n < 1_000_000 ? `${mobiles}${String(n).padStart(6, '0')}` : ''
  return [person, first, last, email, '', mobile, password, place, 'staff', '', 'no']
}

function words(text) {
  return text.split(' ')
}

function range(length) {
  return Array.from({ length }, (_, n) => n)
}

function quote(value) {
  const text = String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
