import { expect } from 'vitest'
import { reportNotAvailable } from '#features/duty/calls/report-in.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { after, called, stateOf, untilTheyAnswer } from './reach.fixture.ts'

/** The warden gets a role of their own that is called second. */
async function callSecond({ db }: TestServer, { clientUid, assignmentUid }: Warden) {
  const role = { code: assignmentUid, name: `Helper ${assignmentUid}`, areaDomain: 'Floor', called: 'second' }
  const { uid: roleUid } = await db
    .insertInto('wardenRole')
    .values({ clientUid, ...role, modules: ['Floor_Evacuation'] })
    .returning('uid')
    .executeTakeFirstOrThrow()
  await db.updateTable('wardenAssignment').set({ roleUid }).where('uid', '=', assignmentUid).execute()
}

/** Ann and Bob have the first floor, Cas alone the second. Bob's role is called second, and others' if so said. */
const calledSecond = (server: TestServer, plans = untilTheyAnswer, others: readonly ('ann' | 'cas')[] = []) =>
  called(server, plans as never, {
    before: async (wardens) => {
      for (const name of ['bob', ...others] as const) await callSecond(server, wardens[name])
    },
  })

test('LADDER-06 who is called second gets no alert at the start, and gets it when no one of the floor has come', async ({
  server,
}) => {
  const c = await calledSecond(server)
  await sendTexts(server)
  expect(await textsOn(server, c.ann.mobile)).toHaveLength(1)
  expect(await textsOn(server, c.bob.mobile)).toEqual([])

  await after(server, c, 170)
  await sendTexts(server)
  expect(await textsOn(server, c.bob.mobile)).toEqual([])
  await after(server, c, 11)
  await sendTexts(server)

  expect(await textsOn(server, c.bob.mobile)).toEqual([expect.stringContaining('Report in: http')])
})

test('LADDER-06 someone of the floor who is on duty spares the second; someone of another floor does not', async ({
  server,
}) => {
  const c = await calledSecond(server)
  await server.onDuty(c.cas)
  const other = await calledSecond(server)
  await server.onDuty(other.ann)

  await after(server, c, 181)
  await after(server, other, 181)
  await sendTexts(server)

  expect(await textsOn(server, c.bob.mobile)).toHaveLength(1)
  expect(await textsOn(server, other.bob.mobile)).toEqual([])
  expect(await stateOf(server, other.bob)).toEqual({ state: 'over', reason: 'Someone else has answered.' })
})

test('LADDER-06 who is not available spares no one', async ({ server }) => {
  const c = await calledSecond(server)
  const asAnn = await server.as(c.ann)
  await asAnn(reportNotAvailable, {})

  await after(server, c, 181)
  await sendTexts(server)

  expect(await textsOn(server, c.bob.mobile)).toHaveLength(1)
})

test('LADDER-06 without the step, and where no one is called first, the second are called at the start', async ({
  server,
}) => {
  const asEver = await calledSecond(server, {})
  const alone = await calledSecond(server, untilTheyAnswer, ['ann', 'cas'])
  await sendTexts(server)

  for (const c of [asEver, alone]) expect(await textsOn(server, c.bob.mobile)).toHaveLength(1)
})

test('LADDER-06 who is called second has the same link, and reporting in with it is their answer', async ({
  server,
}) => {
  const c = await calledSecond(server)
  await after(server, c, 181)
  await server.onDuty(c.bob)
  await after(server, c, 61)

  expect(await stateOf(server, c.bob)).toEqual({ state: 'answered', reason: null })
})
