import { expect } from 'vitest'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { endInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getProfile, logout } from '../calls/sign-in.ts'

const lastManager = {
  status: 'cannot_logout',
  message: 'You are the only Event Manager on duty. Conclude the event or have another Event Manager report in first.',
}

test('SESSION-26 SESSION-27 API-13 PROD-11 an on-duty warden goes off duty, and the token is dead', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)

  const answer = await call(logout, {})

  const signIn = await server.signInOf(eventUid, warden)
  expect(answer).toEqual({ status: 'logout_success', message: 'You have been signed out.' })
  expect(signIn).toMatchObject({ onDuty: false, reportedIn: true, notAvailable: false, offDutyAt: expect.any(Date) })
  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 401 })
  const told = await server.journalOf(signIn?.uid as string)
  expect(told.map(({ action }) => action)).toEqual(['warden_reported_in', 'warden_off_duty', 'session_ended'])
})

test('SESSION-26 a warden who changed cards meanwhile goes off duty all the same', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const otherSite = await server.given.site(org)
  const assignmentUid = await server.given.assignment(warden, otherSite)
  const { eventUid } = await server.runningEvent(org)
  await server.onDuty(warden)

  await (await server.as({ ...warden, assignmentUid }))(logout, {})

  expect(await server.signInOf(eventUid, warden)).toMatchObject({ onDuty: false, offDutyAt: expect.any(Date) })
})

test('SESSION-25 the last manager may not leave from another card either', async ({ server }) => {
  const org = await server.given.organisation()
  const { chief, eventUid } = await server.runningEvent(org)
  const assignmentUid = await server.given.assignment(chief, await server.given.site(org))

  const answer = await (await server.as({ ...chief, assignmentUid }))(logout, {})

  expect(answer).toEqual(lastManager)
  expect(await server.signInOf(eventUid, chief)).toMatchObject({ onDuty: true })
})

test('SESSION-26 who is unknown or not available stays so', async ({ server }) => {
  const org = await server.given.organisation()
  const [unknown, away] = [await server.given.warden(org), await server.given.warden(org)]
  const { eventUid } = await server.runningEvent(org)
  const [first, second] = [await server.as(unknown), await server.as(away)]
  await second(reportNotAvailable, {})

  await Promise.all([first(logout, {}), second(logout, {})])

  expect(await server.signInOf(eventUid, unknown)).toMatchObject({
    onDuty: false,
    notAvailable: false,
    offDutyAt: null,
  })
  expect(await server.signInOf(eventUid, away)).toMatchObject({ onDuty: false, notAvailable: true, offDutyAt: null })
})

test('SESSION-25 API-13 the last manager on duty may not leave, and stays on duty with a live token', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { eventUid, chief, manager } = await server.runningEvent(org)
  await server.onDuty(await server.given.warden(org))
  await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const answer = await manager(logout, {})

  expect(answer).toEqual(lastManager)
  expect(await server.signInOf(eventUid, chief)).toMatchObject({ onDuty: true })
  await expect(manager(getProfile, {})).resolves.toBeDefined()
})

test('SESSION-25 once another manager is on duty the first may leave', async ({ server }) => {
  const org = await server.given.organisation()
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })
  const { manager } = await server.runningEvent(org)
  const second = await server.onDuty(deputy)

  expect(await manager(logout, {})).toMatchObject({ status: 'logout_success' })
  expect(await second(logout, {})).toEqual(lastManager)
})

test('SESSION-25 a manager who is not on duty, and the last one after the end, may leave', async ({ server }) => {
  const org = await server.given.organisation()
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })
  const { manager } = await server.runningEvent(org)

  expect(await (await server.as(deputy))(logout, {})).toMatchObject({ status: 'logout_success' })
  await manager(endEvent, endInput(org))
  expect(await manager(logout, {})).toMatchObject({ status: 'logout_success' })
})

const noLonger: [string, (server: TestServer, chief: Warden) => Promise<unknown>][] = [
  [
    'whose assignment was withdrawn',
    ({ db }, { assignmentUid }) =>
      db.updateTable('wardenAssignment').set({ status: 'Withdrawn' }).where('uid', '=', assignmentUid).execute(),
  ],
  [
    'who is no longer active',
    ({ db }, { personUid }) => db.updateTable('person').set({ active: false }).where('uid', '=', personUid).execute(),
  ],
]

test.for(noLonger)(
  'SESSION-25 AMB-046 a manager %s cannot conclude the event, and does not let the last one who can leave',
  async ([, end], { server }) => {
    const org = await server.given.organisation()
    const deputy = await server.given.warden(org, { role: 'Chief Warden' })
    const { chief } = await server.runningEvent(org)
    const second = await server.onDuty(deputy)

    await end(server, chief)

    expect(await second(logout, {})).toEqual(lastManager)
  },
)

test('SESSION-25 AMB-046 the only manager on duty whose assignment was withdrawn may leave', async ({ server }) => {
  const org = await server.given.organisation()
  const { chief, manager, eventUid } = await server.runningEvent(org)
  await noLonger[0]?.[1](server, chief)

  expect(await manager(logout, {})).toMatchObject({ status: 'logout_success' })

  expect(await server.signInOf(eventUid, chief)).toMatchObject({ onDuty: false })
})

test('SESSION-25 a manager with two phones is one manager: neither phone may sign out', async ({ server }) => {
  const org = await server.given.organisation()
  const { chief, manager } = await server.runningEvent(org)
  const tablet = await server.as(chief)

  expect(await tablet(logout, {})).toEqual(lastManager)
  expect(await manager(logout, {})).toEqual(lastManager)
})

test('SESSION-25 of two managers who leave at once exactly one may, fifty times', async ({ server }) => {
  const org = await server.given.organisation()
  const { given, as } = server
  const [one, other] = [
    await given.warden(org, { role: 'Chief Warden' }),
    await given.warden(org, { role: 'Chief Warden' }),
  ]
  const { eventUid, manager } = await server.runningEvent(org)
  await (await as(one))(reportIn, {})
  await manager(logout, {})

  for (let round = 0; round < 50; round++) {
    const [first, second] = [await server.onDuty(one), await server.onDuty(other)]
    const answers = await Promise.all([first(logout, {}), second(logout, {})])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['cannot_logout', 'logout_success'])
  }

  const onDuty = server.db.selectFrom('wardenSignIn').select('uid').where('eventUid', '=', eventUid)
  expect(await onDuty.where('onDuty', '=', true).execute()).toHaveLength(1)
}, 30_000)
