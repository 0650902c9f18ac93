import { expect } from 'vitest'
import { acceptInvitation, readInvitation } from '#features/sign-in/calls/invitations.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig, withKey } from '#server/testing/test-server.ts'
import { changePerson, getPerson } from '../calls/people.ts'
import { invitePerson, sendPasswordLink, showInvitation, signOutPerson } from '../calls/sign-in-acts.ts'

/** An organisation with an administrator, and what they do about the sign-in of others. */
async function administered(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const siteUid = over.reach === 'site' ? org.siteUid : undefined
  const admin = await givenAdministrator(server, org, { ...over, ...(siteUid && { siteUid }) })
  const call = await asAdministrator(server, admin)
  const to = (uid: PersonUid) => ({ params: { uid } })
  return {
    org,
    admin,
    call,
    see: (uid: PersonUid) => call(getPerson, to(uid)),
    invite: (uid: PersonUid) => call(invitePerson, to(uid), withKey()),
    show: (uid: PersonUid, key = withKey()) => call(showInvitation, to(uid), key),
    link: (uid: PersonUid) => call(sendPasswordLink, to(uid), withKey()),
    signOut: (uid: PersonUid, take_off_duty = false) =>
      call(signOutPerson, { ...to(uid), body: { take_off_duty } }, withKey()),
    /** A warden whom no one has given a password yet. */
    newWarden: async () => {
      const warden = await server.given.warden(org)
      await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', warden.accountUid).execute()
      return warden
    },
  }
}

const token = (text: string | undefined) => /token=([\w-]{43})/.exec(text ?? '')?.[1] ?? ''
const actionsOf = async (server: TestServer, uid: PersonUid) =>
  (await server.journalOf(uid)).map(({ action }) => action)

test('PPL-12 a warden without a password is invited by mail; the link sets the first one and a newer ends it', async ({
  server,
}) => {
  const { org, newWarden, invite, see } = await administered(server)
  const warden = await newWarden()
  expect((await see(warden.personUid)).sign_in.acts).toEqual(['invite', 'show_invitation', 'sign_out'])

  expect(await invite(warden.personUid)).toEqual({ status: 'invited' })
  await sendMails(server)
  expect(await invite(warden.personUid)).toEqual({ status: 'invited' })
  await sendMails(server)

  const [first, second] = await mailsTo(server, warden.email)
  expect(first?.subject).toBe(`${org.name} asks you to be Floor Warden`)
  expect(first?.body).toMatch(
    /^\d+ \w+ \d{4} to \d+ \w+ \d{4}, .+\. Set your password within 7 days:\nhttp\S+#token=[\w-]{43}\n\n.+, All Wardens$/,
  )
  expect(await server.stranger(readInvitation, { body: { token: token(first?.body) } })).toEqual({ state: 'over' })
  const password = 'nine lamps on the quay'
  expect(await server.stranger(acceptInvitation, { body: { token: token(second?.body), password } })).toEqual({
    done: true,
  })
  expect(await server.signIn(warden.email, password)).toMatchObject({ Person_UID: warden.personUid })
})

test('PPL-12 who has a password is told without a link, and shown none', async ({ server }) => {
  const { org, invite, show, see } = await administered(server)
  const warden = await server.given.warden(org)
  expect((await see(warden.personUid)).sign_in.acts).toEqual(['invite', 'password_link', 'sign_out'])

  expect(await invite(warden.personUid)).toEqual({ status: 'told' })
  await sendMails(server)
  const [mail] = await mailsTo(server, warden.email)
  expect(mail?.body).toMatch(/Sign in:\nhttp\S+\/login\n/)
  expect(mail?.body).not.toContain('token')
  expect(await refused(show(warden.personUid))).toEqual(['invalid_transition'])
  expect(
    await server.db.selectFrom('invitation').where('personUid', '=', warden.personUid).selectAll().execute(),
  ).toEqual([])
})

test('PPL-12 no one is invited to nothing: no assignment, one that is past, a leaver', async ({ server }) => {
  const { org, newWarden, invite, show, see } = await administered(server)
  const occupant = await server.given.occupant(org)
  const past = await newWarden()
  await server.db
    .updateTable('wardenAssignment')
    .set({ dateFrom: '2020-01-01', dateTo: '2020-12-31' })
    .where('uid', '=', past.assignmentUid)
    .execute()
  const left = await newWarden()
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', left.personUid).execute()

  for (const uid of [occupant, past.personUid, left.personUid]) {
    expect(await refused(invite(uid), show(uid))).toEqual(['invalid_transition', 'invalid_transition'])
    expect((await see(uid)).sign_in.acts).not.toContain('invite')
  }
})

