import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Coded, KnownBuilding, KnownFloor, KnownPerson, KnownRole, KnownSite } from './known.ts'

export function findClient(db: Db, code: string) {
  return db
    .selectFrom('client')
    .select(['uid', 'code', 'timezone', 'country'])
    .where('code', '=', code)
    .executeTakeFirst()
}

export function listSites(db: Db, clientUid: string): Promise<KnownSite[]> {
  return db.selectFrom('site').select(['uid', 'code', 'name', 'timezone']).where('clientUid', '=', clientUid).execute()
}

export async function listBuildings(db: Db, clientUid: string): Promise<KnownBuilding[]> {
  const { rows } = await sql<KnownBuilding>`
    select b.uid, b.code, b.name, s.code as site
    from building b join site s on s.client_uid = b.client_uid and s.uid = b.site_uid
    where b.client_uid = ${clientUid}`.execute(db)
  return rows
}

export async function listFloors(db: Db, clientUid: string): Promise<KnownFloor[]> {
  const { rows } = await sql<KnownFloor>`
    select f.uid, f.code, f.name, b.code as building
    from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid}`.execute(db)
  return rows
}

export async function listRoles(db: Db, clientUid: string): Promise<KnownRole[]> {
  const { rows } = await sql<KnownRole>`
    select uid, code, name, area_domain from warden_role where client_uid = ${clientUid}`.execute(db)
  return rows
}

export async function listPeople(db: Db, clientUid: string): Promise<KnownPerson[]> {
  const { rows } = await sql<KnownPerson>`
    select uid, code, kind, active, account_uid, email, mobile from person where client_uid = ${clientUid}`.execute(db)
  return rows
}

/** Active plans under the code of their person. */
export async function listPeeps(db: Db, clientUid: string): Promise<Coded[]> {
  const { rows } = await sql<Coded>`
    select pe.uid, p.code
    from peep pe join person p on p.client_uid = pe.client_uid and p.uid = pe.person_uid
    where pe.client_uid = ${clientUid} and pe.active`.execute(db)
  return rows
}

export function listCoded(
  db: Db,
  clientUid: string,
  table: 'eventType' | 'floorStatus' | 'document',
): Promise<Coded[]> {
  return db.selectFrom(table).select(['uid', 'code']).where('clientUid', '=', clientUid).execute()
}

export interface ExistingAssignment {
  uid: string
  personUid: string
  roleUid: string
  siteUid: string
  dateFrom: string
  dateTo: string
  status: string
  importedStatus: string | null
  /** `b` and the uid of a building, or `f` and that of a floor. */
  locations: string[]
}

export async function listAssignments(db: Db, clientUid: string): Promise<ExistingAssignment[]> {
  const { rows } = await sql<ExistingAssignment>`
    select a.uid, a.person_uid, a.role_uid, a.site_uid, a.date_from, a.date_to,
      a.status, a.imported_status, coalesce(l.places, '{}') as locations
    from warden_assignment a
    left join (
      select assignment_uid, array_agg(coalesce('b' || building_uid, 'f' || floor_uid)) as places
      from assignment_location where client_uid = ${clientUid} group by assignment_uid
    ) l on l.assignment_uid = a.uid
    where a.client_uid = ${clientUid}`.execute(db)
  return rows
}
