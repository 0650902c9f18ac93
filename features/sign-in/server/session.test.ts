import { expect } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { listEventSites } from '#features/events/calls/events.ts'
import type { PersonUid, SignInUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getProfile, rejoin } from '../calls/sign-in.ts'

/** One account that is warden at two organisations, signed in at the first. */
async function wardenOfTwo({ given, as }: TestServer) {
  const [home, away] = [await given.organisation(), await given.organisation()]
  const atHome = await given.warden(home)
  const atAway = await given.warden(away, { accountUid: atHome.accountUid, role: 'Chief Warden' })
  const call = await as(atHome)
  const cards = await call(listReportInCards, { query: { signInMethod: 'Email' } })
  const tokenOf = (assignmentUid: string) =>
    cards.find((card) => card.Warden_Assignment_UID === assignmentUid)?.oauth_token as string
  return { home, away, atHome, atAway, call, tokenOf }
}

test('API-10 LIST-29 a rejoin with a card token acts as that card from then on', async ({ server }) => {
  const { call, atAway, tokenOf } = await wardenOfTwo(server)

  const auth = await call(rejoin, { body: { oauth_token: tokenOf(atAway.assignmentUid) } })

  expect(auth).toMatchObject({
    Warden_Assignment_UID: atAway.assignmentUid,
    Person_UID: atAway.personUid,
    module_access: { Module_Event_Management: true },
    peer_email: atAway.email,
  })
  const profile = await server.callWith(auth.access_token)(getProfile, {})
  expect(profile.Client_UID).toBe(atAway.clientUid)
})

test('API-10 a rejoin by the uid of an own person, and the old token is dead', async ({ server }) => {
  const { call, atAway } = await wardenOfTwo(server)

  const auth = await call(rejoin, { body: { person_uid: atAway.personUid } })

  expect(auth.Person_UID).toBe(atAway.personUid)
  expect(auth.access_token).not.toBe(call.token)
  await expect(call(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
})

test('API-10 a rejoin ends no later than the sign-in before it would have', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const expiresAt = new Date(Date.now() + 60_000)
  const call = await server.as(warden, { expiresAt })

  await call(rejoin, { body: { person_uid: warden.personUid } })

  const sessions = await server.db
    .selectFrom('session')
    .select(['expiresAt', 'revokedAt', 'signInMethod'])
    .where('accountUid', '=', warden.accountUid)
    .orderBy('createdAt')
    .execute()
  expect(sessions).toEqual([
    { expiresAt, revokedAt: expect.any(Date), signInMethod: 'Email' },
    { expiresAt, revokedAt: null, signInMethod: 'Email' },
  ])
})

test('API-11 T3 foreign and invented credentials are 403 and leave the session as it is', async ({ server }) => {
  const { call, atHome } = await wardenOfTwo(server)
  const other = await wardenOfTwo(server)
  const colleague = await server.as(atHome)
  const [sameCard] = await colleague(listReportInCards, { query: { signInMethod: 'Email' } })

  for (const body of [
    { person_uid: other.atHome.personUid },
    { person_uid: '00000000-0000-4000-8000-000000000000' as PersonUid },
    { oauth_token: other.tokenOf(other.atHome.assignmentUid) },
    { oauth_token: sameCard?.oauth_token as string },
    { oauth_token: 'x' },
    { oauth_token: call.token },
  ])
    await expect(call(rejoin, { body })).rejects.toMatchObject({ code: 'unauthorized_access', status: 403 })

  await expect(call(getProfile, {})).resolves.toMatchObject({ Email: atHome.email })
})

test('API-11 T3 an own card token without an access token is nothing', async ({ server }) => {
  const { atHome, tokenOf } = await wardenOfTwo(server)

  const attempt = server.stranger(rejoin, { body: { oauth_token: tokenOf(atHome.assignmentUid) } })

  await expect(attempt).rejects.toMatchObject({ code: 'not_signed_in' })
})

test('API-11 a card that lapsed since the list was fetched cannot be rejoined', async ({ server }) => {
  const { call, atAway, tokenOf } = await wardenOfTwo(server)
  const withdrawn = server.db.updateTable('wardenAssignment').set({ status: 'Withdrawn' })
  await withdrawn.where('uid', '=', atAway.assignmentUid).execute()

  const attempt = call(rejoin, { body: { oauth_token: tokenOf(atAway.assignmentUid) } })

  await expect(attempt).rejects.toMatchObject({ code: 'unauthorized_access' })
})

test('API-10 T3 of two rejoins at once exactly one wins, thirty times', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  for (let round = 0; round < 30; round++) {
    const call = await server.as(warden)
    const body = { person_uid: warden.personUid }
    const answers = await Promise.allSettled([call(rejoin, { body }), call(rejoin, { body })])
    const lost = answers.filter((answer) => answer.status === 'rejected')
    expect(lost).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: 'not_signed_in' }) })])
  }

  const live = server.db.selectFrom('session').select('uid').where('revokedAt', 'is', null)
  expect(await live.where('accountUid', '=', warden.accountUid).execute()).toHaveLength(30)
})

