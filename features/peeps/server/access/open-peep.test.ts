import { sql } from 'kysely'
import { expect } from 'vitest'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { tablesWith } from '#server/testing/tables-with.ts'
import { listPlanReaders, openEventPlan } from '../../calls/plan-access.ts'
import { eventWithPlans } from './plan-access.fixture.ts'

test('PEEP-03 PEEP-04 one tap opens the assistance, More the rest, and each is entered with its reason', async ({
  server,
}) => {
  const { ada, open, viewsOf, eventUid, chief } = await eventWithPlans(server)

  expect(await open(ada, { reason: 'sending' })).toEqual({ assistance: 'Evacuation chair' })
  expect(await open(ada, { reason: 'sending', whole: 'yes' })).toEqual({
    assistance: 'Evacuation chair',
    disability: 'Uses a wheelchair',
    other: 'Two helpers',
  })

  const views = await viewsOf(ada)
  expect(views).toMatchObject([
    { eventUid, actorPersonUid: chief.personUid, after: { way: 'opened', reason: 'sending', whole: false } },
    { eventUid, actorPersonUid: chief.personUid, after: { way: 'opened', reason: 'sending', whole: true } },
  ])
  expect(Object.keys(views[0]?.after as object).sort()).toEqual(['reason', 'way', 'whole'])
})

test('PEEP-04 T21 a repeat with the same key is one more entry, and no table but the plans has the text', async ({
  server,
}) => {
  const { org, ada, open, viewsOf } = await eventWithPlans(server)
  await server.db
    .updateTable('peep')
    .set({ assistance: 'CANARY-PEEP-04' })
    .where('clientUid', '=', org.clientUid)
    .execute()
  const key = 'the same key'

  await open(ada, { key })
  await open(ada, { key })

  expect(await viewsOf(ada)).toHaveLength(2)
  expect(await tablesWith(server, 'CANARY-PEEP-04')).toEqual(['public.peep'])
})

test('PEEP-04 the text is read in the transaction of its entry: without the entry no text leaves', async ({
  server,
}) => {
  const { ada, open, viewsOf } = await eventWithPlans(server)
  const { db } = server.database.owner
  await sql`alter table plan_notice add constraint broken check (false) not valid`.execute(db)

  const outcome = await refused(open(ada))
  await sql`alter table plan_notice drop constraint broken`.execute(db)

  expect(outcome).toEqual(['server_error'])
  expect(await viewsOf(ada)).toEqual([])
})

test('PEEP-10 unknown people, those of another event and those without a plan are one answer and no entry', async ({
  server,
}) => {
  const here = await eventWithPlans(server)
  const there = await eventWithPlans(server)
  const absent = await server.given.occupant(here.org, { floorUid: here.org.floors[2] })
  await server.given.peep(here.org, absent)
  const unknown = 'a0000000-0000-4000-8000-000000000000' as typeof absent
  const left = here.bea
  await server.db.updateTable('evacuee').set({ active: false }).where('personUid', '=', left).execute()

  expect(await refused(...[here.cy, there.ada, unknown, absent, left].map((uid) => here.open(uid)))).toEqual(
    Array(5).fill('not_found'),
  )
  for (const uid of [here.cy, there.ada, absent, left]) expect(await here.viewsOf(uid)).toEqual([])
})

test('PEEP-03 another reason, free text, and who has no right are refused', async ({ server }) => {
  const { ada, plain, open, manager, viewsOf } = await eventWithPlans(server)
  const without = await server.onDuty(plain)
  const ask = (body: object) => manager(openEventPlan, { params: { personId: ada }, body: body as never })

  expect(
    await refused(
      ask({ reason: 'curious', whole: 'no' }),
      ask({ reason: 'helping', whole: 'no', note: 'He has a bad leg' }),
      ask({ reason: 'helping' }),
      open(ada, { by: without }),
    ),
  ).toEqual(['invalid_request', 'invalid_request', 'invalid_request', 'forbidden'])
  expect(await viewsOf(ada)).toEqual([])
})

test('PEEP-03 PEEP-07 of ten who open a plan at once each is entered, and one notice is owed', async ({ server }) => {
  const { ada, otto, guest, open, viewsOf, eventUid } = await eventWithPlans(server)
  const helpers = [await server.onDuty(otto), await server.onDuty(guest)]

  await Promise.all(Array.from({ length: 10 }, (_, nth) => open(ada, { by: helpers[nth % 2] as never })))

  expect(await viewsOf(ada)).toHaveLength(10)
  const owed = await server.db.selectFrom('planNotice').select('personUid').where('eventUid', '=', eventUid).execute()
  expect(owed).toEqual([{ personUid: ada }])
})

test('PEEP-09 readers and numbers, newest first, and no person', async ({ server }) => {
  const { ada, bea, otto, open, manager } = await eventWithPlans(server)
  const other = await server.onDuty(otto)
  for (const person of [ada, bea, ada]) await open(person)
  await open(bea, { by: other, reason: 'services' })

  const answer = await manager(listPlanReaders, {})

  expect(answer).toMatchObject({
    readers: [
      { name: expect.stringMatching(/^Otto /), role: 'Chief Warden', opened: 1, listed: 0 },
      { name: expect.stringMatching(/^Chief /), role: 'Chief Warden', opened: 2, listed: 0 },
    ],
    more: 0,
  })
  expect(JSON.stringify(answer)).not.toMatch(/Ada|Bea|Abara|chair/)
})
