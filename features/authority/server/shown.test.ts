import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { appointAdministrator } from '#features/administrators/calls/administrators.ts'
import { listRoles, offerRole } from '#features/assignments/calls/wardens.ts'
import { addPerson } from '#features/people/calls/people.ts'
import { showInvitation } from '#features/people/calls/sign-in-acts.ts'
import { acceptInvitation, readInvitation } from '#features/sign-in/calls/invitations.ts'
import type { FloorUid, SiteUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'

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
