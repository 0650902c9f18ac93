import { expect } from 'vitest'
import { deactivatePerson, getPerson, reactivatePerson } from '#features/people/calls/people.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getNow } from '../../calls/waiting.ts'
import { changeAssignment, listAssignments, withdrawAssignment } from '../../calls/wardens.ts'
import { makeDue, putOff } from './deferred-changes.service.ts'

const troubles: unknown[] = []
const work = ({ app }: TestServer) => makeDue(app, (error) => troubles.push(error))

async function post(server: TestServer) {
  const at = await givenConsole(server)
  const warden = await server.given.warden(at.org, { firstName: 'Kim' })
  await server.runningEvent(at.org)
  return { ...at, warden, phone: await server.onDuty(warden) }
}

test('ORG-44 a reactivation drops the deactivation that waits', async ({ server }) => {
  const { call, warden, phone } = await post(server)
  const params = { uid: warden.personUid }

  const waits = await call(deactivatePerson, { params }, withKey())
  await call(reactivatePerson, { params }, withKey())
  const { waiting } = await call(getNow, {})
  await phone(logout, {})
  await work(server)

  expect([waits, waiting]).toEqual([{ status: 'waits' }, []])
  expect((await call(getPerson, { params })).active).toBe(true)
  expect((await server.journalOf(warden.personUid)).map(({ action }) => action)).toContain('waiting_dropped')
})

test('ORG-44 other days of an assignment drop its end that waits', async ({ server }) => {
  const { call, warden, phone, org } = await post(server)
  const params = { uid: warden.assignmentUid }
  const row = async () => (await call(listAssignments, { query: { person: warden.personUid } })).rows[0]
  await call(withdrawAssignment, { params, body: { reason: 'Moves away' } })
  const version = (await row())?.version as string

  await call(changeAssignment, {
    params,
    body: { version, from: '2020-01-01', to: '2098-12-31', places: [org.floorUid] },
  })
  const { waiting } = await call(getNow, {})
  await phone(logout, {})
  await work(server)

  expect(waiting).toEqual([])
  expect(await row()).toMatchObject({ state: 'accepted', to: '2098-12-31' })
})

test('ORG-44 of eight wardens who are reactivated while they go off duty, each stays in use', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const wardens = await Promise.all(Array.from({ length: 8 }, () => server.given.warden(org)))
  await server.runningEvent(org)
  const phones = await Promise.all(wardens.map((warden) => server.onDuty(warden)))
  const each = wardens.map(({ personUid: uid }) => ({ params: { uid } }))
  for (const one of each) await call(deactivatePerson, one, withKey())

  // of a warden whose deactivation came first, the phone is signed out
  await refused(
    ...each.map((one) => call(reactivatePerson, one, withKey())),
    ...phones.map((phone) => phone(logout, {})),
    work(server),
    work(server),
  )
  await work(server)

  expect((await call(getNow, {})).waiting).toEqual([])
  const people = await Promise.all(each.map((one) => call(getPerson, one)))
  expect(people.map(({ active }) => active)).toEqual(Array(8).fill(true))
  expect(troubles).toEqual([])
})

test('ORG-13 ORG-44 the end of the last administrator waits on without trouble, and they are told once', async ({
  server,
}) => {
  const { call, admin, org } = await givenConsole(server)
  const wish = { clientUid: org.clientUid, personUid: admin.personUid, kind: 'deactivation' } as const
  await server.db
    .transaction()
    .execute((tx) => putOff(tx, { ...wish, assignmentUid: null, reason: null, byPersonUid: null }))
  troubles.length = 0

  await Promise.all([work(server), work(server)])
  await work(server)
  await sendMails(server)

  expect(troubles).toEqual([])
  expect((await call(getNow, {})).waiting).toMatchObject([{ kind: 'deactivation', person: 'Nora Lind' }])
  expect(await mailsTo(server, admin.email)).toEqual([
    {
      subject: `You are the last administrator of ${org.name}`,
      body: `Your account is to be deactivated. This waits until another administrator is appointed:\n${server.config.appUrl}/console/administrators\n\n${org.name}, All Wardens`,
    },
  ])
  await givenAdministrator(server, org)
  await work(server)
  expect(await refused(call(getNow, {}))).toEqual(['not_signed_in'])
})
