import type { CsvFiles } from './import-files.ts'

const occupants = 30
const occupantNames = [
  'Amara Adeyemi',
  'Bruno Castillo',
  'Chen Liu',
  'Dara Nolan',
  'Elif Demir',
  'Farid Haddad',
  'Gita Menon',
  'Hugo Lind',
]
const floorModules =
  'Floor_Evacuation Evacuee_Safety Floor_Evacuation_Status Wardens_On_Duty Warden_Messaging My_Messages'

/** Addresses and numbers of one organisation. */
export interface Identity {
  tag: string
  password: string
  emailOf: (who: string) => string
  /** As typed in Australia. */
  wardenMobile: (n: number) => string
  /** Digits with the country code. */
  occupantMobile: (n: number) => string
}

const floorsOfBlock = 40
/** Numbers from 1. */
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** Two towers of four floors, and so many blocks of 40 floors. */
export const placeFiles = (tag: string, site: string, blocks: number): CsvFiles => ({
  organisation: ['code,name,sms_allowed,timezone,country', `${tag},Organisation ${tag},yes,Australia/Sydney,AU`],
  sites: ['code,name,timezone', `S,${site},Australia/Sydney`],
  buildings: ['site,code,name', 'S,A,Tower A', 'S,B,Tower B', ...upTo(blocks).map((n) => `S,X${n},Block ${n}`)],
  floors: [
    'building,code,name,level,kind',
    'A,G,Ground,0,floor',
    'A,1,Level 1,1,floor',
    'A,2,Level 2,2,floor',
    'B,G,Ground,0,floor',
    ...upTo(blocks).flatMap((n) => upTo(floorsOfBlock).map((level) => `X${n},${level},Level ${level},${level},floor`)),
  ],
})

/** Two types in which people leave, and others. */
export const eventTypeFile = (others: readonly string[]): [string, ...string[]] => [
  'code,type,description,message,action,where',
  'FIRE,Fire,Fire or smoke,Fire alarm. Evacuate now.,,',
  'GAS,Gas Leak,Gas,Gas leak. Leave now.,,',
  ...others,
]

/** What every organisation of a test has: roles, statuses and templates. */
export const catalogueFiles: CsvFiles = {
  roles: [
    'code,name,area_domain,modules',
    `CW,Chief Warden,Site,${floorModules} Event_Management Event_Records Floor_Warden_Status Building_Evacuation_Status`,
    `FW,Floor Warden,Floor,${floorModules}`,
  ],
  floor_statuses: [
    'code,name,colour,display_order,in_use',
    'NS,Not Started,grey,1,yes',
    'EV,Evacuating,yellow,2,yes',
    'DN,Evacuated,green,3,yes',
  ],
  templates: [
    'code,type,text,automated_response',
    'T1,Evacuee,"Are you out of the building? Reply 1 if safe, 2 if you need help.",1',
    'T2,Warden,Report your floor to the panel.,0',
  ],
}

/** The wardens of the assignments, thirty occupants of Level 1 (two with a PEEP), three elsewhere, and visitors. */
export const peopleFiles = (identity: Identity, furtherWardens: number, visitors: readonly string[]): CsvFiles => ({
  people: [
    'code,first_name,last_name,email,mobile,password,floor,kind,visit_date',
    ...wardenRows(identity),
    ...Array.from({ length: occupants }, (_, n) => occupantRow(identity, n)),
    ...Array.from({ length: furtherWardens }, (_, n) => furtherWardenRow(identity, n)),
    'p1,Petra,Quiet,,,,A/2,staff,',
    'p2,Quentin,Ross,,,,A/2,staff,',
    'b1,Rosa,Stone,,,,B/G,staff,',
    ...visitors.map((name, n) => `v${n},${name.replace(' ', ',')},,,,A,visitor,today`),
  ],
  peeps: [
    'person,disability,assistance,other,summary',
    'o0,Uses a wheelchair,Evacuation chair and two helpers,Sits near the west stair,Wheelchair',
    'o1,Low vision,A guide to the assembly point,,Low vision',
  ],
})

function wardenRows({ emailOf, wardenMobile, password }: Identity): string[] {
  const row = (code: string, name: string, floor: string, n: number) =>
    `${code},${name},${emailOf(code)},${wardenMobile(n)},${password},${floor},staff,`
  return [
    row('chief', 'Grace,Chief', 'A/G', 1),
    row('deputy', 'Daniel,Deputy', 'A/G', 2),
    row('floor1', 'Oliver,Level One', 'A/1', 3),
    row('floor2', 'Aisha,Level Two', 'A/2', 4),
    row('towerb', 'Lucas,Tower B', 'B/G', 5),
    row('newcomer', 'Nadia,Newcomer', 'A/2', 6),
  ]
}

function occupantRow({ occupantMobile }: Identity, n: number): string {
  const [first, last] = (occupantNames[n % occupantNames.length] as string).split(' ')
  return `o${n},${first},${last} ${String(n + 1).padStart(2, '0')},,0${occupantMobile(n).slice(2)},,A/1,staff,`
}

function furtherWardenRow({ emailOf, password }: Identity, n: number): string {
  const [email, word] = n === 0 ? [emailOf('further'), password] : ['', '']
  return `w${n},Further,Warden ${n},${email},0492${100_000 + n},${word},A/G,staff,`
}

export function assignmentFile(furtherWardens: number): CsvFiles {
  const row = (person: string, role: string, floor: string, status = 'Accepted') =>
    `${person},${role},S,${floor},2020-01-01,2099-12-31,${status}`
  return {
    assignments: [
      'person,role,site,locations,date_from,date_to,status',
      row('chief', 'CW', ''),
      row('deputy', 'CW', ''),
      row('floor1', 'FW', 'A/1'),
      row('floor2', 'FW', 'A/2'),
      row('towerb', 'FW', 'B/G'),
      row('newcomer', 'FW', 'A/2', 'Offered'),
      ...Array.from({ length: furtherWardens }, (_, n) => row(`w${n}`, 'FW', 'A/G')),
    ],
  }
}