test('LIST-39 the card token is the same at every fetch of a session, and another in every other session', async ({
  server,
}) => {
  const warden = await server.given.warden(await server.given.organisation())
  const [one, other] = [await server.as(warden), await server.as(warden)]
  const query = { signInMethod: 'Email' as const }

  const [first, again, elsewhere] = [
    await one(listReportInCards, { query }),
    await one(listReportInCards, { query }),
    await other(listReportInCards, { query }),
  ]

  expect(again).toEqual(first)
  expect(elsewhere[0]?.oauth_token).not.toBe(first[0]?.oauth_token)
  expect({ ...elsewhere[0], oauth_token: '' }).toEqual({ ...first[0], oauth_token: '' })
})

test('RT-25 a report-in-link session stays one through a rejoin: it ends with its sign-in', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const signIn = await server.signInOf(eventUid, warden)
  const call = await server.as(warden, { signInUid: signIn?.uid as SignInUid })

  await call(rejoin, { body: { person_uid: warden.personUid } })

  const session = server.db.selectFrom('session').select(['signInUid', 'isReportInToken', 'signInMethod'])
  const rejoined = await session.where('accountUid', '=', warden.accountUid).where('revokedAt', 'is', null).execute()
  expect(rejoined).toEqual([{ signInUid: signIn?.uid, isReportInToken: true, signInMethod: 'Mobile' }])
})

test('T8 a report-in link opens its own card and no other', async ({ server }) => {
  const { home, atHome, atAway } = await wardenOfTwo(server)
  const { eventUid } = await server.runningEvent(home)
  const signIn = await server.signInOf(eventUid, atHome)
  const call = await server.as(atHome, { signInUid: signIn?.uid as SignInUid })

  const attempt = call(rejoin, { body: { person_uid: atAway.personUid } })

  await expect(attempt).rejects.toMatchObject({ code: 'unauthorized_access', status: 403 })
})

test.for([
  ['expired', { expiresAt: new Date(Date.now() - 1000) }],
  ['revoked', { revokedAt: new Date() }],
] as const)('SESSION-20 a token that is %s is 401', async ([, over], { server }) => {
  const call = await server.as(await server.given.warden(await server.given.organisation()), over)

  await expect(call(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
})

test.for(['account', 'person', 'client'] as const)(
  'SESSION-20 a deactivated %s is 401 at once',
  async (table, { server }) => {
    const warden = await server.given.warden(await server.given.organisation())
    const call = await server.as(warden)
    await call(getProfile, {})
    const uid = { account: warden.accountUid, person: warden.personUid, client: warden.clientUid }[table]

    await server.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    await expect(call(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  },
)

test('AUTH-03 AMB-103 a role is what its row says: under any name, with the modules that it has', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { modules: ['Module_Event_Management'] })
  const called = { name: 'Sicherheitsbeauftragte', code: 'SB' }
  await server.db.updateTable('wardenRole').set(called).where('clientUid', '=', org.clientUid).execute()

  const auth = await server.signIn(warden.email)
  const call = server.callWith(auth.access_token)

  const flags = Object.entries(auth.module_access).filter(([, has]) => has)
  expect(flags).toEqual([['Module_Event_Management', true]])
  const [card] = await call(listReportInCards, { query: { signInMethod: 'Email' } })
  expect(card).toMatchObject({ Warden_Role: 'Sicherheitsbeauftragte', Button1_Key: 'Start Event' })
  await expect(call(listEventSites, {})).resolves.toBeDefined()
  await expect(call(getFloorData, {})).rejects.toMatchObject({ code: 'forbidden' })
})

test('AUTH-02 T5 flags are read at every call: a changed role counts at once, both ways', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { modules: ['Module_Event_Management'] })
  const call = await server.as(warden)
  await expect(call(listEventSites, {})).resolves.toBeDefined()
  const setModules = (modules: string[]) =>
    server.db.updateTable('wardenRole').set({ modules }).where('clientUid', '=', warden.clientUid).execute()

  await setModules(['Floor_Evacuation'])
  await expect(call(listEventSites, {})).rejects.toMatchObject({ code: 'forbidden', status: 403 })
  await expect(call(getFloorData, {})).resolves.toMatchObject({ error: 'no_event' })

  await setModules([])
  await expect(call(getFloorData, {})).rejects.toMatchObject({ code: 'forbidden' })
})

test.for([
  ['withdrawn', { status: 'Withdrawn' }],
  ['declined', { status: 'Declined' }],
  ['past its last day', { dateTo: '2020-12-31' }],
  ['not begun', { dateFrom: '2099-01-01' }],
] as const)('AUTH-02 T2 a role counts for nothing while the assignment is %s', async ([, change], { server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { role: 'Chief Warden' })
  const call = await server.as(warden)
  const assignment = server.db.updateTable('wardenAssignment').set(change)
  await assignment.where('uid', '=', warden.assignmentUid).execute()

  await expect(call(listEventSites, {})).rejects.toMatchObject({ code: 'forbidden', status: 403 })
})

test('SESSION-12 being client master grants nothing', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  await server.db.updateTable('person').set({ isClientMaster: true }).where('uid', '=', warden.personUid).execute()
  const call = await server.as(warden)

  await expect(call(getProfile, {})).resolves.toMatchObject({ Is_Client_Master: true })
  await expect(call(listEventSites, {})).rejects.toMatchObject({ code: 'forbidden' })
})
