import { Secret } from 'otpauth'
import { expect } from 'vitest'
import { inClients } from '#server/platform/db/db.ts'
import { currentCode } from '#server/platform/one-time-codes.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import {
  asAdministrator,
  codeOf,
  type GivenAdministrator,
  givenAdministrator,
  secrets,
  steppingClock,
} from '#server/testing/administrators.ts'
import { testPassword } from '#server/testing/given-wardens.ts'
import { post } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import {
  confirmEnrolment,
  getMe,
  giveCode,
  type NextStep,
  openWardenSession,
  renewRecoveryCodes,
  signInToConsole,
  signOutOfConsole,
  startEnrolment,
  switchOrganisation,
} from '../../calls/console-sign-in.ts'
import { acceptInvitation, readInvitation } from '../../calls/invitations.ts'
import { getProfile } from '../../calls/sign-in.ts'
import { invitationLink, invite } from '../invitations/invitations.service.ts'

const clock = steppingClock()
const test = testsWithServer({ clock })

const password = (server: TestServer, { email }: { email: string }, given = testPassword) =>
  server.stranger(signInToConsole, { body: { name: email, password: given } })

/** The link of an invitation and the password, which go on to the second factor. */
async function openLink(server: TestServer, { clientUid, personUid }: GivenAdministrator) {
  const who = { clientUid, personUid, invitedByPersonUid: null }
  const uid = await inClients(server.app.system, [], (tx) => invite(tx, { secrets, now: clock.now() }, who))
  const token = invitationLink(secrets.invitations, '')(uid).split('token=')[1] as string
  return server.stranger(acceptInvitation, { body: { token, password: testPassword } }) as Promise<NextStep>
}

async function signIn(server: TestServer, admin: GivenAdministrator) {
  clock.pass(60)
  const { ticket } = await password(server, admin)
  return server.stranger(giveCode, { body: { ticket, code: codeOf(admin, clock.now()) } })
}

test('ORG-20 password and code open the console, and say who it is', async ({ server }) => {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { seesPlans: true, firstName: 'Nora', lastName: 'Lind' })

  const step = await password(server, admin)
  const { access_token, me } = await signIn(server, admin)

  expect(step).toEqual({ ticket: expect.any(String), step: 'code' })
  expect(me).toEqual({
    person: { uid: admin.personUid, first_name: 'Nora', last_name: 'Lind' },
    organisation: { uid: org.clientUid, name: org.name, timezone: 'Australia/Sydney' },
    reach: { kind: 'organisation', name: null },
    sees_plans: true,
    rights: ['people', 'wardens', 'places', 'lists', 'tables', 'plans', 'records', 'organisation'],
    organisations: [],
    recovery_codes_left: 0,
  })
  expect(await server.callWith(access_token)(getMe, {})).toEqual(me)
  expect((await server.journalOf(admin.personUid)).map(({ action }) => action)).toEqual(['console_signed_in'])
})

test('ORG-20 a user name signs in like an e-mail, in any case and with spaces around', async ({ server }) => {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  await server.db.updateTable('account').set({ username: 'Nora.Lind' }).where('uid', '=', admin.accountUid).execute()

  expect(await password(server, { email: ' nora.LIND ' })).toMatchObject({ step: 'code' })
})

test('ORG-20 the same code opens nothing a second time, nor does an older one', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  clock.pass(60)
  const [old, code] = [codeOf(admin, new Date(clock.now().getTime() - 30_000)), codeOf(admin, clock.now())]
  const tickets = await Promise.all([1, 2, 3, 4].map(() => password(server, admin)))
  const give = (index: number, code: string) =>
    server.stranger(giveCode, { body: { ticket: tickets[index]?.ticket as string, code } })

  expect(await refused(give(0, code))).toEqual(['answered'])
  expect(await refused(give(1, code), give(2, old))).toEqual(['wrong_code', 'wrong_code'])
  clock.pass(30)
  expect(await refused(give(3, codeOf(admin, clock.now())))).toEqual(['answered'])
})

test('ORG-20 four requests at once with one code open one session', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  clock.pass(60)
  const tickets = await Promise.all(Array.from({ length: 4 }, () => password(server, admin)))
  const code = codeOf(admin, clock.now())

  const outcomes = await refused(...tickets.map(({ ticket }) => server.stranger(giveCode, { body: { ticket, code } })))

  expect(outcomes.toSorted()).toEqual(['answered', 'wrong_code', 'wrong_code', 'wrong_code'])
})

