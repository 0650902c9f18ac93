import { sql } from 'kysely'
import { expect } from 'vitest'
import { listEventSites } from '#features/events/calls/events.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { sha256 } from '#server/platform/secrets.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getProfile } from '../calls/sign-in.ts'

test.for([
  ['the email', 'first@evac.test', (email: string, _username: string) => email],
  ['the email in other letters, with spaces around', 'second', (email: string) => `  ${email.toUpperCase()} `],
  ['the username', 'Wade.W', (_: string, username: string) => username],
  ['the username in other letters', 'Wilma.W', (_: string, username: string) => ` ${username.toLowerCase()} `],
] as const)('LOGIN-50 a warden signs in by %s', async ([, username, entry], { server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { username })

  const auth = await server.signIn(entry(warden.email, username))

  const profile = await server.callWith(auth.access_token)(getProfile, {})
  expect(auth).toMatchObject({ token_type: 'Bearer', Person_UID: warden.personUid, peer_email: warden.email })
  expect(profile).toMatchObject({ Email: warden.email, Client_UID: org.clientUid })
})

test.for([
  ['a wrong password', 'warden', 'evacuate2'],
  ['a password in other letters', 'warden', 'Evacuate1'],
  ['a password with a space after it', 'warden', 'evacuate1 '],
  ['no one by that name', 'nobody@evac.test', 'evacuate1'],
  ['a pattern instead of a name', '%', 'evacuate1'],
] as const)(
  'LOGIN-37 LOGIN-53 API-05 %s is invalid_credentials with 400, never 401',
  async ([, name, password], { server }) => {
    const warden = await server.given.warden(await server.given.organisation())

    const attempt = server.signIn(name === 'warden' ? warden.email : name, password)

    const refusal = { code: 'invalid_credentials', status: 400, message: expect.stringMatching(/./) }
    await expect(attempt).rejects.toMatchObject(refusal)
    expect(await sessionsOf(server, warden)).toEqual([])
  },
)

test('LOGIN-37 an account that is switched off, or has no password, has no valid credentials', async ({ server }) => {
  const org = await server.given.organisation()
  const [off, without] = [await server.given.warden(org), await server.given.warden(org)]
  await server.db.updateTable('account').set({ active: false }).where('uid', '=', off.accountUid).execute()
  await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', without.accountUid).execute()

  const attempts = await Promise.allSettled([server.signIn(off.email), server.signIn(without.email)])

  const refused = expect.objectContaining({ code: 'invalid_credentials' })
  expect(attempts.map((attempt) => attempt.status === 'rejected' && attempt.reason)).toEqual([refused, refused])
})

test.for([
  ['has declined', { status: 'Declined' }],
  ['has withdrawn', { status: 'Withdrawn' }],
  ['has lapsed', { dateFrom: '2020-01-01', dateTo: '2020-12-31' }],
] as const)(
  'LOGIN-38 LOGIN-50 whose assignment %s is not authorised, told only after the right password',
  async ([, over], { server }) => {
    const warden = await server.given.warden(await server.given.organisation(), over)

    const wrong = server.signIn(warden.email, 'evacuate2')
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_credentials', status: 400 })
    const right = server.signIn(warden.email)
    await expect(right).rejects.toMatchObject({ code: 'unauthorized_access', status: 403 })

    expect(await sessionsOf(server, warden)).toEqual([])
  },
)

test.for(['client', 'person'] as const)(
  'LOGIN-50 a warden of a deactivated %s is not authorised',
  async (table, { server }) => {
    const warden = await server.given.warden(await server.given.organisation())
    const uid = table === 'client' ? warden.clientUid : warden.personUid
    await server.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    const attempt = server.signIn(warden.email)

    await expect(attempt).rejects.toMatchObject({ code: 'unauthorized_access' })
  },
)

test('LOGIN-50 an assignment that ends today still counts, by the date at the site', async ({ server }) => {
  const org = await server.given.organisation()
  // 14 hours ahead of UTC and 11 behind it: at any moment the two have different dates
  const [east, west] = [
    await server.given.site(org, { timezone: 'Pacific/Kiritimati' }),
    await server.given.site(org, { timezone: 'Pacific/Pago_Pago' }),
  ]
  const dateTo = await dateIn(server, 'Pacific/Pago_Pago')
  const [lapsed, last] = [await server.given.warden(east, { dateTo }), await server.given.warden(west, { dateTo })]

  const [atEast, atWest] = await Promise.allSettled([server.signIn(lapsed.email), server.signIn(last.email)])

  expect(atEast).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized_access' } })
  expect(atWest).toMatchObject({ status: 'fulfilled', value: { module_access: { Module_Floor_Evacuation: true } } })
})

