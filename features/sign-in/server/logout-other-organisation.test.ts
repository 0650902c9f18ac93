import { expect } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import type { EventUid, SignInUid } from '#kernel/ids.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getProfile, logout, rejoin } from '../calls/sign-in.ts'

/** Two organisations with a running event each, and two people who are wardens at both, one on duty at the first. */
async function atTwo(server: TestServer, role?: 'Chief Warden') {
  const { given } = server
  const [home, away] = [await given.organisation(), await given.organisation()]
  const atHome = await given.warden(home, role && { role })
  const atAway = await given.warden(away, { accountUid: atHome.accountUid, ...(role && { role }) })
  const otherAtHome = await given.warden(home, role && { role })
  const otherAtAway = await given.warden(away, { accountUid: otherAtHome.accountUid, ...(role && { role }) })
  const [homeEvent, awayEvent] = [await server.runningEvent(home), await server.runningEvent(away)]
  const call = await server.onDuty(atHome)
  /** The same phone, after the card of the other organisation was tapped. */
  const atOtherCard = async () => {
    const { access_token } = await call(rejoin, { body: { person_uid: atAway.personUid } })
    return server.callWith(access_token)
  }
  return { atHome, atAway, otherAtHome, otherAtAway, homeEvent, awayEvent, call, atOtherCard }
}
const isOnDuty = async (server: TestServer, { eventUid }: { eventUid: EventUid }, warden: Warden) =>
  (await server.signInOf(eventUid, warden))?.onDuty

test('SESSION-26 who signs out from a card of another organisation goes off duty in the first', async ({ server }) => {
  const { atHome, homeEvent, atOtherCard } = await atTwo(server)

  expect(await (await atOtherCard())(logout, {})).toMatchObject({ status: 'logout_success' })

  const signIn = await server.signInOf(homeEvent.eventUid, atHome)
  expect(signIn).toMatchObject({ onDuty: false, offDutyAt: expect.any(Date) })
  expect((await server.journalOf(signIn?.uid as string)).at(-1)).toMatchObject({
    action: 'warden_off_duty',
    clientUid: atHome.clientUid,
    eventUid: homeEvent.eventUid,
    actorPersonUid: atHome.personUid,
    actorSignInUid: signIn?.uid,
  })
})

test('SESSION-26 who is on duty in two organisations goes off duty in both', async ({ server }) => {
  const { atHome, atAway, homeEvent, awayEvent, atOtherCard } = await atTwo(server)
  const call = await atOtherCard()
  await call(reportIn, {})

  await call(logout, {})

  expect(await isOnDuty(server, homeEvent, atHome)).toBe(false)
  expect(await isOnDuty(server, awayEvent, atAway)).toBe(false)
})

test('SESSION-25 the last manager of one organisation may not sign out from a card of another', async ({ server }) => {
  const { atHome, homeEvent, atOtherCard } = await atTwo(server, 'Chief Warden')
  await homeEvent.manager(logout, {})
  const call = await atOtherCard()

  expect(await call(logout, {})).toMatchObject({ status: 'cannot_logout' })

  expect(await isOnDuty(server, homeEvent, atHome)).toBe(true)
  await expect(call(getProfile, {})).resolves.toBeDefined()
})

test('T8 who signs out of a report-in link stays on duty in other organisations', async ({ server }) => {
  const { atHome, atAway, homeEvent, awayEvent } = await atTwo(server)
  const signIn = await server.signInOf(awayEvent.eventUid, atAway)
  const link = await server.as(atAway, { signInUid: signIn?.uid as SignInUid })
  await link(reportIn, {})

  await link(logout, {})

  expect(await isOnDuty(server, awayEvent, atAway)).toBe(false)
  expect(await isOnDuty(server, homeEvent, atHome)).toBe(true)
})

test('T8 who signs out of a report-in link stays on duty at their other cards of the organisation', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { siteUid, siteName, buildingUid, floorUid } = await server.given.site(org)
  const elsewhere = { ...org, siteUid, siteName, buildingUid, floorUid }
  const warden = await server.given.warden(org)
  const building = { ...warden, assignmentUid: await server.given.assignment(warden, org, { role: 'Building Warden' }) }
  const away = { ...warden, assignmentUid: await server.given.assignment(warden, elsewhere) }
  const [here, there] = [await server.runningEvent(org), await server.runningEvent(elsewhere)]
  for (const card of [warden, building, away]) await server.onDuty(card)
  const signIn = await server.signInOf(here.eventUid, building)
  const link = await server.as(building, { signInUid: signIn?.uid as SignInUid })

  await link(logout, {})

  expect(await isOnDuty(server, here, building)).toBe(false)
  expect(await isOnDuty(server, here, warden)).toBe(true)
  expect(await isOnDuty(server, there, away)).toBe(true)
})

test('SESSION-25 of two managers of two organisations who leave from different cards at once one may, twenty times', async ({
  server,
}) => {
  const { atHome, atAway, otherAtHome, otherAtAway, homeEvent, awayEvent } = await atTwo(server, 'Chief Warden')
  const report = () => Promise.all([atHome, atAway, otherAtHome, otherAtAway].map(server.onDuty))
  await report()
  for (const { manager } of [homeEvent, awayEvent]) await manager(logout, {})

  for (let round = 0; round < 20; round++) {
    const [first, , , second] = await report()
    const answers = await Promise.all([first?.(logout, {}), second?.(logout, {})])
    expect(answers.map((answer) => answer?.status).toSorted()).toEqual(['cannot_logout', 'logout_success'])
  }

  const onDuty = server.db.selectFrom('wardenSignIn').select('eventUid').where('onDuty', '=', true)
  const events = [homeEvent.eventUid, awayEvent.eventUid]
  const left = await onDuty.where('eventUid', 'in', events).execute()
  expect(left.map(({ eventUid }) => eventUid).toSorted()).toEqual(events.toSorted())
}, 30_000)
