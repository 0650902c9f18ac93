import type { AssignmentUid, BuildingUid, ClientUid, FloorUid, PersonUid, SiteUid } from '@evac/contract/ids.ts'
import { type ModuleFlag, moduleFlags } from '@evac/contract/vocabulary.ts'
import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { hashPassword } from '../platform/passwords.ts'
import type { Place } from './given-places.ts'

const allModules = moduleFlags.map((flag) => flag.replace('Module_', ''))
const floorModules = [
  'Floor_Evacuation',
  'Evacuee_Safety',
  'Floor_Evacuation_Status',
  'Wardens_On_Duty',
  'Warden_Messaging',
  'My_Messages',
]
export const testPassword = 'evacuate1'
let passwordHash: Promise<string> | undefined

export interface Warden {
  clientUid: ClientUid
  accountUid: string
  personUid: PersonUid
  assignmentUid: AssignmentUid
  email: string
  mobile: string | null
}

export interface AssignmentOver {
  role?: 'Chief Warden' | 'Floor Warden' | 'Building Warden'
  /** Instead of the role's usual modules; gives the role a name of its own. */
  modules?: readonly ModuleFlag[]
  status?: 'Offered' | 'Accepted' | 'Declined' | 'Withdrawn'
  dateFrom?: string
  dateTo?: string
  floorUid?: FloorUid
  buildingUid?: BuildingUid
}
export interface WardenOver extends AssignmentOver {
  /** Of the same human at another organisation: the account here has the same sign-in names and password. */
  accountUid?: string
  username?: string
  firstName?: string
  mobile?: string | null
  /** Their desk; the floor of the assignment unless said otherwise. */
  deskFloorUid?: FloorUid
}