test('ORG-20 a ticket opens one session, and none after five minutes', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  clock.pass(60)
  const [used, late] = [await password(server, admin), await password(server, admin)]
  await server.stranger(giveCode, { body: { ticket: used.ticket, code: codeOf(admin, clock.now()) } })
  clock.pass(30)
  const again = await refused(
    server.stranger(giveCode, { body: { ticket: used.ticket, code: codeOf(admin, clock.now()) } }),
  )
  clock.pass(5 * 60)
  const tooLate = await refused(
    server.stranger(giveCode, { body: { ticket: late.ticket, code: codeOf(admin, clock.now()) } }),
  )

  expect([...again, ...tooLate]).toEqual(['not_signed_in', 'not_signed_in'])
})

test('ORG-20 a made-up ticket, a ticket of the other step, and a token of the console are no tickets', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [admin, fresh] = [await givenAdministrator(server, org), await givenAdministrator(server, org, { isNew: true })]
  const { ticket } = await password(server, admin)
  const other = await openLink(server, fresh)
  const session = await asAdministrator(server, admin)
  const code = codeOf(admin, clock.now())

  expect(other.step).toBe('enrol')
  const tries = ['x', `${ticket}x`, session.token, other.ticket].map((ticket) =>
    server.stranger(giveCode, { body: { ticket, code } }),
  )
  expect(await refused(...tries, server.stranger(startEnrolment, { body: { ticket } }))).toEqual(
    Array.from({ length: 5 }, () => 'not_signed_in'),
  )
})

test('ORG-21 AUTH-29 who has no second factor sets it up by a link and the password, and gets ten recovery codes once', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { isNew: true })
  clock.pass(60)
  expect(await refused(password(server, admin))).toEqual(['use_link'])
  const { ticket } = await openLink(server, admin)

  const { secret, uri } = await server.stranger(startEnrolment, { body: { ticket } })
  const shownAgain = await server.stranger(startEnrolment, { body: { ticket } })
  const known = Buffer.from(Secret.fromBase32(secret).bytes)
  const wrong = await refused(server.stranger(confirmEnrolment, { body: { ticket, code: '000000' } }))
  const opened = await server.stranger(confirmEnrolment, { body: { ticket, code: currentCode(known, clock.now()) } })

  expect(shownAgain.secret).toBe(secret)
  expect(new URL(uri).searchParams.get('issuer')).toBe(org.name)
  expect(wrong).toEqual(['wrong_code'])
  expect(opened.recovery_codes).toHaveLength(10)
  expect(opened.me.recovery_codes_left).toBe(10)
  // the code that proved it is used up
  expect(await refused(signIn(server, { ...admin, secret: known }))).toEqual(['answered'])
  expect((await server.journalOf(admin.personUid)).map(({ action }) => action)).toEqual([
    ...['invitation_sent', 'invitation_accepted', 'second_factor_set'],
    'console_signed_in',
    'console_signed_in',
  ])
})

test('ORG-21 of two who set up the second factor of one account at once, one does; the other signs in with it', async ({
  server,
}) => {
  const admin = await givenAdministrator(server, await server.given.organisation(), { isNew: true })
  clock.pass(60)
  const enrol = async () => {
    const { ticket } = await openLink(server, admin)
    const { secret } = await server.stranger(startEnrolment, { body: { ticket } })
    return { ticket, code: currentCode(Buffer.from(Secret.fromBase32(secret).bytes), clock.now()) }
  }
  const both = [await enrol(), await enrol()]

  const outcomes = await refused(...both.map((body) => server.stranger(confirmEnrolment, { body })))

  expect(outcomes.toSorted()).toEqual(['answered', 'not_signed_in'])
})

test('ORG-20 each recovery code opens the console once, in any spelling, also of several at once', async ({
  server,
}) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const call = await asAdministrator(server, admin)
  const { recovery_codes } = await call(renewRecoveryCodes, {})
  const [first = '', second = ''] = recovery_codes
  const open = async (code: string) => {
    const { ticket } = await password(server, admin)
    return server.stranger(giveCode, { body: { ticket, code } })
  }

  expect((await open(` ${first.toLowerCase()} `)).me.recovery_codes_left).toBe(9)
  expect(await refused(open(first))).toEqual(['wrong_code'])
  expect((await refused(open(second), open(second), open(second))).toSorted()).toEqual([
    'answered',
    'wrong_code',
    'wrong_code',
  ])
  await call(renewRecoveryCodes, {})
  expect(await refused(open(recovery_codes[2] as string))).toEqual(['wrong_code'])
})

