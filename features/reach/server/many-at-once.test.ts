import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '#server/platform/db/db.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { test } from '#server/testing/server-test.ts'
import { type Called, called, stateOf } from './reach.fixture.ts'
import { readSteadyTime, takeSteps } from './steps.queries.ts'

const textAgain = { report_in: [0, 60].map((seconds) => ({ way: 'text', seconds }) as const) }

/** As many occupants are to be reached as make several pages, all by a text that is due. */
async function manyDue(server: Parameters<typeof called>[0], count: number): Promise<Called> {
  const c = await called(server, textAgain)
  const people = await server.given.occupants(c.org, count)
  const { clientUid } = c.org
  await server.db
    .insertInto('reach')
    .values(
      people.map((personUid) => ({
        clientUid,
        eventUid: c.eventUid,
        class: 'report_in',
        about: personUid,
        personUid,
        step: 1,
        nextAt: sql<Date>`steady_now()`,
      })),
    )
    .execute()
  await sql`
    insert into sms (client_uid, event_uid, kind, person_uid, to_mobile, body, status, valid_until, reach_uid)
    select r.client_uid, r.event_uid, 'warden_alert', r.person_uid, p.mobile, 'Come.', 'delivered', now(), r.uid
    from reach r join person p on p.client_uid = r.client_uid and p.uid = r.person_uid
    where r.event_uid = ${c.eventUid} and r.sign_in_uid is null`.execute(server.db)
  return c
}
const countQueued = async ({ db }: Parameters<typeof called>[0], { eventUid }: Called) => {
  const rows = await db
    .selectFrom('sms')
    .select(['personUid'])
    .where('eventUid', '=', eventUid)
    .where('status', '=', 'queued')
    .where('body', '=', 'Come.')
    .execute()
  return { texts: rows.length, people: new Set(rows.map(({ personUid }) => personUid)).size }
}

test('LADDER-03 many workers at once: each step is taken once', async ({ server }) => {
  const c = await manyDue(server, 1_300)

  await Promise.all(Array.from({ length: 8 }, () => takeDueSteps(server)))
  await takeDueSteps(server)

  expect(await countQueued(server, c)).toEqual({ texts: 1_300, people: 1_300 })
})

test('LADDER-03 a worker that is killed in a step has done nothing of it, and another takes it once', async ({
  server,
}) => {
  const c = await manyDue(server, 40)
  const { appUrl } = server.config
  const at = await readSteadyTime(server.db)
  const killed = server.db.transaction().execute(async (trx) => {
    const taken = await takeSteps(trx as Tx, { at, appUrl, canPush: false, canCall: false })
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await server.database.owner.pg.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await sql`select 1`.execute(trx)
    return taken
  })
  await expect(killed).rejects.toThrow()
  expect(await countQueued(server, c)).toEqual({ texts: 0, people: 0 })

  await Promise.all([takeDueSteps(server), takeDueSteps(server)])

  expect(await countQueued(server, c)).toEqual({ texts: 40, people: 40 })
})

test('LADDER-03 a reach that someone holds is left for the next run, and the others go on', async ({ server }) => {
  const c = await manyDue(server, 3)
  const [one] = await server.db
    .selectFrom('reach')
    .select('uid')
    .where('eventUid', '=', c.eventUid)
    .where('signInUid', 'is', null)
    .execute()
  const held = await server.hold('reach', one?.uid as string)

  await takeDueSteps(server)
  expect(await countQueued(server, c)).toEqual({ texts: 2, people: 2 })
  await held.release()
  await takeDueSteps(server)

  expect(await countQueued(server, c)).toEqual({ texts: 3, people: 3 })
  expect(await stateOf(server, c.ann)).toEqual({ state: 'going', reason: null })
})
