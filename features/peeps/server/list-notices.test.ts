import { expect } from 'vitest'
import { makePack } from '#features/arrival-pack/calls.ts'
import { visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { listOccupants } from '#features/evacuation/calls/evacuation.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listPlanNotices, listPlans, listPlanViews, notePlanTold } from '../calls/plans.ts'
import { eventWithPlans, tell } from './access/plan-access.fixture.ts'

/** An event in which the plan of Ada was opened, who can be reached by nothing, and an administrator with the mark. */
async function untold(server: TestServer) {
  const event = await eventWithPlans(server)
  const { org, ada } = event
  await server.db.updateTable('person').set({ email: null, mobile: null }).where('uid', '=', ada).execute()
  const admin = async (over: Parameters<typeof givenAdministrator>[2] = {}) =>
    asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true, ...over }))
  const call = await admin()
  const notices = () => call(listPlanNotices, { params: { personUid: ada } })
  const marked = async () => (await call(listPlans, { query: { state: 'not_told' } })).rows.map(({ uid }) => uid)
  const toldInPerson = (count = 1, by = call) =>
    by(notePlanTold, { params: { personUid: ada }, body: { count } }, withKey())
  return { ...event, admin, call, notices, marked, toldInPerson }
}

test('PEEP-08 who was not reached has the mark until someone has told them in person', async ({ server }) => {
  const { ada, open, end, notices, marked, toldInPerson } = await untold(server)
  await open(ada)
  expect(await notices()).toMatchObject([{ how: 'later', at: null, site: expect.any(String) }])
  expect(await marked()).toEqual([])
  await end()

  await tell(server)

  expect(await notices()).toMatchObject([{ how: 'none', at: expect.any(String) }])
  expect(await marked()).toEqual([ada])
  expect(await toldInPerson()).toEqual({ status: 'saved' })
  expect(await notices()).toMatchObject([{ how: 'in_person' }])
  expect(await marked()).toEqual([])
  const entries = (await server.journalOf(ada)).filter(({ action }) => action === 'plan_notice_sent')
  expect(entries.map(({ after }) => after)).toMatchObject([{ how: 'none' }, { how: 'in_person', events: 1 }])
})

test('PEEP-08 of ten who press Told in person one saves; without the mark no one does', async ({ server }) => {
  const { ada, open, end, admin, toldInPerson } = await untold(server)
  await open(ada)
  await end()
  await tell(server)
  const without = await admin({ seesPlans: false })

  expect(await refused(toldInPerson(1, without))).toEqual(['forbidden'])
  const outcomes = await refused(...Array.from({ length: 10 }, () => toldInPerson()))
  expect(outcomes.toSorted()).toEqual(['answered', ...Array(9).fill('changed_since')])
})

test('PEEP-09 PPL-30 the views of a plan have openings, lists and packs of events by person', async ({ server }) => {
  const { org, ada, call, manager, open } = await untold(server)
  await manager(listOccupants, { query: { floor: org.floors[0] } })
  await open(ada, { reason: 'services' })
  const { url } = await manager(makePack, { body: { hours: 4, plans: 'yes' } }, withKey())
  const visitor = visitorOf(server)
  const own = (await visitor.post(new URL(url).pathname, { name: 'Kim' })).headers.location
  await visitor.get(String(own))

  const views = await call(listPlanViews, { params: { personUid: ada } })

  const chief = expect.stringMatching(/^Chief /)
  expect(views.map(({ who, what, way, reason }) => [who, what, way, reason])).toEqual([
    ['Fire service: Kim', 'plan_viewed', 'pack', null],
    [chief, 'plan_viewed', 'opened', 'services'],
    [chief, 'plan_viewed', 'list', null],
  ])
})
