import { expect } from 'vitest'
import { changePerson, getPerson } from '#features/people/calls/people.ts'
import { inClients } from '#server/platform/db/db.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { asAdministrator, givenAdministrator, secrets } from '#server/testing/administrators.ts'
import { post } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { startEnrolment } from '../../calls/console-sign-in.ts'
import { acceptInvitation, readInvitation } from '../../calls/invitations.ts'
import { invitationLink, invite } from './invitations.service.ts'

const password = 'nine lamps on the quay'

/** Someone invited, and the token of their link. */
async function invited(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { isInvited: true, ...over })
  return { org, admin, token: await newToken(server, admin) }
}

async function newToken(server: TestServer, { clientUid, personUid }: Awaited<ReturnType<typeof givenAdministrator>>) {
  const who = { clientUid, personUid, invitedByPersonUid: null }
  const uid = await inClients(server.db, [], (tx) => invite(tx, { secrets, now: new Date() }, who))
  return invitationLink(secrets.invitations, '')(uid).split('token=')[1] as string
}

const read = (server: TestServer, token: string) => server.stranger(readInvitation, { body: { token } })
const accept = (server: TestServer, token: string, given = password) =>
  server.stranger(acceptInvitation, { body: { token, password: given } })

test('ORG-11 an invitation says who invites to what, sets the first password, and goes on to the second factor', async ({
  server,
}) => {
  const { org, admin, token } = await invited(server)

  const shown = [await read(server, token), await read(server, token)]
  const accepted = await accept(server, token)

  expect(shown).toEqual(
    Array(2).fill({ state: 'open', organisation: org.name, what: 'administrator', has_password: false }),
  )
  expect(accepted).toEqual({ ticket: expect.any(String), step: 'enrol' })
  const { ticket } = accepted as { ticket: string }
  expect(await server.stranger(startEnrolment, { body: { ticket } })).toMatchObject({ secret: expect.any(String) })
  expect((await server.journalOf(admin.personUid)).map(({ action }) => action)).toEqual([
    'invitation_sent',
    'invitation_accepted',
  ])
  expect(await refused(server.signIn(admin.email, password))).toEqual(['unauthorized_access'])
})

test('ORG-11 an invitation works once, for seven days, and a newer one ends it', async ({ server }) => {
  const { admin, token } = await invited(server)
  const newer = await newToken(server, admin)
  const late = await invited(server)
  await server.db
    .updateTable('invitation')
    .set({ expiresAt: new Date() })
    .where('personUid', '=', late.admin.personUid)
    .execute()
  await accept(server, newer)

  for (const over of [token, newer, late.token, 'x', `${token}x`]) {
    expect(await read(server, over)).toEqual({ state: 'over' })
    expect(await accept(server, over)).toEqual({ problem: 'link_over' })
  }
})

test('ORG-11 PPL-12 an invitation is over once its e-mail is corrected, and stays with any other field', async ({
  server,
}) => {
  const { org, admin, token } = await invited(server)
  const call = await asAdministrator(server, await givenAdministrator(server, org))
  const params = { uid: admin.personUid }
  const change = async (fields: { email?: string; first_name?: string }) => {
    const { version } = await call(getPerson, { params })
    await call(changePerson, { params, body: { version, ...fields } })
  }

  await change({ first_name: 'Anne' })
  expect(await read(server, token)).toMatchObject({ state: 'open' })
  await change({ email: 'anne@right.test' })

  expect(await read(server, token)).toEqual({ state: 'over' })
  expect(await accept(server, token)).toEqual({ problem: 'link_over' })
  expect(await accept(server, await newToken(server, admin))).toMatchObject({ step: 'enrol' })
})

test('ORG-11 of eight who accept at once with different passwords one sets it', async ({ server }) => {
  const { token } = await invited(server)

  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => accept(server, token, `${password} ${n}`)))

  expect(outcomes.filter((outcome) => 'ticket' in outcome)).toHaveLength(1)
  expect(outcomes.filter((outcome) => 'problem' in outcome)).toHaveLength(7)
})

test('ORG-11 an invitation replaces no password, and opens nothing of someone who has left', async ({ server }) => {
  const [set, left, closed] = [await invited(server), await invited(server), await invited(server)]
  const passwordHash = await hashPassword('set by someone else')
  await server.db.updateTable('account').set({ passwordHash }).where('uid', '=', set.admin.accountUid).execute()
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', left.admin.personUid).execute()
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', closed.org.clientUid).execute()

  expect(await refused(accept(server, set.token))).toEqual(['invalid_credentials'])
  for (const { token, admin } of [set, left, closed]) {
    if (admin !== set.admin) expect(await accept(server, token)).toEqual({ problem: 'link_over' })
    const account = server.db.selectFrom('account').select('passwordHash').where('uid', '=', admin.accountUid)
    expect((await account.executeTakeFirst())?.passwordHash).toBe(admin === set.admin ? passwordHash : null)
  }
})

test.for([
  ['evac', 'too_short'],
  ['passwordpassword', 'too_common'],
  ['x'.repeat(200), 'too_long'],
] as const)(
  'ORG-11 the password "%s" is refused as %s, and the invitation stays',
  async ([given, problem], { server }) => {
    const { token } = await invited(server)

    expect(await accept(server, token, given)).toEqual({ problem })
    expect(await accept(server, token)).toMatchObject({ step: 'enrol' })
  },
)

test('ORG-11 an invited warden without a grant is done with the password', async ({ server }) => {
  const { admin, token } = await invited(server)
  await server.db
    .updateTable('administrator')
    .set({ revokedAt: new Date() })
    .where('uid', '=', admin.administratorUid)
    .execute()

  expect(await read(server, token)).toMatchObject({ state: 'open', what: 'warden' })
  expect(await accept(server, token)).toEqual({ done: true })
})

test('T11 an invitation is tried sixty times in 15 minutes', async ({ server }) => {
  const { admin, token } = await invited(server)
  const uid = (
    await server.db
      .selectFrom('invitation')
      .select('uid')
      .where('personUid', '=', admin.personUid)
      .executeTakeFirstOrThrow()
  ).uid
  const at = Array.from({ length: 60 }, () => new Date())
  await server.db
    .insertInto('recentAttempt')
    .values({ key: `invitation/${uid}`, at })
    .execute()

  expect((await post(server, acceptInvitation.path, { token, password })).status).toBe(429)
})
