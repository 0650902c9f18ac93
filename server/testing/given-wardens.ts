import type { AssignmentUid, BuildingUid, ClientUid, FloorUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { type ModuleFlag, moduleFlags } from '#kernel/vocabulary.ts'
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

/** Builders of wardens with accounts, and of their assignments. */
export function wardensGiven(db: Db, next: () => number) {
  /** A person with an account and an assignment; a Floor Warden of the first floor unless said otherwise. */
  async function warden(at: Place, over: WardenOver = {}): Promise<Warden> {
    const n = next()
    const email = `warden${n}@evac.test`
    const mobile = over.mobile === undefined ? `6149${String(n).padStart(7, '0')}` : over.mobile
    const accountUid = await insertAccount(db, at.clientUid, over.accountUid, {
      email,
      mobile,
      username: over.username ?? null,
    })
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

  /** An assignment, perhaps a further one, of someone who is there already. */
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
        roleUid: await insertRole(db, { clientUid, code: `R${next()}`, name, areaDomain: domain }, over.modules),
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

  return { warden, assignment }
}

async function insertAccount(
  db: Db,
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

async function insertRole(
  db: Db,
  role: { clientUid: string; code: string; name: string; areaDomain: string },
  flags: readonly ModuleFlag[] | undefined,
) {
  const usual = role.areaDomain === 'Site' ? allModules : floorModules
  const modules = flags?.map((flag) => flag.replace('Module_', '')) ?? usual
  const name = flags ? `${role.name} ${role.code.slice(1)}` : role.name
  const { uid } = await db
    .insertInto('wardenRole')
    .values({ ...role, name, modules })
    .onConflict((oc) => oc.columns(['clientUid', 'name']).doUpdateSet({ modules }))
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}
