import { expect } from 'vitest'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { getOverview, putStepAside } from '../../calls/overview.ts'
import { getSettings } from '../../calls/settings.ts'

test('ORG-05 ORG-10 the steps of the first days are ticked as they come true, for the whole organisation alone', async ({
  server,
}) => {
  const bareUid = (
    await server.db
      .insertInto('client')
      .values({ code: 'BARE', name: 'Bare' })
      .returning('uid')
      .executeTakeFirstOrThrow()
  ).uid
  const bare = await asAdministrator(server, await givenAdministrator(server, { clientUid: bareUid }))
  const { org, call, ofSite } = await givenConsole(server)
  const warden = await server.given.warden(org)
  await server.given.peep(org, warden.personUid)
  await givenAdministrator(server, org)

  const stepsOf = async (asked: typeof call) => (await asked(getOverview, {})).steps

  expect(Object.values((await stepsOf(bare)) ?? {})).toEqual([false, false, false, false, false, false])
  expect(await stepsOf(call)).toEqual({
    places: true,
    people: true,
    wardens: true,
    plans: true,
    templates: false,
    second_administrator: true,
  })
  expect(await stepsOf(await ofSite())).toBeNull()
})

test('ORG-49 a step that is not needed is put aside for the organisation, once, and brought back; a part has no say', async ({
  server,
}) => {
  const { org, call, ofSite } = await givenConsole(server)
  const colleague = await asAdministrator(server, await givenAdministrator(server, org))
  const asideOf = async () => (await colleague(getOverview, {})).steps_aside
  const put = (aside: boolean, asked: typeof call = call) =>
    asked(putStepAside, { params: { step: 'plans' }, body: { aside } }, withKey())
  const settings = (await call(getSettings, {})).version

  await put(true)
  await put(true)

  expect(await asideOf()).toEqual(['plans'])
  expect((await (await ofSite())(getOverview, {})).steps_aside).toEqual([])
  expect(await refused(put(false, await ofSite()))).toEqual(['forbidden'])
  expect((await call(getSettings, {})).version).toBe(settings)
  await put(false)
  expect(await asideOf()).toEqual([])
  const entries = await server.db
    .selectFrom('journal')
    .select(['before', 'after'])
    .where('clientUid', '=', org.clientUid)
    .where('action', '=', 'settings_changed')
    .orderBy('position')
    .execute()
  expect(entries).toEqual([
    { before: { steps_aside: [] }, after: { steps_aside: ['plans'] } },
    { before: { steps_aside: ['plans'] }, after: { steps_aside: [] } },
  ])
})

test('PPL-27 PPL-30 what is amiss is counted within reach: floors of today, people without a floor, plans with the mark', async ({
  server,
}) => {
  const { org, call, ofGroup } = await givenConsole(server)
  const keeper = await asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true }))
  const numbers = async (asked: typeof call) => {
    const { floors_without_warden, people_without_floor, plans_to_review } = await asked(getOverview, {})
    return [floors_without_warden, people_without_floor, plans_to_review]
  }
  const [floors, people, none] = await numbers(call)
  const warden = await server.given.warden(org)
  await server.given.warden(org, { floorUid: org.floors[1], status: 'Offered' })
  await server.given.peep(org, warden.personUid)
  await server.db
    .insertInto('person')
    .values({ clientUid: org.clientUid, code: 'N1', firstName: 'New', lastName: 'Hand' })
    .execute()

  expect([floors, none]).toEqual([4, null])
  expect(await numbers(keeper)).toEqual([3, (people ?? 0) + 1, 1])
  expect(await numbers(await ofGroup([warden.personUid]))).toEqual([3, 0, null])
})

test('ORG-37 an administrator of the whole organisation learns why no one would be texted', async ({ server }) => {
  const { org, call, ofSite } = await givenConsole(server)
  const reason = async (asked: typeof call) => (await asked(getOverview, {})).no_texts
  const turn = (smsAllowed: boolean) =>
    server.db.updateTable('client').set({ smsAllowed }).where('uid', '=', org.clientUid).execute()

  await turn(false)
  expect(await reason(call)).toBe('off')
  expect(await reason(await ofSite())).toBeNull()
  await turn(true)
  expect(await reason(call)).toBe('simulated')
})