test('PPL-13 an invitation is shown to the person who asks, by name in the journal, and its token is stored nowhere', async ({
  server,
}) => {
  const { admin, newWarden, show } = await administered(server, { reach: 'site' })
  const warden = await newWarden()
  const key = withKey()

  const shown = await show(warden.personUid, key)

  expect(shown).toMatchObject({ link: expect.stringMatching(/#token=[\w-]{43}$/), what: 'Floor Warden' })
  expect(await show(warden.personUid, key)).toEqual(shown)
  expect(await server.journalOf(warden.personUid)).toMatchObject([
    { action: 'invitation_sent', actorPersonUid: admin.personUid },
    { action: 'invitation_shown', actorPersonUid: admin.personUid, subjectUid: warden.personUid },
  ])
  const kept = await server.db.selectFrom('idempotency').select('reply').execute()
  expect(JSON.stringify(kept)).not.toContain(token(shown.link))
  expect(await server.stranger(readInvitation, { body: { token: token(shown.link) } })).toMatchObject({
    what: 'warden',
  })
})

test('PPL-13 ORG-17 an invitation of an administrator is shown only where no mail is sent', async ({ server }) => {
  const { org, show, invite, see } = await administered(server)
  const invited = await givenAdministrator(server, org, { isInvited: true })

  expect((await see(invited.personUid)).sign_in.acts).toEqual(['invite', 'sign_out'])
  expect(await refused(show(invited.personUid))).toEqual(['forbidden'])
  expect(await invite(invited.personUid)).toEqual({ status: 'invited' })
  await sendMails(server)
  expect(await mailsTo(server, invited.email)).toMatchObject([{ subject: `You are an administrator of ${org.name}` }])

  await using silent = await startTestServer({ config: { ...testConfig, mail: undefined } })
  const there = await administered(silent)
  const other = await givenAdministrator(silent, there.org, { isInvited: true })
  expect((await there.see(other.personUid)).sign_in.acts).toEqual(['show_invitation', 'sign_out'])
  expect(await there.show(other.personUid)).toMatchObject({ what: 'administrator' })
  expect(await refused(there.invite(other.personUid), there.link(other.personUid))).toEqual([
    'invalid_transition',
    'invalid_transition',
  ])
})

test('ORG-17 ORG-10 a site acts on its own people, and never on an administrator', async ({ server }) => {
  const { org, invite, show, link, signOut, see } = await administered(server, { reach: 'site' })
  const away = await server.given.warden(await server.given.site(org, { name: 'Away' }))
  const chief = await givenAdministrator(server, org)
  await server.db
    .updateTable('person')
    .set({ primaryFloorUid: org.floorUid })
    .where('uid', '=', chief.personUid)
    .execute()
  await server.db.updateTable('person').set({ primaryFloorUid: null }).where('uid', '=', away.personUid).execute()
  const acts = (uid: PersonUid) => refused(invite(uid), show(uid), link(uid), signOut(uid))

  expect(await acts(away.personUid)).toEqual(Array(4).fill('not_found'))
  expect(await acts(chief.personUid)).toEqual(Array(4).fill('forbidden'))
  const { authority } = await see(chief.personUid)
  expect([authority.password_link.refusal, authority.sign_out.refusal]).toEqual(
    Array(2).fill('Only an administrator of the whole organisation can do this.'),
  )
})

test('PPL-11 a link for a new password goes to the account, five times at most in a quarter of an hour', async ({
  server,
}) => {
  const { org, link } = await administered(server)
  const warden = await server.given.warden(org)

  expect(await link(warden.personUid)).toEqual({ status: 'sent' })
  await sendMails(server)
  expect(await mailsTo(server, warden.email)).toMatchObject([
    { body: expect.stringMatching(/within 30 minutes[\s\S]*\/reset-password#token=/) },
  ])
  expect(await actionsOf(server, warden.personUid)).toEqual(['password_link_sent'])
  for (let n = 0; n < 4; n++) await link(warden.personUid)
  expect(await refused(link(warden.personUid))).toEqual(['too_many_attempts'])
  expect(await refused(link(await server.given.occupant(org)))).toEqual(['invalid_transition'])
})

test('PPL-11 ORG-16 signing out everywhere ends the sessions of both sides at this organisation', async ({
  server,
}) => {
  const { org, signOut } = await administered(server)
  const warden = await server.given.warden(org)
  const grant = await givenAdministrator(server, org, { person: warden })
  const [phone, console] = [await server.as(warden), await asAdministrator(server, grant)]
  const bystander = await server.as(await server.given.warden(org))

  expect(await signOut(warden.personUid)).toEqual({ status: 'signed_out' })

  expect(await refused(phone('GET /api/user', {}), console('GET /api/console/me', {}))).toEqual([
    'not_signed_in',
    'not_signed_in',
  ])
  await bystander('GET /api/user', {})
  expect(await actionsOf(server, warden.personUid)).toContain('person_signed_out')
})

test('PPL-11 ORG-45 who is on duty is taken off duty only if asked, with a code, and never as the last manager', async ({
  server,
}) => {
  const { org, admin, signOut } = await administered(server)
  const warden = await server.given.warden(org)
  const { chief } = await server.runningEvent(org)
  const phone = await server.onDuty(warden)
  const stale = await asAdministrator(server, admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
  const body = { take_off_duty: true }
  const duty = async () =>
    (
      await server.db.selectFrom('wardenSignIn').select('onDuty').where('personUid', '=', warden.personUid).execute()
    ).map(({ onDuty }) => onDuty)

  expect(
    await refused(
      signOut(warden.personUid),
      stale(signOutPerson, { params: { uid: warden.personUid }, body }, withKey()),
      signOut(chief.personUid, true),
    ),
  ).toEqual(['on_duty', 'confirm_identity', 'on_duty'])
  expect(await duty()).toEqual([true])
  await signOut(warden.personUid, true)
  expect(await duty()).toEqual([false])
  expect(await refused(phone('GET /api/user', {}))).toEqual(['not_signed_in'])
})

test('PPL-12 of five who invite one person at once, one link is open at the end', async ({ server }) => {
  const { newWarden, invite } = await administered(server)
  const warden = await newWarden()

  const answers = await Promise.all(Array.from({ length: 5 }, () => invite(warden.personUid)))

  expect(answers).toEqual(Array(5).fill({ status: 'invited' }))
  const open = await server.db
    .selectFrom('invitation')
    .select('uid')
    .where('personUid', '=', warden.personUid)
    .where('voidedAt', 'is', null)
    .execute()
  expect(open).toHaveLength(1)
})

test('PPL-12 anyone who is invited while the e-mail changes gets the mail at the new address alone', async ({
  server,
}) => {
  const { newWarden, invite, see, call } = await administered(server)
  const warden = await newWarden()
  const { version } = await see(warden.personUid)
  const held = await server.hold('account', warden.accountUid)
  const email = 'moved@example.test'

  const changed = call(changePerson, { params: { uid: warden.personUid }, body: { version, email } }, withKey())
  await held.waiting(1)
  const invited = invite(warden.personUid)
  await Promise.race([invited, held.waiting(2)])
  await held.release()
  await Promise.all([changed, invited])
  await sendMails(server)

  expect(await mailsTo(server, warden.email)).toMatchObject([{ subject: 'Your sign-in address was changed' }])
  expect(await mailsTo(server, email)).toHaveLength(1)
})

test('PPL-14 a warden without e-mail is invited by text, without a token; who refuses texts is not', async ({
  server,
}) => {
  const { org, invite, see } = await administered(server)
  const givenTexted = async (mobile: string) => {
    const warden = await server.given.warden(org, { mobile })
    for (const table of ['person', 'account'] as const)
      await server.db.updateTable(table).set({ email: null }).where('email', '=', warden.email).execute()
    return warden.personUid
  }
  const [texted, stopped] = [await givenTexted('61491000123'), await givenTexted('61491000124')]
  await server.db.insertInto('smsRefusal').values({ mobile: '61491000124' }).execute()

  expect((await see(texted)).sign_in.acts).toContain('invite')
  expect(await invite(texted)).toEqual({ status: 'texted' })
  expect(await refused(invite(stopped))).toEqual(['invalid_transition'])

  expect(await server.db.selectFrom('sms').select(['kind', 'toMobile', 'status', 'body']).execute()).toEqual([
    {
      kind: 'offer',
      toMobile: '61491000123',
      status: 'queued',
      body: expect.stringMatching(
        /^All Wardens: .+ asks you to be Floor Warden from \d+ \w+ \d{4}\. Sign in with this number: http\S+\/login$/,
      ),
    },
  ])
  expect(await actionsOf(server, texted)).toEqual(['invitation_sent'])
})
