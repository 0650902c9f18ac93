import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { appointAdministrator } from '#features/administrators/calls/administrators.ts'
import { listRoles, offerRole } from '#features/assignments/calls/wardens.ts'
import { addPerson, changePerson, getPerson } from '#features/people/calls/people.ts'
import { showInvitation } from '#features/people/calls/sign-in-acts.ts'
import { acceptInvitation, readInvitation } from '#features/sign-in/calls/invitations.ts'
import type { FloorUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { readSignInOrigins } from '../calls.ts'

/** A person whom the administrator of the site has added, offered a floor and shown the link. */
async function shownBySite(server: TestServer) {
  const around = await givenConsole(server)
  const { org, call } = around
  const away = await server.given.site(org, { name: 'Away' })
  await server.given.warden(org)
  await server.given.warden(org, { role: 'Chief Warden' })
  const { rows: roles } = await call(listRoles, {})
  const ofSite = await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid })
  const site = await asAdministrator(server, ofSite)
  const email = `mal.${randomUUID()}@evac.test`
  const person = { first_name: 'Mal', last_name: 'Lory', email, place: org.floorUid }
  const { uid } = await site(addPerson, { body: person }, withKey())
  const offer = (by: typeof call, name: string, at: { site: SiteUid; places: FloorUid[] }) => {
    const role = roles.find((one) => one.name === name)?.uid as NonNullable<(typeof roles)[number]['uid']>
    const days = { from: '2026-01-01', to: '2099-12-31', accepted: true, tell: false }
    return by(offerRole, { body: { people: [uid], role, ...at, ...days } }, withKey())
  }
  await offer(site, 'Floor Warden', { site: org.siteUid, places: [org.floorUid] })
  const { link } = await site(showInvitation, { params: { uid } }, withKey())
  const token = link.split('token=')[1] as string
  const open = async () => (await server.stranger(readInvitation, { body: { token } })).state
  const accept = (password = 'nine lamps on the quay') =>
    server.stranger(acceptInvitation, { body: { token, password } })
  return { ...around, away, site, ofSite, uid, email, offer, open, accept }
}

test('AUTH-33 a link that an administrator of a site has seen opens no role that came later and is beyond that site', async ({
  server,
}) => {
  const { call, away, offer, open, accept } = await shownBySite(server)
  expect(await open()).toBe('open')

  await offer(call, 'Chief Warden', { site: away.siteUid, places: [] })

  expect([await open(), await accept()]).toEqual(['over', { problem: 'link_over' }])
})

test('AUTH-33 nor one that starts events at their own site, which they may not show a link for', async ({ server }) => {
  const { org, call, offer, open, accept } = await shownBySite(server)

  await offer(call, 'Chief Warden', { site: org.siteUid, places: [] })

  expect([await open(), await accept()]).toEqual(['over', { problem: 'link_over' }])
})

test('AUTH-33 nor after its administrator is revoked or the person is appointed; else it sets the password', async ({
  server,
}) => {
  const [one, two, three] = [await shownBySite(server), await shownBySite(server), await shownBySite(server)]
  await server.db
    .updateTable('administrator')
    .set({ revokedAt: new Date() })
    .where('personUid', '=', one.ofSite.personUid)
    .execute()
  const body = { person: two.uid, reach: 'organisation', sees_plans: false } as const
  await two.call(appointAdministrator, { body }, withKey())

  expect([await one.accept(), await two.accept()]).toEqual([{ problem: 'link_over' }, { problem: 'link_over' }])
  expect(await three.accept()).toEqual({ done: true })
  expect(await server.signIn(three.email, 'nine lamps on the quay')).toBeDefined()
})

test('AUTH-30 who entered an address and when is said, and a password from a link that was seen, until it changes', async ({
  server,
}) => {
  const { org, call, site, uid, accept } = await shownBySite(server)
  const imported = await server.given.warden(org)
  const origins = (people: PersonUid[], by = call) => by(readSignInOrigins, { body: { people } })
  const unknown = { addresses: [], password_was_shown: false }
  const added = await origins([uid])

  await accept()

  expect(added).toEqual([
    {
      person: uid,
      name: 'Mal Lory',
      addresses: [{ by: expect.any(String), at: expect.any(String) }],
      password_was_shown: false,
      password_merged: null,
    },
  ])
  expect(added[0]?.addresses[0]?.by).not.toBe('Nora Lind')
  expect(await origins([uid, imported.personUid], site)).toEqual(
    expect.arrayContaining([
      { ...added[0], password_was_shown: true },
      expect.objectContaining({ person: imported.personUid, ...unknown }),
    ]),
  )
  const { version } = await call(getPerson, { params: { uid } })
  await call(changePerson, { params: { uid }, body: { version, last_name: 'Other' } }, withKey())
  expect((await origins([uid]))[0]?.addresses).toEqual(added[0]?.addresses)
  const again = await call(getPerson, { params: { uid } })
  const email = `other.${randomUUID()}@evac.test`
  await call(changePerson, { params: { uid }, body: { version: again.version, email } }, withKey())
  expect((await origins([uid]))[0]?.addresses).toMatchObject([{ by: 'Nora Lind' }])
})

test('AUTH-30 the addresses of people out of reach are told to no one', async ({ server }) => {
  const { site, away } = await shownBySite(server)
  const stranger = await server.given.warden(away)

  expect(await refused(site(readSignInOrigins, { body: { people: [stranger.personUid] } }))).toEqual(['not_found'])
})

test('AUTH-30 who is appointed loses a password that an administrator may know, and sets another one', async ({
  server,
}) => {
  const { call, uid, email, accept } = await shownBySite(server)
  await accept()
  await server.signIn(email, 'nine lamps on the quay')
  const openSessions = () =>
    server.db.selectFrom('session').select('uid').where('personUid', '=', uid).where('revokedAt', 'is', null).execute()
  expect(await openSessions()).toHaveLength(1)

  const body = { person: uid, reach: 'organisation', sees_plans: false } as const
  await call(appointAdministrator, { body }, withKey())
  await sendMails(server)

  expect(await refused(server.signIn(email, 'nine lamps on the quay'))).toEqual(['invalid_credentials'])
  expect(await openSessions()).toEqual([])
  const mail = (await mailsTo(server, email)).at(-1)
  expect(mail?.body).toMatch(/^Set your password within 7 days:/)
  const token = /token=([\w-]+)/.exec(mail?.body ?? '')?.[1] as string
  expect(
    await server.stranger(acceptInvitation, { body: { token, password: 'twelve boats in the fog' } }),
  ).toHaveProperty('ticket')
  expect((await call(readSignInOrigins, { body: { people: [uid] } }))[0]?.password_was_shown).toBe(false)
})
