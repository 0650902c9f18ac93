import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashOf, newAccessToken } from '../../rig/access-tokens.ts'
import { type Run, seedOrganisation } from './organisation.ts'

export interface Site {
  clientUid: string
  /** Access token of the chief warden. */
  token: string
  /** Access tokens of the wardens, one for each floor. */
  wardenTokens: string[]
}

const usualFloors = 25

/**
 * A site without an event. Besides the occupants it has a chief and one warden per floor. All but the chief have a
 * mobile.
 */
export async function seedSite(
  pool: pg.Pool,
  { occupants, buildings, floors = usualFloors }: { occupants: number; buildings: number; floors?: number },
): Promise<Site> {
  const code = `site-${randomBytes(4).toString('hex')}`
  const site = await seedOrganisation(pool, code, async (run, { clientUid, siteUid }) => {
    await seedPlaces(run, siteUid, buildings, floors)
    await seedCatalogue(run)
    await seedOccupants(run, occupants)
    const wardenTokens = await seedFloorWardens(run, siteUid, code, buildings * floors)
    return { clientUid, wardenTokens, token: await seedChief(run, siteUid, code) }
  })
  await pool.query('vacuum analyze person, floor, building, warden_assignment, assignment_location')
  return site
}

async function seedPlaces(run: Run, siteUid: string, buildings: number, floors: number): Promise<void> {
  await run(
    `insert into building (client_uid, site_uid, code, name)
     select $1, $2, 'B' || i, 'Building ' || i from generate_series(1, $3::int) i`,
    siteUid,
    buildings,
  )
  await run(
    `insert into floor (client_uid, building_uid, code, name, level)
     select $1, uid, 'F' || i, 'Level ' || i, i from building, generate_series(1, $2::int) i where client_uid = $1`,
    floors,
  )
}

async function seedCatalogue(run: Run): Promise<void> {
  await run(
    `insert into floor_status (client_uid, code, name, colour, display_order) values ($1, 'N', 'New', 'grey', 1)`,
  )
  await run(`insert into event_type (client_uid, code, type) values ($1, 'FIRE', 'Fire')`)
  await run(
    `insert into warden_role (client_uid, code, name, area_domain, modules) values
     ($1, 'CW', 'Chief Warden', 'Site', '{Event_Management,Event_Records,Floor_Evacuation,Building_Evacuation_Status}'),
     ($1, 'FW', 'Floor Warden', 'Floor', '{Floor_Evacuation}')`,
  )
}

async function seedOccupants(run: Run, count: number): Promise<void> {
  await run(
    `insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid, updated_at)
     select $1, 'P' || i, 'Occupant', lpad(i::text, 7, '0'), '614' || lpad(i::text, 8, '0'), f.uid, now() - interval '1 hour'
     from generate_series(1, $2::int) i
     join (select uid, row_number() over () as n, count(*) over () as floors from floor where client_uid = $1) f
       on f.n = 1 + i % f.floors`,
    count,
  )
}

/** Returns an access token for each warden. */
async function seedFloorWardens(run: Run, siteUid: string, code: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, newAccessToken)
  await run(
    `with numbered as (
       select uid as floor_uid, row_number() over () as n, gen_random_uuid() as account_uid from floor where client_uid = $1
     ), made as (
       insert into account (uid, owner_client_uid, email) select account_uid, $1, $3 || n || '@bench.test' from numbered
     ), wardens as (
       insert into person (client_uid, code, account_uid, first_name, last_name, mobile, primary_floor_uid)
       select $1, 'W' || n, account_uid, 'Warden', n::text, '615' || lpad(n::text, 8, '0'), floor_uid from numbered
       returning uid, account_uid, primary_floor_uid
     ), assigned as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select $1, w.uid, r.uid, $2, '2020-01-01', '2099-12-31', 'Accepted'
       from wardens w join warden_role r on r.client_uid = $1 and r.code = 'FW' returning uid, person_uid
     ), located as (
       insert into assignment_location (client_uid, assignment_uid, floor_uid)
       select $1, a.uid, w.primary_floor_uid from assigned a join wardens w on w.uid = a.person_uid
     )
     insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
     select ($4::bytea[])[row_number() over ()], w.account_uid, $1, w.uid, a.uid, 'Email', now() + interval '12 hours'
     from wardens w join assigned a on a.person_uid = w.uid`,
    siteUid,
    code,
    tokens.map(hashOf),
  )
  return tokens
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