test('ORG-23 five wrong codes of account and network stop it for 15 minutes; elsewhere the right one opens', async ({
  server,
}) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  clock.pass(60)
  const network = '203.0.113.7'
  const give = async (code: string, from = network) => {
    const { body } = await post(server, signInToConsole.path, { name: admin.email, password: testPassword }, from)
    return post(server, giveCode.path, { ticket: body.ticket, code }, from)
  }
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await give('000000')).status)

  const right = await give(codeOf(admin, clock.now()))
  const elsewhere = await give(codeOf(admin, clock.now()), '203.0.113.8')
  clock.pass(15 * 60 + 1)
  const later = await give(codeOf(admin, clock.now()))

  expect(statuses).toEqual([400, 400, 400, 400, 400])
  expect(right).toMatchObject({
    status: 429,
    body: { error: 'too_many_attempts', message: 'Too many failed attempts. Try again in 15 minutes.' },
  })
  expect([elsewhere.status, later.status]).toEqual([200, 200])
})

test('ORG-23 T11 guesses from many networks leave each network a few tries of its own', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const { ticket } = await password(server, admin)
  const give = (code: string, n: number) => post(server, giveCode.path, { ticket, code }, `198.51.${n}.7`)
  for (let n = 0; n < 60; n++) await give('000000', n)

  const statuses: number[] = []
  for (const _ of [1, 2]) statuses.push((await give('000000', 200)).status)
  const tooMany = await give('000000', 200)
  const honest = await give(codeOf(admin, clock.now()), 201)

  expect(statuses).toEqual([400, 400])
  expect([tooMany.status, honest.status]).toEqual([429, 200])
})

test('ORG-23 T11 NET-01 45 lines of one site have twenty codes for an account, and the administrator elsewhere gets in', async ({
  server,
}) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const { ticket } = await password(server, admin)
  const give = (code: string, from: string) => post(server, giveCode.path, { ticket, code }, from)

  const answers = await Promise.all(
    Array.from({ length: 45 }, (_, line) => give('000000', `2001:db8:c0de:${(line * 300).toString(16)}::7`)),
  )

  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  expect((await give(codeOf(admin, clock.now()), '2001:db8:c0df::7')).status).toBe(200)
})

test('ORG-23 T9 who is no administrator learns it by the right password alone; names are not told', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const ask = async (name: string, given: string) =>
    (await post(server, signInToConsole.path, { name, password: given })).body

  expect(await ask(warden.email, testPassword)).toEqual({
    error: 'not_an_administrator',
    message: 'This account is not an administrator.',
  })
  const wrong = await ask(warden.email, 'wrong password')
  expect(wrong.error).toBe('invalid_credentials')
  expect(await ask('nobody@evac.test', testPassword)).toEqual(wrong)
  expect(await ask((await givenAdministrator(server, org)).email, 'wrong password')).toEqual(wrong)
})

test('ORG-23 wrong passwords at the console and at the warden side use up the same tries', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const network = '203.0.113.99'
  const ask = (path: string, body: object) => post(server, path, body, network)
  for (let n = 0; n < 5; n++) {
    await ask(signInToConsole.path, { name: admin.email, password: 'wrong password' })
    await ask('/api/v2/auth/login', { email: admin.email, password: 'wrong password' })
  }

  expect((await ask(signInToConsole.path, { name: admin.email, password: testPassword })).status).toBe(429)
})

test('ORG-16 a new password ends sessions and tickets of the console, whatever door it came by', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation())
  const call = await asAdministrator(server, admin)
  clock.pass(60)
  const { ticket } = await password(server, admin)
  await server.db.updateTable('account').set({ passwordHash: 'another' }).where('uid', '=', admin.accountUid).execute()

  const code = codeOf(admin, clock.now())
  expect(await refused(call(getMe, {}), server.stranger(giveCode, { body: { ticket, code } }))).toEqual([
    'not_signed_in',
    'not_signed_in',
  ])
})

test('ORG-15 ORG-16 the warden side opens without typing, and neither side signs the other out', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const admin = await givenAdministrator(server, org, { person: warden })
  const call = await asAdministrator(server, admin)

  const { access_token } = await call(openWardenSession, {})
  const onWardenSide = server.callWith(access_token)

  expect(await onWardenSide(getProfile, {})).toMatchObject({ Email: warden.email })
  await call(signOutOfConsole, {})
  expect(await refused(call(getMe, {}), onWardenSide(getProfile, {}))).toEqual(['not_signed_in', 'answered'])
})

test('ORG-14 ORG-15 a grant gives no card: without one the warden side stays closed', async ({ server }) => {
  const call = await asAdministrator(server, await givenAdministrator(server, await server.given.organisation()))

  expect(await refused(call(openWardenSession, {}))).toEqual(['unauthorized_access'])
})

