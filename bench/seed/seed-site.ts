import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { newAccessToken } from '../../rig/access-tokens.ts'
import { hashOf, type Run, seedOrganisation } from './organisation.ts'

export interface Site {
  clientUid: string
  /** Access token of the chief warden. */
  token: string
}

const floorsPerBuilding = 25

/**
 * A site without an event. Besides the occupants it has a chief and one warden per floor. All but the chief have a
 * mobile.
 */
export async function seedSite(pool: pg.Pool, size: { occupants: number; buildings: number }): Promise<Site> {
  const code = `site-${randomBytes(4).toString('hex')}`
  const site = await seedOrganisation(pool, code, async (run, { clientUid, siteUid }) => {
    await seedPlaces(run, siteUid, size.buildings)
    await seedCatalogue(run)
    await seedOccupants(run, size.occupants)
    await seedFloorWardens(run, siteUid)
    return { clientUid, token: await seedChief(run, siteUid, code) }
  })
  await pool.query('vacuum analyze person, floor, building, warden_assignment, assignment_location')
  return site
}

async function seedPlaces(run: Run, siteUid: string, buildings: number): Promise<void> {
  await run(
    `insert into building (client_uid, site_uid, code, name)
     select $1, $2, 'B' || i, 'Building ' || i from generate_series(1, $3::int) i`,
    siteUid,
    buildings,
  )
  await run(
    `insert into floor (client_uid, building_uid, code, name, level)
     select $1, uid, 'F' || i, 'Level ' || i, i from building, generate_series(1, $2::int) i where client_uid = $1`,
    floorsPerBuilding,
  )
}

async function seedCatalogue(run: Run): Promise<void> {
  await run(
    `insert into floor_status (client_uid, code, name, colour, display_order) values ($1, 'N', 'New', 'grey', 1)`,
  )
  await run(`insert into event_type (client_uid, code, type) values ($1, 'FIRE', 'Fire')`)
  await run(
    `insert into warden_role (client_uid, code, name, area_domain, modules) values
     ($1, 'CW', 'Chief Warden', 'Site', '{Event_Management,Floor_Evacuation,Building_Evacuation_Status}'),
     ($1, 'FW', 'Floor Warden', 'Floor', '{Floor_Evacuation}')`,
  )
}

async function seedOccupants(run: Run, count: number): Promise<void> {
  await run(
    `insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
     select $1, 'P' || i, 'Occupant', lpad(i::text, 7, '0'), '614' || lpad(i::text, 8, '0'), f.uid
     from generate_series(1, $2::int) i
     join (select uid, row_number() over () as n, count(*) over () as floors from floor where client_uid = $1) f
       on f.n = 1 + i % f.floors`,
    count,
  )
}

async function seedFloorWardens(run: Run, siteUid: string): Promise<void> {
  await run(
    `with wardens as (
       insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
       select $1, 'W' || row_number() over (), 'Warden', row_number() over ()::text,
         '615' || lpad((row_number() over ())::text, 8, '0'), uid from floor where client_uid = $1
       returning uid, primary_floor_uid
     ), assigned as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select $1, w.uid, r.uid, $2, '2020-01-01', '2099-12-31', 'Accepted'
       from wardens w join warden_role r on r.client_uid = $1 and r.code = 'FW' returning uid, person_uid
     )
     insert into assignment_location (client_uid, assignment_uid, floor_uid)
     select $1, a.uid, w.primary_floor_uid from assigned a join wardens w on w.uid = a.person_uid`,
    siteUid,
  )
}

/** Returns the chief's access token. */
async function seedChief(run: Run, siteUid: string, code: string): Promise<string> {
  const token = newAccessToken()
  await run(
    `with made as (insert into account (uid, owner_client_uid, email) values ($3, $1, $4 || '@bench.test')), chief as (
       insert into person (client_uid, uid, code, account_uid, first_name, last_name) values ($1, $2, 'C', $3, 'Chief', 'One')
     ), assigned as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select $1, $2, uid, $5, '2020-01-01', '2099-12-31', 'Accepted' from warden_role where client_uid = $1 and code = 'CW'
       returning uid
     )
     insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
     select $6, $3, $1, $2, uid, 'Email', now() + interval '12 hours' from assigned`,
    randomUUID(),
    randomUUID(),
    code,
    siteUid,
    hashOf(token),
  )
  return token
}