/** Builders of people: wardens with accounts, occupants, visitors. */
export function peopleGiven(db: Db, next: () => number) {
  /** A person with an account and an assignment; a Floor Warden of the first floor unless said otherwise. */
  async function warden(at: Place, over: WardenOver = {}): Promise<Warden> {
    const n = next()
    const email = `warden${n}@evac.test`
    const mobile = over.mobile === undefined ? `6149${String(n).padStart(7, '0')}` : over.mobile
    const accountUid = await account(at.clientUid, over.accountUid, { email, mobile, username: over.username ?? null })
    const { uid } = await db
      .insertInto('person')
      .values({
        clientUid: at.clientUid,
        code: `W${n}`,
        accountUid,
        firstName: over.firstName ?? 'Warden',
        lastName: String(n).padStart(3, '0'),
        email,
        mobile,
        primaryFloorUid: over.deskFloorUid ?? over.floorUid ?? at.floorUid,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const person = { clientUid: at.clientUid, accountUid, personUid: uid as PersonUid, email, mobile }
    return { ...person, assignmentUid: await assignment(person, at, over) }
  }

  async function account(
    ownerClientUid: string,
    like: string | undefined,
    names: { email: string; mobile: string | null; username: string | null },
  ): Promise<string> {
    passwordHash ??= hashPassword(testPassword)
    const columns = ['email', 'mobile', 'username', 'passwordHash'] as const
    const values = like
      ? await db.selectFrom('account').select(columns).where('uid', '=', like).executeTakeFirstOrThrow()
      : { ...names, passwordHash: await passwordHash }
    const { uid } = await db
      .insertInto('account')
      .values({ ownerClientUid, ...values })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid
  }

  /** An assignment, perhaps a further one, of somebody who is there already. */
  async function assignment(
    { clientUid, personUid }: Pick<Warden, 'clientUid' | 'personUid'>,
    at: { siteUid: SiteUid; buildingUid: BuildingUid; floorUid: FloorUid },
    over: AssignmentOver = {},
  ): Promise<AssignmentUid> {
    const name = over.role ?? 'Floor Warden'
    const domain = name === 'Chief Warden' ? 'Site' : name === 'Building Warden' ? 'Building' : 'Floor'
    const { uid } = await db
      .insertInto('wardenAssignment')
      .values({
        clientUid,
        personUid,
        roleUid: await role(clientUid, name, domain, over.modules),
        siteUid: at.siteUid,
        dateFrom: over.dateFrom ?? '2020-01-01',
        dateTo: over.dateTo ?? '2099-12-31',
        status: over.status ?? 'Accepted',
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const place =
      domain === 'Building'
        ? { buildingUid: over.buildingUid ?? at.buildingUid }
        : { floorUid: over.floorUid ?? at.floorUid }
    if (domain !== 'Site')
      await db
        .insertInto('assignmentLocation')
        .values({ clientUid, assignmentUid: uid, ...place })
        .execute()
    return uid as AssignmentUid
  }

  async function role(clientUid: string, name: string, areaDomain: string, flags: readonly ModuleFlag[] | undefined) {
    const n = next()
    const modules =
      flags?.map((flag) => flag.replace('Module_', '')) ?? (areaDomain === 'Site' ? allModules : floorModules)
    const { uid } = await db
      .insertInto('wardenRole')
      .values({ clientUid, code: `R${n}`, name: `${name}${flags ? ` ${n}` : ''}`, areaDomain, modules })
      .onConflict((oc) => oc.columns(['clientUid', 'name']).doUpdateSet({ modules }))
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid
  }

  /** Staff of a floor; answers their person uids in the order of their names. */
  async function occupants(
    at: Place,
    count: number,
    over: { floorUid?: FloorUid; prefix?: string } = {},
  ): Promise<PersonUid[]> {
    const n = next()
    const { rows } = await sql<{ uid: PersonUid }>`
      with made as (
        insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
        select ${at.clientUid}, ${`O${n}-`} || i, ${over.prefix ?? 'Occupant'}, lpad(i::text, 4, '0'),
          '6147' || lpad((${n} * 10000 + i)::text, 7, '0'), ${over.floorUid ?? at.floorUid}
        from generate_series(1, ${count}::int) i
        returning uid, last_name
      )
      select uid from made order by last_name`.execute(db)
    return rows.map(({ uid }) => uid)
  }

  /** One member of staff by name. */
  async function occupant(
    at: Place,
    over: { firstName?: string; lastName?: string; floorUid?: FloorUid; mobile?: string | null; active?: boolean } = {},
  ): Promise<PersonUid> {
    const n = next()
    const { uid } = await db
      .insertInto('person')
      .values({
        clientUid: at.clientUid,
        code: `O${n}`,
        firstName: over.firstName ?? 'Occupant',
        lastName: over.lastName ?? String(n).padStart(4, '0'),
        mobile: over.mobile === undefined ? `6148${String(n).padStart(7, '0')}` : over.mobile,
        primaryFloorUid: over.floorUid ?? at.floorUid,
        active: over.active ?? true,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid as PersonUid
  }

  /** A visitor of today; with `floorUid: null` known to be in the building only. */
  async function visitor(
    at: Place,
    over: { floorUid?: FloorUid | null; firstName?: string; visitDate?: string } = {},
  ): Promise<PersonUid> {
    const n = next()
    const floorUid = over.floorUid === undefined ? at.floorUid : over.floorUid
    const { uid } = await db
      .insertInto('person')
      .values({
        clientUid: at.clientUid,
        code: `V${n}`,
        firstName: over.firstName ?? 'Visitor',
        lastName: String(n),
        kind: 'visitor',
        visitDate: over.visitDate ?? sql<string>`(now() at time zone 'Australia/Sydney')::date`,
        primaryFloorUid: floorUid,
        visitingBuildingUid: floorUid ? null : at.buildingUid,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid as PersonUid
  }

  async function peep(at: { clientUid: ClientUid }, personUid: PersonUid): Promise<void> {
    await db
      .insertInto('peep')
      .values({
        clientUid: at.clientUid,
        personUid,
        disability: 'Uses a wheelchair',
        assistance: 'Evacuation chair',
        other: 'Two helpers',
        summary: 'Wheelchair',
      })
      .execute()
  }

  return { warden, assignment, occupants, occupant, visitor, peep }
}
