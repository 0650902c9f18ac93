import { sql } from 'kysely'
import { reachingOfNew } from '#features/reach/kinds.ts'
import { announcementOf } from '#kernel/action-words.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import { kindOfTypeName, moduleFlags } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { usualFloorStatuses } from '#server/wardens/usual-floor-statuses.ts'
import { missingTypes, type TypeSet } from '../type-sets.ts'

export interface NewOrganisation {
  code: string
  name: string
  timezone: string
  country: string
  contactEmail: string
}

/** True once the database has an organisation, suspended ones included. */
export async function hasOrganisation(db: Db): Promise<boolean> {
  return (await db.selectFrom('client').select('uid').limit(1).executeTakeFirst()) !== undefined
}

/** One set-up at a time, until the end of the transaction. */
export async function lockSetUp(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('evac_set_up'))`.execute(tx)
}

/** Undefined if another organisation has the code. */
export async function insertOrganisation(tx: Tx, organisation: NewOrganisation): Promise<ClientUid | undefined> {
  const made = await tx
    .insertInto('client')
    .values({ ...organisation, reach: JSON.stringify(reachingOfNew) })
    .onConflict((oc) => oc.column('code').doNothing())
    .returning('uid')
    .executeTakeFirst()
  return made?.uid
}

/** Floor statuses, event types and roles that an organisation begins with, and the types of a set beside them. */
export async function insertDefaults(tx: Tx, clientUid: ClientUid, set?: TypeSet): Promise<void> {
  await tx
    .insertInto('floorStatus')
    .values(usualFloorStatuses.map((status) => ({ clientUid, ...status })))
    .execute()
  const usual = types.map(([code, type, description, message]) => ({ code, type, description, message }))
  const missing = set
    ? missingTypes(
        set,
        usual.map(({ type }) => type),
      )
    : []
  const ofSet = missing.map(({ type, action, where }, nth) => ({
    code: `SET_${nth + 1}`,
    type,
    description: '',
    message: announcementOf(action, where),
    action,
    actionWhere: where,
  }))
  await tx
    .insertInto('eventType')
    .values([...usual, ...ofSet].map((row) => ({ clientUid, ...row, defaultKind: kindOfTypeName(row.type) })))
    .execute()
  await tx
    .insertInto('wardenRole')
    .values(roles.map(([code, name, areaDomain, modules]) => ({ clientUid, code, name, areaDomain, modules })))
    .execute()
}

const types = [
  [
    'FIRE',
    'Fire',
    'Fire or smoke in a building',
    'Fire reported. Leave now by the nearest safe exit. Do not use lifts. Go to your assembly area.',
  ],
  [
    'BOMB',
    'Bomb Threat',
    'A threat by call, letter or message',
    'Please leave the building now and take your personal belongings. Keep clear of parked cars. Follow your wardens.',
  ],
  [
    'MEDICAL',
    'Medical Emergency',
    'Someone is badly hurt or ill',
    'Medical emergency in the building. Keep lifts, foyers and corridors clear for the ambulance crew.',
  ],
  [
    'GAS',
    'Gas Leak',
    'A smell of gas or a gas alarm',
    'Gas leak. Leave now. Do not touch switches and do not use a phone until you are outside.',
  ],
  [
    'DRILL',
    'Evacuation Drill',
    'A planned exercise',
    'This is a drill. Please leave by the nearest exit and follow your wardens to the assembly area.',
  ],
] as const

const all = moduleFlags.map((flag) => flag.replace('Module_', ''))
const withoutEvents = all.filter((module) => module !== 'Event_Management')
const ofFloor = [
  'Floor_Evacuation',
  'Evacuee_Safety',
  'Floor_Evacuation_Status',
  'Wardens_On_Duty',
  'Warden_Messaging',
  'My_Messages',
]

const roles: readonly [string, string, 'Site' | 'Building' | 'Floor' | 'Area', string[]][] = [
  ['CHIEF', 'Chief Warden', 'Site', all],
  ['DEPUTY', 'Deputy Chief Warden', 'Site', all],
  ['COMMS', 'Communications Officer', 'Site', withoutEvents],
  ['BUILDING', 'Building Warden', 'Building', withoutEvents],
  ['FLOOR', 'Floor Warden', 'Floor', ofFloor],
  ['DEPUTY_FLOOR', 'Deputy Floor Warden', 'Floor', ofFloor],
  ['AREA', 'Area Warden', 'Area', ofFloor],
  ['FIRST_AID', 'First Aid Officer', 'Building', ['Wardens_On_Duty', 'Warden_Messaging']],
]

export interface NewPerson {
  clientUid: ClientUid
  firstName: string
  lastName: string
  email: string
  mobile: string | null
}

/** A member of staff without a floor, under the next free code P-000001, P-000002 … The caller holds the organisation. */
export async function insertStaff(tx: Tx, person: NewPerson): Promise<PersonUid> {
  const { uid } = await tx
    .insertInto('person')
    .values({
      ...person,
      code: sql<string>`(select 'P-' || lpad((coalesce(max(substring(code from '^P-([0-9]{6})$')::int), 0) + 1)::text, 6, '0')
        from person where client_uid = ${person.clientUid} and code ~ '^P-[0-9]{6}$')`,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}
