import { expect } from 'vitest'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { wardenOf } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { getProfile, login, rejoin } from '../../calls/sign-in.ts'
import { goodPassword, mailRows, newToken, resetRows, setPassword } from './password-reset.fixture.ts'

test('AMB-028 the link sets a new password: the old one is refused, the new one signs in', async ({ server }) => {
  const warden = await wardenOf(server)

  expect(await setPassword(server, await newToken(server, warden))).toBe('changed')

  expect(await refused(server.signIn(warden.email))).toEqual(['invalid_credentials'])
  expect(await server.signIn(warden.email, goodPassword)).toMatchObject({ Person_UID: warden.personUid })
})

test('AMB-028 T7 every session of the account ends, at every organisation; no one else loses theirs', async ({
  server,
}) => {
  const [here, there] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(here)
  const elsewhere = await server.given.warden(there, { accountUid: warden.accountUid })
  const colleague = await server.as(await server.given.warden(here))
  const sessions = [await server.as(warden), await server.as(warden), await server.as(elsewhere)]

  await setPassword(server, await newToken(server, warden))

  const own = await refused(...sessions.map((call) => call(getProfile, {})))
  expect(own).toEqual(['not_signed_in', 'not_signed_in', 'not_signed_in'])
  expect(await refused(colleague(getProfile, {}))).toEqual(['answered'])
})

test('AMB-028 SESSION-27 sockets close by the journal, as at a sign-out; the warden stays on duty', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  await server.onDuty(warden)

  await setPassword(server, await newToken(server, warden))

  const signIn = await server.signInOf(eventUid, warden)
  expect((await server.journalOf(signIn?.uid as string)).at(-1)).toMatchObject({ action: 'session_ended', eventUid })
  expect(signIn).toMatchObject({ onDuty: true, closedAt: null })
})

test('AMB-028 AUTH-07 the journal of each organisation tells of the change, and of nothing secret', async ({
  server,
}) => {
  const [here, there] = [await server.given.organisation(), await server.given.organisation()]
  const warden = await server.given.warden(here)
  const elsewhere = await server.given.warden(there, { accountUid: warden.accountUid })
  const token = await newToken(server, warden)

  await setPassword(server, token)

  const told = [...(await server.journalOf(warden.accountUid)), ...(await server.journalOf(elsewhere.accountUid))]
  expect(told.map(({ action, clientUid, before, after }) => [action, clientUid, before, after])).toEqual([
    ['password_changed', here.clientUid, null, null],
    ['password_changed', there.clientUid, null, null],
  ])
  expect(told[0]?.actorPersonUid).toBe(warden.personUid)
})

test('AMB-028 the person is told by mail, with the first name and no more', async ({ server }) => {
  const warden = await wardenOf(server, { firstName: 'Wilma' })

  await setPassword(server, await newToken(server, warden))
  await sendMails(server)

  const [, told] = await mailsTo(server, warden.email)
  expect(told?.subject).toBe('Your password was changed')
  expect(told?.body).toMatch(/^Hello Wilma,\n\nyour password was changed\./)
  expect(told?.body).not.toMatch(/token=|@|6149/)
})

test('NUM-06 who has one name is greeted by it', async ({ server }) => {
  const warden = await wardenOf(server)
  await server.db
    .updateTable('person')
    .set({ firstName: '', lastName: 'Suharto' })
    .where('uid', '=', warden.personUid)
    .execute()

  await setPassword(server, await newToken(server, warden))
  await sendMails(server)

  const bodies = (await mailsTo(server, warden.email)).map(({ body }) => body)
  expect(bodies).toEqual([expect.stringMatching(/^Hello Suharto, someone/), expect.stringMatching(/^Hello Suharto,\n/)])
})

test('AMB-028 a link works once, however it is tried again', async ({ server }) => {
  const token = await newToken(server, await wardenOf(server))
  await setPassword(server, token)

  for (const attempt of [token, `${token}A`, 'x', "' or 1=1 --"])
    expect(await setPassword(server, attempt, 'another long password')).toBe('link_over')
})

test('AMB-028 F7 anyone who lost the answer hears it again by the same password, which is set once', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  const again = () => setPassword(server, token)

  expect(await Promise.all([again(), again(), again()])).toEqual(['changed', 'changed', 'changed'])
  const signedIn = await server.as(warden)
  expect(await again()).toBe('changed')

  expect(await refused(signedIn(getProfile, {}))).toEqual(['answered'])
  expect((await mailRows(server, warden)).filter(({ kind }) => kind === 'password_changed')).toHaveLength(1)
  expect(await server.signIn(warden.email, goodPassword)).toMatchObject({ Person_UID: warden.personUid })
})

