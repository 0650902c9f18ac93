import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from './product.ts'

export const password = 'evacuate1'

export interface TestOrganisation {
  site: string
  chief: string
  deputy: string
  /** Floor wardens of Tower A Level 1, Tower A Level 2 and Tower B Ground. */
  floor1: string
  floor2: string
  towerB: string
  /** Has been offered Tower A Level 2, and has not answered. */
  newcomer: string
  newcomerMobile: string
  /** The first of `furtherWardens`. */
  furtherWarden: string
  /** Digits with the country code of the n-th occupant of Level 1, counted from 0. */
  occupantMobile: (n: number) => string
  /** Mobile of the Level 1 warden, as typed in Australia. */
  floor1Mobile: string
}

let made = 0
const names = [
  'Amara Adeyemi',
  'Bruno Castillo',
  'Chen Liu',
  'Dara Nolan',
  'Elif Demir',
  'Farid Haddad',
  'Gita Menon',
  'Hugo Lind',
]

interface OrganisationOver {
  site?: string
  /** Further Floor Wardens of Tower A Ground, each with a mobile; the first can sign in. */
  furtherWardens?: number
}

/** An organisation nobody else uses, loaded by the importer: one site, two towers, six wardens, 33 occupants. */
export async function importOrganisation(
  product: Pick<Product, 'import'>,
  over: OrganisationOver = {},
): Promise<TestOrganisation> {
  const tag = `t${process.pid}x${++made}`
  const site = over.site ?? `Wharf ${tag}`
  const at = (who: string) => `${who}@${tag}.test`
  const mobile = (n: number) =>
    `0491${String((process.pid % 100) * 100 + made).padStart(4, '0')}${String(n).padStart(2, '0')}`
  const occupantMobile = (n: number) => `61493${String((process.pid % 100) * 10_000 + made * 40 + n).padStart(6, '0')}`
  const folder = mkdtempSync(join(tmpdir(), 'evac-org-'))
  const file = (name: string, ...lines: string[]) => writeFileSync(join(folder, `${name}.csv`), `${lines.join('\n')}\n`)

  file('organisation', 'code,name,sms_allowed,timezone,country', `${tag},Organisation ${tag},yes,Australia/Sydney,AU`)
  file('sites', 'code,name,timezone', `S,${site},Australia/Sydney`)
  file('buildings', 'site,code,name', 'S,A,Tower A', 'S,B,Tower B')
  file(
    'floors',
    'building,code,name,level,kind',
    'A,G,Ground,0,floor',
    'A,1,Level 1,1,floor',
    'A,2,Level 2,2,floor',
    'B,G,Ground,0,floor',
  )
  const modules = 'Floor_Evacuation Evacuee_Safety Floor_Evacuation_Status Wardens_On_Duty Warden_Messaging My_Messages'
  file(
    'roles',
    'code,name,area_domain,modules',
    `CW,Chief Warden,Site,${modules} Event_Management Floor_Warden_Status Building_Evacuation_Status`,
    `FW,Floor Warden,Floor,${modules}`,
  )
  file(
    'floor_statuses',
    'code,name,colour,display_order,in_use',
    'NS,Not Started,grey,1,yes',
    'EV,Evacuating,yellow,2,yes',
    'DN,Evacuated,green,3,yes',
  )
  file(
    'event_types',
    'code,type,description,message',
    'FIRE,Fire,Fire or smoke,Fire alarm. Evacuate now.',
    'GAS,Gas Leak,Gas,Gas leak. Leave now.',
  )
  const warden = (code: string, first: string, last: string, floor: string, n: number) =>
    `${code},${first},${last},${at(code)},${mobile(n)},${password},${floor},staff`
  const occupants = Array.from({ length: 30 }, (_, i) => {
    const [first, last] = (names[i % names.length] as string).split(' ')
    return `o${i},${first},${last} ${String(i + 1).padStart(2, '0')},,0${occupantMobile(i).slice(2)},,A/1,staff`
  })
  file(
    'templates',
    'code,type,text,automated_response',
    'T1,Evacuee,"Are you out of the building? Reply 1 if safe, 2 if you need help.",1',
    'T2,Warden,Report your floor to the panel.,0',
  )
  const further = Array.from({ length: over.furtherWardens ?? 0 }, (_, i) => i)
  file(
    'people',
    'code,first_name,last_name,email,mobile,password,floor,kind',
    warden('chief', 'Grace', 'Chief', 'A/G', 1),
    warden('deputy', 'Daniel', 'Deputy', 'A/G', 2),
    warden('floor1', 'Oliver', 'Level One', 'A/1', 3),
    warden('floor2', 'Aisha', 'Level Two', 'A/2', 4),
    warden('towerb', 'Lucas', 'Tower B', 'B/G', 5),
    warden('newcomer', 'Nadia', 'Newcomer', 'A/2', 6),
    ...occupants,
    ...further.map((i) => {
      const account = i === 0 ? [at('further'), password] : ['', '']
      return `w${i},Further,Warden ${i},${account[0]},0492${String(100_000 + i)},${account[1]},A/G,staff`
    }),
    'p1,Petra,Quiet,,,,A/2,staff',
    'p2,Quentin,Ross,,,,A/2,staff',
    'b1,Rosa,Stone,,,,B/G,staff',
  )
  file(
    'peeps',
    'person,disability,assistance,other,summary',
    'o0,Uses a wheelchair,Evacuation chair and two helpers,Sits near the west stair,Wheelchair',
    'o1,Low vision,A guide to the assembly point,,Low vision',
  )
  file(
    'assignments',
    'person,role,site,locations,date_from,date_to,status',
    'chief,CW,S,,2020-01-01,2099-12-31,Accepted',
    'deputy,CW,S,,2020-01-01,2099-12-31,Accepted',
    'floor1,FW,S,A/1,2020-01-01,2099-12-31,Accepted',
    'floor2,FW,S,A/2,2020-01-01,2099-12-31,Accepted',
    'towerb,FW,S,B/G,2020-01-01,2099-12-31,Accepted',
    'newcomer,FW,S,A/2,2020-01-01,2099-12-31,Offered',
    ...further.map((i) => `w${i},FW,S,A/G,2020-01-01,2099-12-31,Accepted`),
  )
  writeFileSync(join(folder, 'plan.txt'), 'Leave by the west stair.')
  file('documents', 'code,name,url,file,site,role,person', 'PLAN,Emergency plan,,plan.txt,S,,')
  await product.import(folder)
  rmSync(folder, { recursive: true })
  return {
    site,
    occupantMobile,
    chief: at('chief'),
    deputy: at('deputy'),
    floor1: at('floor1'),
    floor2: at('floor2'),
    towerB: at('towerb'),
    newcomer: at('newcomer'),
    newcomerMobile: mobile(6),
    furtherWarden: at('further'),
    floor1Mobile: mobile(3),
  }
}