test('AUTH-01 AUTH-02 all nine flags are answered, as the role has them', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { modules: ['Module_My_Messages'] })

  const auth = await server.signIn(warden.email)

  const expected = moduleFlags.map((flag) => [flag, flag === 'Module_My_Messages'])
  expect(auth.module_access).toEqual(Object.fromEntries(expected))
})

test.for([
  ['Offered', { status: 'Offered' }],
  ['not begun', { dateFrom: '2099-01-01' }],
] as const)('AUTH-02 with an assignment that is %s every flag is false', async ([, over], { server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { role: 'Chief Warden', ...over })

  const auth = await server.signIn(warden.email)

  expect(auth.module_access).toEqual(Object.fromEntries(moduleFlags.map((flag) => [flag, false])))
})

test('API-04 a sign-in is bound to the first card: the running event before everything else', async ({ server }) => {
  const org = await server.given.organisation()
  const elsewhere = await server.given.organisation({ siteName: 'A site that comes first by name' })
  const warden = await server.given.warden(org)
  await server.given.warden(elsewhere, { accountUid: warden.accountUid })
  const { eventUid } = await server.runningEvent(org)

  const auth = await server.signIn(warden.email)

  const signIn = await server.signInOf(eventUid, warden)
  expect(auth).toMatchObject({
    Warden_Assignment_UID: warden.assignmentUid,
    WardenSignInUID: signIn?.uid,
    on_duty: false,
    event: { status: true, goToReportInListPage: false },
  })
})

test('SESSION-04 T7 only the hash of the token is kept, with how the warden signed in; for twelve hours', async ({
  server,
}) => {
  const warden = await server.given.warden(await server.given.organisation(), { username: 'hashed' })

  const byEmail = await server.signIn(warden.email)
  const byName = await server.signIn('hashed')

  const sessions = await sessionsOf(server, warden)
  expect(sessions.map(({ tokenHash }) => tokenHash)).toEqual([
    sha256(byEmail.access_token),
    sha256(byName.access_token),
  ])
  expect(sessions.map(({ signInMethod }) => signInMethod)).toEqual(['Email', 'Username'])
  const hours = sessions.map(({ expiresAt, createdAt }) => (expiresAt.getTime() - createdAt.getTime()) / 3_600_000)
  expect(hours).toEqual([expect.closeTo(12, 1), expect.closeTo(12, 1)])
  expect(JSON.stringify([sessions, await server.db.selectFrom('journal').selectAll().execute()])).not.toContain(
    byEmail.access_token,
  )
})

test('API-12 SESSION-11 the profile is that of the signed-in person', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { firstName: 'Wanda', mobile: '61491000001' })

  const profile = await (await server.as(warden))(getProfile, {})

  expect(profile).toEqual({
    Firstname: 'Wanda',
    Lastname: expect.any(String),
    Email: warden.email,
    Mobile: '61491000001',
    Is_Client_Master: false,
    Client_UID: org.clientUid,
    Primary_Location_Floor_UID: org.floorUid,
  })
})

const sessionsOf = ({ db }: TestServer, { accountUid }: Warden) =>
  db.selectFrom('session').selectAll().where('accountUid', '=', accountUid).orderBy('createdAt').execute()

async function dateIn({ db }: TestServer, timezone: string): Promise<string> {
  const { rows } = await sql<{ today: string }>`select (now() at time zone ${timezone})::date as today`.execute(db)
  return rows[0]?.today as string
}

test('AMB-040 a manager who is offered a further assignment signs in to the one they have', async ({ server }) => {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const offered = await server.given.assignment(chief, org, { status: 'Offered' })

  const auth = await server.signIn(chief.email)

  expect(auth).toMatchObject({
    Warden_Assignment_UID: chief.assignmentUid,
    module_access: { Module_Event_Management: true },
  })
  expect(auth.Warden_Assignment_UID).not.toBe(offered)
  const { data } = await server.callWith(auth.access_token)(listEventSites, {})
  expect(data.sites.flatMap(({ buildings }) => buildings)).not.toEqual([])
})
