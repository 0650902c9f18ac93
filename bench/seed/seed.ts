import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashOf, newAccessToken } from '../../rig/access-tokens.ts'
import { type Run, seedOrganisation } from './organisation.ts'

export interface World {
  clientUid: string
  eventUid: string
  floors: string[]
  /** Access tokens of wardens on duty. */
  tokens: string[]
  people: { personUid: string; floorUid: string }[]
  /** The whole name of a person. Few people have the same. */
  someone: string
}

const floors = 20

/** A running event in one building of 20 floors. */
export async function seedWorld(pool: pg.Pool, size: { evacuees: number; wardens: number }): Promise<World> {
  const code = `bench-${size.evacuees}-${randomBytes(3).toString('hex')}`
  const world = await seedOrganisation(pool, code, async (run, { clientUid, siteUid }) => {
    const buildingUid = await seedBuilding(run, siteUid)
    const eventUid = await seedEvent(run, siteUid, buildingUid)
    await seedEvacuees(run, eventUid, buildingUid, size.evacuees)
    const tokens = await seedWardens(run, siteUid, eventUid, code, size.wardens)
    return { clientUid, eventUid, tokens }
  })
  await pool.query('vacuum analyze')
  return { ...world, ...(await readPeople(pool, world.clientUid)) }
}

async function seedBuilding(run: Run, siteUid: string): Promise<string> {
  const buildingUid = randomUUID()
  await run(
    `insert into building (client_uid, uid, site_uid, code, name) values ($1, $2, $3, 'B', 'Tower')`,
    buildingUid,
    siteUid,
  )
  await run(
    `insert into floor (client_uid, building_uid, code, name, level)
     select $1, $2, 'F' || i, 'Level ' || i, i from generate_series(1, ${floors}) i`,
    buildingUid,
  )
  return buildingUid
}

async function seedEvent(run: Run, siteUid: string, buildingUid: string): Promise<string> {
  const [eventUid, typeUid, statusUid] = [randomUUID(), randomUUID(), randomUUID()]
  await run(
    `insert into floor_status (client_uid, uid, code, name, colour, display_order) values ($1, $2, 'NS', 'Not Started', 'grey', 1)`,
    statusUid,
  )
  await run(`insert into event_type (client_uid, uid, code, type) values ($1, $2, 'FIRE', 'Fire')`, typeUid)
  await run(
    `insert into event (client_uid, uid, site_uid, event_type_uid, message, broadcast, alert) values ($1, $2, $3, $4, 'Evacuate', false, false)`,
    eventUid,
    siteUid,
    typeUid,
  )
  await run(
    `insert into event_building (client_uid, event_uid, building_uid) values ($1, $2, $3)`,
    eventUid,
    buildingUid,
  )
  await run(
    `insert into event_floor (client_uid, event_uid, floor_uid, building_uid, floor_status_uid)
     select $1, $2, uid, building_uid, $3 from floor where client_uid = $1`,
    eventUid,
    statusUid,
  )
  return eventUid
}

/** One of twenty syllables. Names made of them differ and repeat as names do: 400 first names, 160,000 last names. */
const syllable = (number: string) =>
  `(array['an','be','co','du','el','fi','gra','ho','ise','jo','ka','li','mo','na','or','pe','ri','so','ta','vu'])[1 + (${number}) % 20]`

async function seedEvacuees(run: Run, eventUid: string, buildingUid: string, count: number): Promise<void> {
  await run(
    `insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
     select $1, 'P' || i, initcap(${syllable('i * 7')} || ${syllable('i * 7 / 20')}),
       initcap(${syllable('i')} || ${syllable('i / 20')} || ${syllable('i / 400')} || ${syllable('i / 8000')}),
       '614' || lpad((i::bigint * 7919 % 100000000)::text, 8, '0'), f.uid
     from generate_series(1, $2::int) i join floor f on f.client_uid = $1 and f.level = 1 + i % ${floors}`,
    count,
  )
  await run(
    `insert into evacuee (client_uid, event_uid, person_uid, sort_name, home_building_uid, home_floor_uid, building_uid, floor_uid)
     select client_uid, $2, uid, lower(name), $3, primary_floor_uid, $3, primary_floor_uid
     from person where client_uid = $1 and kind = 'staff'`,
    eventUid,
    buildingUid,
  )
  await run(
    `insert into tally (client_uid, event_uid, place_uid, building_uid, unknown)
     select client_uid, event_uid, place_uid, building_uid, count(*) from evacuee where client_uid = $1 group by 1, 2, 3, 4`,
  )
  await run(
    `insert into peep (client_uid, person_uid, disability, assistance) select client_uid, uid, 'Uses a wheelchair', 'Evacuation chair'
     from person where client_uid = $1 order by md5(code) limit 100`,
  )
}

/** Returns an access token for each warden. All are on duty. */
async function seedWardens(
  run: Run,
  siteUid: string,
  eventUid: string,
  code: string,
  count: number,
): Promise<string[]> {
  const tokens = Array.from({ length: count }, newAccessToken)
  const roleUid = randomUUID()
  await run(
    `insert into warden_role (client_uid, uid, code, name, area_domain, modules) values ($1, $2, 'FW', 'Floor Warden', 'Site',
     array['Floor_Evacuation','Evacuee_Safety','Floor_Evacuation_Status','Wardens_On_Duty','Warden_Messaging','My_Messages'])`,
    roleUid,
  )
  await run(
    `with made as (
       insert into account (owner_client_uid, email) select $1, $2 || i || '@bench.test' from generate_series(1, $3::int) i returning uid
     ), numbered as (select uid, row_number() over () as n from made)
     , people as (
       insert into person (client_uid, code, account_uid, first_name, last_name)
       select $1, 'W' || n, uid, 'Warden', n::text from numbered returning uid, account_uid
     ), assigned as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select $1, uid, $4, $5, '2020-01-01', '2099-12-31', 'Accepted' from people returning uid, person_uid
     ), signed_in as (
       insert into warden_sign_in (client_uid, event_uid, assignment_uid, person_uid, reported_in, on_duty, on_duty_at)
       select $1, $6, uid, person_uid, true, true, now() from assigned returning uid
     )
     insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
     select ($7::bytea[])[row_number() over ()], p.account_uid, $1, p.uid, a.uid, 'Email', now() + interval '12 hours'
     from people p join assigned a on a.person_uid = p.uid`,
    code,
    count,
    roleUid,
    siteUid,
    eventUid,
    tokens.map(hashOf),
  )
  return tokens
}

/** The floors from the lowest up, 5,000 evacuees at most, and one name. */
async function readPeople(pool: pg.Pool, clientUid: string): Promise<Pick<World, 'floors' | 'people' | 'someone'>> {
  const floors = await pool.query(`select uid from floor where client_uid = $1 order by level`, [clientUid])
  const people = await pool.query(
    `select person_uid as "personUid", floor_uid as "floorUid" from evacuee where client_uid = $1 limit 5000`,
    [clientUid],
  )
  const someone = await pool.query(`select name from person where client_uid = $1 and code = 'P77'`, [clientUid])
  return { floors: floors.rows.map(({ uid }) => uid), people: people.rows, someone: someone.rows[0]?.name ?? '' }
}
