import { expect } from 'vitest'
import { boardOf } from '#features/board/server/board.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listInstructions } from '../calls/instructions.ts'
import { type Commanded, commanded } from './command.fixture.ts'

const [floors, wardens, instructions] = [600, 900, 150]

/** As an event begins: so many rows that the statistics, which are of before, do not know. The planner expects one or a few. */
async function addMany({ database }: TestServer, { org, eventUid, floor, chief }: Commanded) {
  const run = (statement: string, ...values: unknown[]) => database.owner.pg.query(statement, [eventUid, ...values])
  await database.owner.pg.query('analyze')
  await run(
    `with made as (
       insert into floor (client_uid, building_uid, code, name, level)
       select client_uid, building_uid, 'M' || n, 'M' || n, 10 + n from event_building, generate_series(1, $2::int) n where event_uid = $1
       returning client_uid, building_uid, uid
     ) insert into event_floor (client_uid, event_uid, building_uid, floor_uid, floor_status_uid, updated_by_person_uid)
     select client_uid, $1, building_uid, uid, $3, $4 from made`,
    floors,
    org.statusUids[0],
    floor.personUid,
  )
  await run(
    `with p as (
       insert into person (client_uid, code, first_name, last_name) select client_uid, 'M' || n, 'Many', n::text
       from event, generate_series(1, $2::int) n where uid = $1 returning client_uid, uid
     ), a as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select p.client_uid, p.uid, of.role_uid, of.site_uid, of.date_from, of.date_to, of.status
       from p, warden_assignment of where of.uid = $3 returning client_uid, uid, person_uid
     ), l as (
       insert into assignment_location (client_uid, assignment_uid, floor_uid)
       select a.client_uid, a.uid, f.uid from (select *, row_number() over () as n from a) a
       join (select uid, row_number() over () as n from floor where client_uid = $4 and code like 'M%') f on f.n = 1 + a.n % $5
     ) insert into warden_sign_in (client_uid, event_uid, assignment_uid, person_uid, on_duty, on_duty_at)
     select client_uid, $1, uid, person_uid, true, now() from a`,
    wardens,
    floor.assignmentUid,
    org.clientUid,
    floors,
  )
  await run(
    `insert into instruction (client_uid, event_uid, kind, message, floors, text, by_sign_in_uid)
     select client_uid, $1, 'stay', 'Stay.', array(select uid from floor where client_uid = e.client_uid and code like 'M%' and level % 10 = n % 10),
       false, (select uid from warden_sign_in where event_uid = $1 and person_uid = $3)
     from event e, generate_series(1, $2::int) n where uid = $1`,
    instructions,
    chief.personUid,
  )
}

/** Wardens of the floors of the newest instruction, and those of the building and the site but its sender. */
async function countMeant({ database }: TestServer, { eventUid }: Commanded) {
  const { rows } = await database.owner.pg.query(
    `select count(*)::int as floor_wardens from warden_sign_in si
     join assignment_location l on l.assignment_uid = si.assignment_uid
     where si.event_uid = $1 and l.floor_uid = any (
       select unnest(floors) from (select floors from instruction where event_uid = $1 order by at desc, uid desc limit 1) i)`,
    [eventUid],
  )
  return rows[0].floor_wardens + 2
}

test('CMD-24 BOARD-03 the board has n of m at once when many wardens and instructions are new to the statistics', async ({
  server,
}) => {
  const c = await commanded(server)
  await addMany(server, c)
  const began = performance.now()

  const [{ instruction, floors: told }, { sent }] = [
    await boardOf(server, c.manager),
    await c.manager(listInstructions, {}),
  ]

  // each warden compared with each instruction, for each instruction, took half a minute
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(instruction).toMatchObject({ understood: 0, meant: await countMeant(server, c) })
  expect(told.filter((row) => row.told === 'stay')).toHaveLength(floors)
  // the newest of each tenth of the floors is someone's newest
  expect(sent.map(({ meant }) => meant > 0)).toEqual(Array.from({ length: 20 }, (_, n) => n < 10))
})