test('AMB-028 a used link says nothing about a password that has been set since', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  await setPassword(server, token)

  await setPassword(server, await newToken(server, warden), 'another long password')

  expect(await setPassword(server, token)).toBe('link_over')
})

test('AMB-028 of sixty at once with the same link exactly one sets its password', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  const passwords = Array.from({ length: 60 }, (_, i) => `lantern number ${i} on the quay`)

  const outcomes = await Promise.all(passwords.map((password) => setPassword(server, token, password)))

  const winner = passwords[outcomes.indexOf('changed')] as string
  expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'link_over')).toHaveLength(59)
  expect(await server.signIn(warden.email, winner)).toMatchObject({ Person_UID: warden.personUid })
  expect((await mailRows(server, warden)).filter(({ kind }) => kind === 'password_changed')).toHaveLength(1)
}, 30_000)

test.for([
  [29, 'changed'],
  [30, 'link_over'],
] as const)('AMB-028 after %i minutes a link is %s', async ([minutes, outcome]) => {
  const clock = { time: Date.now(), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const token = await newToken(server, await wardenOf(server))

  clock.time += minutes * 60_000

  expect(await setPassword(server, token)).toBe(outcome)
})

test('AMB-028 T7 looking at a link, as mail programs do, does not use it up', async ({ server }) => {
  const token = await newToken(server, await wardenOf(server))

  for (const method of ['GET', 'HEAD'] as const)
    for (const path of ['/reset-password', '/api/v2/auth/reset-password'])
      await server.app.inject({ method, url: `${path}?token=${token}` })

  expect(await setPassword(server, token)).toBe('changed')
})

test('AMB-028 a password that is refused leaves the link as it was', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)

  expect(await setPassword(server, token, 'fourteen chars')).toBe('too_short')
  expect(await setPassword(server, token, 'passwordpassword')).toBe('too_common')

  expect((await resetRows(server, warden))[0]?.usedAt).toBeNull()
  expect(await refused(server.signIn(warden.email))).toEqual(['answered'])
  expect(await setPassword(server, token)).toBe('changed')
})

test('AMB-028 the link of an account that was switched off meanwhile is over', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  await server.db.updateTable('account').set({ active: false }).where('uid', '=', warden.accountUid).execute()

  expect(await setPassword(server, token)).toBe('link_over')
})

test('AMB-028 T30 a link has sixty tries, made-up links use up none of it, and the person who set a new password may use it there at once', async ({
  server,
}) => {
  const network = '198.51.100.60'
  const warden = await wardenOf(server)
  const guess = (password: string) =>
    server.app.inject({
      method: 'POST',
      url: login.path,
      remoteAddress: network,
      payload: { email: warden.email, password },
    })
  for (let i = 0; i < 11; i++) await guess('wrong password')
  expect((await guess('evacuate1')).statusCode).toBe(429)

  const token = await newToken(server, warden)
  for (let i = 0; i < 70; i++) expect(await setPassword(server, 'x', goodPassword, network)).toBe('link_over')
  expect(await setPassword(server, token, goodPassword, network)).toBe('changed')
  expect((await guess(goodPassword)).statusCode).toBe(200)

  const guesses = await Promise.all(
    Array.from({ length: 60 }, () => setPassword(server, token, 'another long password', network)),
  )
  expect(guesses.toSorted()).toEqual([...Array(59).fill('link_over'), undefined])
}, 30_000)

test('AMB-028 T7 a sign-in with the old password that is under way ends with the others', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  const held = await server.hold('account', warden.accountUid)
  const change = setPassword(server, token)
  await held.waiting(1)
  const late = refused(server.signIn(warden.email))
  await held.waiting(2)

  await held.release()

  expect([await change, await late]).toEqual(['changed', ['invalid_credentials']])
})

test('AMB-028 T7 a session that is changing cards meanwhile ends, too', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  const call = await server.as(warden)
  const held = await server.hold('person', warden.personUid)
  const changingCards = refused(call(rejoin, { body: { person_uid: warden.personUid } }))
  await held.waiting(1)
  const change = setPassword(server, token)
  await held.waiting(2)

  await held.release()

  expect([await changingCards, await change]).toEqual([['answered'], 'changed'])
  const alive = server.db.selectFrom('session').select('uid').where('accountUid', '=', warden.accountUid)
  expect(await alive.where('revokedAt', 'is', null).execute()).toEqual([])
})
