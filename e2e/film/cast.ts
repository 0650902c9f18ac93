import { type FloorData, getFloorData } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import { onDuty, signIn } from '../../rig/api.ts'
import { importFiles } from '../../rig/import-files.ts'
import { password } from '../../rig/organisation.ts'
import { catalogueFiles, eventTypeFile } from '../../rig/organisation-files.ts'
import type { Product } from '../../rig/product.ts'

const site = 'Harbour Works'
/** By the letter of a building: its name, and its floors from 1 up. */
const buildings = { N: ['North Tower', 12], S: ['South Tower', 12], L: ['Laboratory', 4] } as const
type Letter = keyof typeof buildings
export type FloorCode = `${Letter}${number}`
const letters = Object.keys(buildings) as Letter[]
export const buildingNames: readonly string[] = letters.map((letter) => buildings[letter][0])
export const floorCodes: FloorCode[] = letters.flatMap((letter) =>
  upTo(buildings[letter][1]).map((n) => `${letter}${n}` as const),
)
const peopleOfFloor = 9

const firstNames = [
  'Amara',
  'Bruno',
  'Chen',
  'Dara',
  'Elif',
  'Farid',
  'Gita',
  'Hugo',
  'Ines',
  'Jonas',
  'Keiko',
  'Lars',
  'Mina',
]
const lastNames = [
  'Adeyemi',
  'Castillo',
  'Liu',
  'Nolan',
  'Demir',
  'Haddad',
  'Menon',
  'Lind',
  'Ortiz',
  'Pham',
  'Quist',
  'Rossi',
  'Sato',
  'Tran',
  'Usman',
  'Vogel',
  'Weber',
]
const nameOf = (n: number) => `${firstNames[n % firstNames.length]},${lastNames[(n * 7) % lastNames.length]}`

export const emailOf = (code: string) => `${code.toLowerCase()}@film.test`
/** Two wardens of a floor: N7 and N7b. */
export const wardensOf = (floor: FloorCode) => [floor, `${floor}b`] as const

/** Three buildings of 28 floors and 252 people, nine with a plan. Of 60 wardens two are managers. */
export async function importCast(product: Product): Promise<void> {
  const floorModules =
    'Floor_Evacuation Evacuee_Safety Floor_Evacuation_Status Wardens_On_Duty Warden_Messaging My_Messages'
  const at = (floor: FloorCode) => `${floor[0]}/${floor.slice(1)}`
  const wardens = floorCodes.flatMap((floor) => wardensOf(floor).map((code) => ({ code, floor })))
  const leaders = [
    ['chief', 'Grace,Okafor', 'CW', ''],
    ['deputy', 'Daniel,Reyes', 'CW', ''],
    ['north', 'Nora,Blum', 'BW', 'N'],
    ['south', 'Sami,Frost', 'BW', 'S'],
  ] as const
  const person = (code: string, name: string, mobile: string, floor: FloorCode, account = true) =>
    `${code},${name},${account ? emailOf(code) : ''},${mobile},${account ? password : ''},${at(floor)},staff,`
  const assignment = (code: string, role: string, where: string) =>
    `${code},${role},H,${where},2020-01-01,2099-12-31,Accepted`
  await importFiles(product, {
    ...catalogueFiles,
    event_types: eventTypeFile([]),
    organisation: ['code,name,sms_allowed,timezone,country', `film,${site},yes,Australia/Sydney,AU`],
    sites: ['code,name,timezone', `H,${site},Australia/Sydney`],
    buildings: ['site,code,name', ...letters.map((letter) => `H,${letter},${buildings[letter][0]}`)],
    floors: [
      'building,code,name,level,kind',
      ...floorCodes.map((floor) => `${floor[0]},${floor.slice(1)},Level ${floor.slice(1)},${floor.slice(1)},floor`),
    ],
    roles: [
      ...(catalogueFiles.roles ?? []),
      `BW,Building Warden,Building,${floorModules} Floor_Warden_Status Building_Evacuation_Status`,
    ] as never,
    people: [
      'code,first_name,last_name,email,mobile,password,floor,kind,visit_date',
      ...leaders.map(([code, name], n) => person(code, name, `049190010${n}`, 'N1')),
      ...wardens.map(({ code, floor }, n) =>
        person(code, nameOf(n + 300), `04919002${String(n).padStart(2, '0')}`, floor),
      ),
      ...floorCodes.flatMap((floor, f) =>
        upTo(peopleOfFloor).map((n) =>
          person(
            `p${f}x${n}`,
            nameOf(f * peopleOfFloor + n),
            `0493${String(f * peopleOfFloor + n).padStart(6, '0')}`,
            floor,
            false,
          ),
        ),
      ),
    ],
    peeps: [
      'person,disability,assistance,other,summary',
      ...[0, 3, 6, 9, 12, 15, 18, 21, 24].map(
        (f) => `p${f}x1,Uses a wheelchair,Evacuation chair and two helpers,,Wheelchair`,
      ),
    ],
    assignments: [
      'person,role,site,locations,date_from,date_to,status',
      ...leaders.map(([code, , role, where]) => assignment(code, role, where)),
      ...wardens.map(({ code, floor }) => assignment(code, 'FW', at(floor))),
    ],
  })
}

/** A warden's phone without a screen. */
export interface Phone {
  code: string
  call: Call
}

export const phoneOf = async (product: Product, code: string): Promise<Phone> => ({
  code,
  call: await onDuty(product, emailOf(code)),
})

/** The manager before the event, so not on duty. */
export const managerOf = (product: Product, code: string): Promise<Call> => signIn(product, emailOf(code))

/** What the warden's floor page shows of their floor, or of another one. */
export async function floorOf({ call }: Phone, floor?: string) {
  const query = floor === undefined ? {} : { floor: floor as never }
  const { input, persons, floor_status } = (await call(getFloorData, { query })) as FloorData
  const statusNamed = (name: string) => floor_status.find((status) => status.name === name)?.id as never
  return { floorId: input.floor as never, persons, statusNamed }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1)
}
