import { expect } from 'vitest'
import { getMe } from '#features/sign-in/calls/console-sign-in.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import {
  asAdministrator,
  type GivenAdministrator,
  givenAdministrator,
  givenGroup,
  givenSecondFactor,
} from '#server/testing/administrators.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig, withKey } from '#server/testing/test-server.ts'
import {
  appointAdministrator,
  listAdministrators,
  listCandidates,
  resetSecondFactor,
  revokeAdministrator,
} from '../calls/administrators.ts'

type Wanted = GivenInput<typeof appointAdministrator>['body']

/** An organisation with one administrator of everything, who is signed in. */
async function administered(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = { seesPlans: true }) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind', ...over })
  const call = await asAdministrator(server, admin)
  const appoint = (wanted: Partial<Wanted> & { person: PersonUid }) =>
    call(appointAdministrator, { body: { reach: 'organisation', sees_plans: false, ...wanted } }, withKey())
  return { org, admin, call, appoint }
}

const staffOf = (server: TestServer, org: Organisation, email = 'new@school.test') =>
  server.db
    .insertInto('person')
    .values({ clientUid: org.clientUid, code: 'N1', firstName: 'New', lastName: 'Hand', email })
    .returning('uid')
    .executeTakeFirstOrThrow()

test('ORG-11 a member of staff without an account is appointed, and invited by mail', async ({ server }) => {
  const { org, appoint, call, admin } = await administered(server)
  const { uid } = await staffOf(server, org)

  const reply = await appoint({ person: uid })
  await sendMails(server)

  const { rows } = await call(listAdministrators, {})
  expect(reply).toEqual({ uid: expect.any(String), invitation_link: null })
  expect(rows).toEqual([
    expect.objectContaining({ uid: reply.uid, state: 'invited', is_own: false, sees_plans: false, last_sign_in: null }),
    expect.objectContaining({ uid: admin.administratorUid, state: 'ready', is_own: true }),
  ])
  expect(await mailsTo(server, 'new@school.test')).toEqual([
    {
      subject: `You are an administrator of ${org.name}`,
      body: expect.stringMatching(
        new RegExp(
          `^Set your password within 7 days:\\nhttp://\\S+/console/invitation#token=[\\w-]{43}\\n\\n${org.name}, All Wardens$`,
        ),
      ),
    },
  ])
  expect(await server.journalOf(reply.uid)).toMatchObject([
    { action: 'administrator_appointed', actorPersonUid: admin.personUid, after: { reach: 'organisation' } },
  ])
})

test('ORG-11 who has a password and a second factor is told where to sign in, without a link', async ({ server }) => {
  const { org, appoint } = await administered(server)
  const warden = await server.given.warden(org)
  await givenSecondFactor(server, warden.accountUid)

  await appoint({ person: warden.personUid, reach: 'site', site: org.siteUid })
  await sendMails(server)

  expect(await mailsTo(server, warden.email)).toEqual([
    {
      subject: `You are an administrator of ${org.name}`,
      body: expect.stringMatching(/^Sign in:\nhttp:\S+\/console\/sign-in\n/),
    },
  ])
})

