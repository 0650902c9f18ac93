import { expect } from 'vitest'
import { invitePerson, showInvitation } from '#features/people/calls/sign-in-acts.ts'
import { signInToConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, testConfig, withKey } from '#server/testing/test-server.ts'
import { givenPuppeteers, puppetPassword } from './puppets.fixture.ts'

const own = 'twelve boats in the fog'

test('AUTH-30 a password and second factor that came by a merge open no console: who is appointed is invited and sets both', async ({
  server,
}) => {
  const { call, holder, merge, appoint, enrol, origins, withPuppet } = await givenPuppeteers(server)
  const { person, puppet } = await withPuppet()
  await merge(call, person.uid, puppet.uid, ['sign_in'])
  const signIn = (password: string) => server.stranger(signInToConsole, { body: { name: person.email, password } })
  const merged = { password_merged: { by: 'Nora Lind', at: expect.any(String) } }
  expect(await origins(person.uid)).toMatchObject({ ...merged, password_was_shown: false })

  await appoint(holder, person.uid, true)

  expect(await refused(signIn(puppetPassword))).toEqual(['invalid_credentials'])
  await enrol(person.email, own)
  expect(await signIn(own)).toMatchObject({ step: 'code' })
  expect(await origins(person.uid)).toMatchObject({ password_merged: null })
})

test('AUTH-30 no second factor comes by a merge, also where its password has been changed since', async ({
  server,
}) => {
  const { call, merge, withPuppet } = await givenPuppeteers(server)
  const { person, puppet } = await withPuppet()

  await merge(call, person.uid, puppet.uid, ['sign_in'])

  const factors = server.db.selectFrom('secondFactor as f').innerJoin('person as p', 'p.accountUid', 'f.accountUid')
  expect(await factors.select('f.accountUid').where('p.uid', '=', person.uid).execute()).toEqual([])
})

test.for([
  ['mailed', false],
  ['shown', true],
] as const)(
  'AUTH-30 before a role that starts events is offered, who merged is named with a password by a %s link',
  async ([, isShown], { server }) => {
    const { call, site, add, merge, offerFloor, offerChief, appoint, withdrawAll, mailedToken, accept, origins } =
      await givenPuppeteers(server)
    const [person, puppet] = [await add(call, 'Pia'), await add(site, 'Dummy')]
    await offerFloor(site, puppet.uid)
    const params = { uid: puppet.uid }
    const token = isShown
      ? (await site(showInvitation, { params }, withKey())).link.split('token=')[1]
      : await site(invitePerson, { params }, withKey()).then(() => mailedToken(puppet.email))
    expect(await accept(token as string)).toEqual({ done: true })
    await withdrawAll(site, puppet.uid)

    await merge(site, person.uid, puppet.uid)

    const merged = { password_merged: { by: 'Sly Site', at: expect.any(String) }, password_was_shown: isShown }
    expect(await origins(person.uid)).toMatchObject(merged)
    await offerChief(call, person.uid)
    expect(await origins(person.uid)).toMatchObject(merged)
    await appoint(call, person.uid)
    expect(await refused(server.signIn(person.email, puppetPassword))).toEqual(['invalid_credentials'])
  },
)

test('AUTH-30 nor does a password of who stays open a console, when the email comes from who goes', async ({
  server,
}) => {
  const { call, holder, merge, appoint, origins, withPuppet } = await givenPuppeteers(server)
  const { person, puppet } = await withPuppet()
  await merge(call, puppet.uid, person.uid, ['first_name', 'email'])
  expect(await origins(puppet.uid)).toMatchObject({
    addresses: [{ by: 'Nora Lind' }],
    password_merged: { by: 'Nora Lind' },
  })

  await appoint(holder, puppet.uid, true)

  const body = { name: person.email, password: puppetPassword }
  expect(await refused(server.stranger(signInToConsole, { body }))).toEqual(['invalid_credentials'])
})

test('AUTH-30 a password that stays with its own email is not said to have come by a merge', async ({ server }) => {
  const { call, add, merge, offerFloor, mailedToken, accept, origins } = await givenPuppeteers(server)
  const [person, other] = [await add(call, 'Pia'), await add(call, 'Pia', { mobile: '+61491570156' })]
  await offerFloor(call, person.uid)
  await call(invitePerson, { params: { uid: person.uid } }, withKey())
  await accept(await mailedToken(person.email), own)

  await merge(call, person.uid, other.uid)

  expect(await origins(person.uid)).toMatchObject({ password_merged: null })
  expect(await refused(server.signIn(person.email, own))).toEqual(['answered'])
})

test('AUTH-30 who is given the Plans permission loses a password from a shown invitation, and is invited', async () => {
  await using server = await startTestServer({ config: { ...testConfig, mail: undefined } })
  const { call, holder, add, appoint, accept, origins } = await givenPuppeteers(server)
  const { uid, email } = await add(call, 'Pia')
  const { invitation_link } = await appoint(call, uid)
  await accept(invitation_link?.split('token=')[1] as string)
  expect(await origins(uid)).toMatchObject({ password_was_shown: true })

  expect(await appoint(holder, uid, true)).toMatchObject({ invitation_link: expect.stringContaining('token=') })

  const body = { name: email, password: puppetPassword }
  expect(await refused(server.stranger(signInToConsole, { body }))).toEqual(['invalid_credentials'])
})
