import { expect } from 'vitest'
import { listAdministrators } from '#features/administrators/calls/administrators.ts'
import { getNow } from '#features/assignments/calls/waiting.ts'
import { suspend } from '#features/organisation/server/organisations.service.ts'
import { asAdministrator, codeOf, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { confirmIdentity, getMe, renewRecoveryCodes, signOutOfConsole } from '../../calls/console-sign-in.ts'
import { getProfile } from '../../calls/sign-in.ts'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function signedIn(server: TestServer, over: Parameters<typeof asAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  return { org, admin, call: await asAdministrator(server, admin, over) }
}

test.for([
  ['after twelve hours', { expiresAt: ago(0) }],
  ['after an hour without a request', { seenAt: ago(61) }],
  ['once it is signed out', { revokedAt: ago(1) }],
] as const)('ORG-22 a session is over %s', async ([, over], { server }) => {
  const { call } = await signedIn(server, over)

  expect(await refused(call(getMe, {}), call(getNow, {}))).toEqual(['not_signed_in', 'not_signed_in'])
})

test('ORG-22 a request begins the hour anew; a poll of a screen that is left open does not', async ({ server }) => {
  const { call, admin } = await signedIn(server, { seenAt: ago(59) })
  const seenAt = async () => {
    const session = server.db.selectFrom('consoleSession').select('seenAt').where('accountUid', '=', admin.accountUid)
    return (await session.executeTakeFirstOrThrow()).seenAt.getTime()
  }

  await call(getNow, {})
  const afterPoll = await seenAt()
  await call(getMe, {})

  expect(afterPoll).toBeLessThan(ago(58).getTime())
  expect(await seenAt()).toBeGreaterThan(ago(1).getTime())
})

const endings = {
  'the account is switched off': (server, { accountUid }) =>
    server.db.updateTable('account').set({ active: false }).where('uid', '=', accountUid).execute(),
  'the person is deactivated': (server, { personUid }) =>
    server.db.updateTable('person').set({ active: false }).where('uid', '=', personUid).execute(),
  'the grant is revoked': (server, { administratorUid }) =>
    server.db.updateTable('administrator').set({ revokedAt: new Date() }).where('uid', '=', administratorUid).execute(),
  'the second factor is gone': (server, { accountUid }) =>
    server.db.deleteFrom('secondFactor').where('accountUid', '=', accountUid).execute(),
  'the organisation is switched off': (server, { clientUid }) =>
    server.db.updateTable('client').set({ active: false }).where('uid', '=', clientUid).execute(),
} satisfies Record<
  string,
  (server: TestServer, admin: Awaited<ReturnType<typeof givenAdministrator>>) => Promise<unknown>
>

test.for(Object.keys(endings) as (keyof typeof endings)[])(
  'ORG-16 an open session ends when %s',
  async (ending, { server }) => {
    const { admin, call } = await signedIn(server)
    await call(getMe, {})

    await endings[ending](server, admin)

    expect(await refused(call(getMe, {}))).toEqual(['not_signed_in'])
  },
)

test('ORG-16 a suspended organisation signs its administrators out for good', async ({ server }) => {
  const { org, call } = await signedIn(server)
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()

  await suspend(server.db, code, { evenInEvent: false })
  await server.db.updateTable('client').set({ active: true }).where('uid', '=', org.clientUid).execute()

  expect(await refused(call(getMe, {}))).toEqual(['not_signed_in'])
})

test('ORG-16 signing out ends this session alone, and is journaled', async ({ server }) => {
  const { admin, call } = await signedIn(server)
  const other = await asAdministrator(server, admin)

  await call(signOutOfConsole, {})

  expect(await refused(call(getMe, {}), other(getMe, {}))).toEqual(['not_signed_in', 'answered'])
  expect(await server.journalOf(admin.personUid)).toMatchObject([
    { action: 'console_signed_out', actorPersonUid: admin.personUid },
  ])
})

test('ORG-14 a console token opens nothing of the wardens, nor theirs the console', async ({ server }) => {
  const { org, call } = await signedIn(server)
  const warden = await server.as(await server.given.warden(org))

  expect(await refused(call(getProfile, {}), warden(getMe, {}))).toEqual(['not_signed_in', 'not_signed_in'])
})

test('ORG-24 ten minutes after a code, confirmed calls ask for another one', async ({ server }) => {
  const { admin, call } = await signedIn(server, { confirmedAt: ago(11) })
  expect(await refused(call(renewRecoveryCodes, {}), call(listAdministrators, {}))).toEqual([
    'confirm_identity',
    'answered',
  ])

  const code = codeOf(admin, new Date())
  expect(await refused(call(confirmIdentity, { body: { code: '000000' } }))).toEqual(['wrong_code'])
  await call(confirmIdentity, { body: { code } })

  expect((await call(renewRecoveryCodes, {})).recovery_codes).toHaveLength(10)
  expect(await refused(call(confirmIdentity, { body: { code } }))).toEqual(['wrong_code'])
})

test("ORG-24 no one confirms with another administrator's code", async ({ server }) => {
  const { org, call } = await signedIn(server, { confirmedAt: ago(11) })
  const other = await givenAdministrator(server, org)

  expect(await refused(call(confirmIdentity, { body: { code: codeOf(other, new Date()) } }))).toEqual(['wrong_code'])
})

test('ORG-10 now: running events within reach, with the site and since when', async ({ server }) => {
  const org = await server.given.organisation({ siteName: 'Quay' })
  const away = await server.given.site(org, { name: 'Northgate' })
  await server.runningEvent(org)
  const whole = await asAdministrator(server, await givenAdministrator(server, org))
  const groupUid = await givenGroup(server, org)
  const reaching = async (over: Parameters<typeof givenAdministrator>[2]) =>
    asAdministrator(server, await givenAdministrator(server, org, over))
  const [here, elsewhere, ofGroup] = [
    await reaching({ reach: 'site', siteUid: org.siteUid }),
    await reaching({ reach: 'site', siteUid: away.siteUid }),
    await reaching({ reach: 'group', groupUid }),
  ]

  const events = [{ uid: expect.any(String), site: 'Quay', started_at: expect.stringMatching(/Z$/) }]
  const seen = await Promise.all([whole, here, ofGroup, elsewhere].map((call) => call(getNow, {})))
  const waiting: never[] = []
  expect(seen).toEqual([
    { events, waiting },
    { events, waiting },
    { events, waiting },
    { events: [], waiting },
  ])
})