test('AUTH-29 who has a password and no second factor gets a link with the appointment', async ({ server }) => {
  const { org, appoint } = await administered(server)
  const warden = await server.given.warden(org)

  await appoint({ person: warden.personUid, reach: 'site', site: org.siteUid })
  await sendMails(server)

  expect(await mailsTo(server, warden.email)).toMatchObject([
    { body: expect.stringMatching(/^Set up your second factor within 7 days:\nhttp:\S+#token=/) },
  ])
})

test('ORG-11 where no mail is sent, the one who appoints is shown the link, and the journal says so', async () => {
  await using server = await startTestServer({ config: { ...testConfig, mail: undefined } })
  const { org, call, admin } = await administered(server)
  const { uid } = await staffOf(server, org)
  const body = { person: uid, reach: 'organisation', sees_plans: false } as const
  const key = withKey()

  const { invitation_link } = await call(appointAdministrator, { body }, key)

  expect(invitation_link).toMatch(/\/console\/invitation#token=[\w-]{43}$/)
  expect(await call(appointAdministrator, { body }, key)).toMatchObject({ invitation_link })
  expect((await server.journalOf(uid)).map(({ action, actorPersonUid }) => [action, actorPersonUid])).toEqual([
    ['invitation_sent', admin.personUid],
    ['invitation_shown', admin.personUid],
  ])
  const token = invitation_link?.split('token=')[1] as string
  const kept = await server.db.selectFrom('idempotency').select('reply').execute()
  expect(JSON.stringify(kept)).not.toContain(token)
})

test('ORG-11 no one changes their own grant, and visitors, leavers and strangers are no staff', async ({ server }) => {
  const { org, appoint, admin } = await administered(server)
  const elsewhere = await server.given.warden(await server.given.organisation())
  const people = [
    await server.given.visitor(org),
    await server.given.occupant(org, { active: false }),
    elsewhere.personUid,
    org.floorUid as string as PersonUid,
  ]

  expect(await refused(appoint({ person: admin.personUid, sees_plans: true }))).toEqual(['forbidden'])
  expect(await refused(...people.map((person) => appoint({ person })))).toEqual(people.map(() => 'not_found'))
})

test('ORG-10 ORG-11 a grant names a site or a group of its own organisation, and only where it needs one', async ({
  server,
}) => {
  const { org, appoint } = await administered(server)
  const { personUid: person } = await server.given.warden(org)
  const other = await server.given.organisation()
  const [group, foreign] = [await givenGroup(server, org), await givenGroup(server, other)]

  expect(
    await refused(
      appoint({ person, reach: 'site' }),
      appoint({ person, reach: 'site', group }),
      appoint({ person, reach: 'organisation', site: org.siteUid }),
      appoint({ person, reach: 'site', site: other.siteUid }),
      appoint({ person, reach: 'group', group: foreign }),
      appoint({ person, reach: 'group', group }),
    ),
  ).toEqual(['invalid_request', 'invalid_request', 'invalid_request', 'not_found', 'not_found', 'answered'])
})

test('ORG-11 the Plans permission is given by someone who has it, and told to all who have it', async ({ server }) => {
  const { org, admin, appoint } = await administered(server)
  const without = await givenAdministrator(server, org)
  const { personUid: person, email } = await server.given.warden(org, { firstName: 'Kim' })
  const by = await asAdministrator(server, without)
  const give = { person, reach: 'organisation', sees_plans: true } as const

  expect(await refused(by(appointAdministrator, { body: give }))).toEqual(['forbidden'])
  await appoint(give)
  await sendMails(server)

  const told = async (to: string) => (await mailsTo(server, to)).filter(({ subject }) => subject.includes('plans'))
  expect(await told(admin.email)).toEqual([
    {
      subject: expect.stringMatching(new RegExp(`^Kim \\d+ may see the plans of ${org.name}$`)),
      body: expect.stringMatching(/^By Nora Lind, .*(AEDT|AEST)\. If you did not ask for this, call them\./),
    },
  ])
  expect([(await told(email)).length, (await told(without.email)).length]).toEqual([1, 0])
  // keeping the mark is no giving
  expect(await refused(by(appointAdministrator, { body: { ...give, reach: 'site', site: org.siteUid } }))).toEqual([
    'answered',
  ])
})

test('ORG-11 a changed reach counts at once in a session that is open', async ({ server }) => {
  const { org, appoint } = await administered(server)
  const second = await givenAdministrator(server, org)
  const call = await asAdministrator(server, second)
  await call(listAdministrators, {})

  await appoint({ person: second.personUid, reach: 'site', site: org.siteUid })

  expect((await call(getMe, {})).reach).toEqual({ kind: 'site', name: org.siteName })
  expect(await refused(call(listAdministrators, {}))).toEqual(['forbidden'])
})

test('ORG-16 a revoked administrator is signed out at once, and an open invitation of theirs is over', async ({
  server,
}) => {
  const { org, call, appoint } = await administered(server)
  const second = await givenAdministrator(server, org)
  const open = await asAdministrator(server, second)
  const { uid: person } = await staffOf(server, org)
  const { uid } = await appoint({ person })

  const key = withKey()
  await call(revokeAdministrator, { params: { uid: second.administratorUid } }, key)
  expect(await call(revokeAdministrator, { params: { uid: second.administratorUid } }, key)).toEqual({
    status: 'revoked',
  })
  await call(revokeAdministrator, { params: { uid } })

  expect(await refused(open(getMe, {}))).toEqual(['not_signed_in'])
  const invitations = await server.db
    .selectFrom('invitation')
    .select('voidedAt')
    .where('personUid', '=', person)
    .execute()
  expect(invitations).toEqual([{ voidedAt: expect.any(Date) }])
  expect(await refused(call(revokeAdministrator, { params: { uid } }))).toEqual(['not_found'])
})

test('ORG-12 the last administrator who can sign in neither gives up nor is narrowed', async ({ server }) => {
  const { org, admin, call, appoint } = await administered(server)
  await givenAdministrator(server, org, { isNew: true })
  await givenAdministrator(server, org, { isInvited: true })
  await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid })
  const own = { params: { uid: admin.administratorUid } }

  expect(await refused(call(revokeAdministrator, own))).toEqual(['last_administrator'])
  const second = await givenAdministrator(server, org)
  await call(revokeAdministrator, own)

  const rest = await asAdministrator(server, second)
  expect(await refused(call(getMe, {}), rest(getMe, {}))).toEqual(['not_signed_in', 'answered'])
  expect(await refused(appoint({ person: second.personUid }))).toEqual(['not_signed_in'])
})

test('ORG-12 two who revoke, narrow or reset each other at once: one remains', async ({ server }) => {
  const acts = [
    (call: Call, { administratorUid: uid }: GivenAdministrator) => call(revokeAdministrator, { params: { uid } }),
    (call: Call, { administratorUid: uid }: GivenAdministrator) => call(resetSecondFactor, { params: { uid } }),
    (call: Call, { personUid: person }: GivenAdministrator, site: Organisation['siteUid']) =>
      call(appointAdministrator, { body: { person, reach: 'site', site, sees_plans: false } }),
  ]
  for (const act of acts) {
    const org = await server.given.organisation()
    const two = [await givenAdministrator(server, org), await givenAdministrator(server, org)] as const
    const [one, other] = [await asAdministrator(server, two[0]), await asAdministrator(server, two[1])]

    const outcomes = await refused(act(one, two[1], org.siteUid), act(other, two[0], org.siteUid))

    // An administrator narrowed before their own call is read is still signed in, and may not.
    expect(outcomes.toSorted()).toEqual(['answered', expect.stringMatching(/^(not_signed_in|forbidden)$/)])
  }
})
type Call = Awaited<ReturnType<typeof asAdministrator>>

test('ORG-25 another administrator resets a second factor: mail, sessions end, the own one never', async ({
  server,
}) => {
  const { org, admin, call } = await administered(server)
  const second = await givenAdministrator(server, org)
  const open = await asAdministrator(server, second)

  await call(resetSecondFactor, { params: { uid: second.administratorUid } })
  await sendMails(server)

  expect(await refused(open(getMe, {}))).toEqual(['not_signed_in'])
  expect((await call(listAdministrators, {})).rows.find(({ uid }) => uid === second.administratorUid)?.state).toBe(
    'no_second_factor',
  )
  expect((await mailsTo(server, second.email)).toSorted((a, b) => (a.subject < b.subject ? -1 : 1))).toEqual([
    {
      subject: `Set up your second factor for ${org.name}`,
      body: expect.stringMatching(/^Open this link within 7 days and give your password:\n.*#token=/),
    },
    {
      subject: 'Your second factor was reset',
      body: expect.stringMatching(/^Nora Lind did this at .*\. If you did not expect it, call .*\.\n\n/),
    },
  ])
  expect(await server.journalOf(second.personUid)).toMatchObject([
    { action: 'invitation_sent' },
    { action: 'second_factor_reset', actorPersonUid: admin.personUid },
  ])
  expect(await refused(call(resetSecondFactor, { params: { uid: admin.administratorUid } }))).toEqual(['forbidden'])
})

test('ORG-11 an address that another account signs in with is refused', async ({ server }) => {
  const { org, appoint } = await administered(server)
  const warden = await server.given.warden(org)
  const { uid } = await staffOf(server, org, warden.email.toUpperCase())

  expect(await refused(appoint({ person: uid }))).toEqual(['taken'])
})

test('ORG-11 five at once who appoint one person make one grant', async ({ server }) => {
  const { org, call, appoint } = await administered(server)
  const { uid } = await staffOf(server, org, 'five@school.test')

  await Promise.all(Array.from({ length: 5 }, () => appoint({ person: uid })))

  const { rows } = await call(listAdministrators, {})
  expect(rows.filter(({ person }) => person.uid === uid)).toHaveLength(1)
  const open = server.db
    .selectFrom('invitation')
    .select('uid')
    .where('personUid', '=', uid)
    .where('voidedAt', 'is', null)
  expect(await open.execute()).toHaveLength(1)
})

test('ORG-11 PPL-05 candidates are active staff whose names or e-mail begin so', async ({ server }) => {
  const { org, call } = await administered(server)
  await server.given.occupant(org, { firstName: 'Zoë', lastName: 'Quill' })
  await server.given.occupant(org, { firstName: 'Zora', lastName: '100%', active: false })
  await server.given.visitor(org, { firstName: 'Zoran' })
  const found = async (q: string) => (await call(listCandidates, { query: { q } })).map(({ last_name }) => last_name)

  expect([await found('zo'), await found('zoe'), await found('ZO qu'), await found('% _'), await found('   ')]).toEqual(
    [['Quill'], ['Quill'], ['Quill'], [], []],
  )
})