test('ORG-22 one password for two organisations: the switch asks for the code of the other account', async ({
  server,
}) => {
  const [here, there] = [await server.given.organisation(), await server.given.organisation()]
  const email = 'both@evac.test'
  const own = await givenAdministrator(server, here, { email })
  const other = await givenAdministrator(server, there, { email })
  clock.pass(60)
  const { ticket } = await password(server, { email })
  const first = await server.stranger(giveCode, { body: { ticket, code: codeOf(own, clock.now()) } })
  const call = server.callWith(first.access_token)

  const step = await call(switchOrganisation, { body: { client: there.clientUid } })
  const byOwnCode = await refused(
    server.stranger(giveCode, { body: { ticket: step.ticket, code: codeOf(own, clock.now()) } }),
  )
  const second = await server.stranger(giveCode, { body: { ticket: step.ticket, code: codeOf(other, clock.now()) } })

  expect(first.me.organisations).toEqual([{ uid: there.clientUid, name: there.name }])
  expect(byOwnCode).toEqual(['wrong_code'])
  expect(second.me.organisation.uid).toBe(there.clientUid)
  expect(second.me.organisations).toEqual([{ uid: here.clientUid, name: here.name }])
})

test('ORG-22 nothing switches to an organisation whose password was another one, or has changed', async ({
  server,
}) => {
  const [here, there, third] = [
    await server.given.organisation(),
    await server.given.organisation(),
    await server.given.organisation(),
  ]
  const email = 'apart@evac.test'
  const own = await givenAdministrator(server, here, { email })
  const changed = await givenAdministrator(server, there, { email })
  const apart = await givenAdministrator(server, third, { email })
  const passwordHash = await hashPassword('another password')
  const setHash = (uid: string) =>
    server.db.updateTable('account').set({ passwordHash }).where('uid', '=', uid).execute()
  await setHash(apart.accountUid)
  clock.pass(60)
  const { ticket } = await password(server, { email })
  const { access_token, me } = await server.stranger(giveCode, { body: { ticket, code: codeOf(own, clock.now()) } })
  await setHash(changed.accountUid)

  const call = server.callWith(access_token)
  const clients = [there, third, here].map(({ clientUid }) => call(switchOrganisation, { body: { client: clientUid } }))

  expect(me.organisations.map(({ uid }) => uid)).toEqual([there.clientUid])
  expect(await refused(...clients)).toEqual(['not_found', 'not_found', 'not_found'])
})

test('ORG-25 T7 no table holds a secret, a code, a ticket or a token as it is', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation(), { isNew: true })
  clock.pass(60)
  const { ticket } = await openLink(server, admin)
  const { secret } = await server.stranger(startEnrolment, { body: { ticket } })
  const pending = await server.db
    .selectFrom('consoleTicket')
    .select('secret')
    .where('accountUid', '=', admin.accountUid)
    .execute()
  const known = Buffer.from(Secret.fromBase32(secret).bytes)
  const opened = await server.stranger(confirmEnrolment, { body: { ticket, code: currentCode(known, clock.now()) } })
  const { rows } = await server.database.owner.pg.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )

  const hidden = [secret, known.toString('hex'), ticket, opened.access_token, ...opened.recovery_codes]
  for (const { name } of rows)
    for (const text of hidden) {
      const found = await server.database.owner.pg.query(`select from ${name} t where t::text like $1`, [`%${text}%`])
      expect([name, found.rowCount]).toEqual([name, 0])
    }
  expect(pending.map((row) => row.secret?.includes(known))).toEqual([false])
})

test('AUTH-29 a password alone sets up no second factor, and the link alone does not either', async ({ server }) => {
  const admin = await givenAdministrator(server, await server.given.organisation(), { isNew: true })
  const who = { clientUid: admin.clientUid, personUid: admin.personUid, invitedByPersonUid: null }
  const uid = await inClients(server.app.system, [], (tx) => invite(tx, { secrets, now: clock.now() }, who))
  const token = invitationLink(secrets.invitations, '')(uid).split('token=')[1] as string
  const accept = (given: string) => server.stranger(acceptInvitation, { body: { token, password: given } })

  await expect(password(server, admin)).rejects.toMatchObject({
    code: 'use_link',
    message: 'Open the link in your invitation to set up your second factor.',
  })
  expect(await server.stranger(readInvitation, { body: { token } })).toMatchObject({ has_password: true })
  expect(await refused(accept('not the password of anyone'))).toEqual(['invalid_credentials'])
  expect(await accept(testPassword)).toMatchObject({ step: 'enrol' })
  expect(await accept(testPassword)).toEqual({ problem: 'link_over' })
})
