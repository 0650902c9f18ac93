import { expect } from 'vitest'
import { searchOccupants } from '#features/evacuation/calls/evacuation.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { deactivatePerson } from '../calls/people.ts'
import { changePeople } from '../calls/people-bulk.ts'

/** A running event with a floor warden who has not reported in. */
async function absentWarden(server: TestServer) {
  const at = await givenConsole(server)
  const warden = await server.given.warden(at.org, { firstName: 'Kim' })
  const event = await server.runningEvent(at.org)
  const listed = async () => (await event.manager(searchOccupants, { params: { text: 'Kim' } })).persons.length
  return { ...at, ...event, warden, listed }
}
type Absent = Awaited<ReturnType<typeof absentWarden>>

test.for([
  [
    'a form',
    ({ call, warden }: Absent) => call(deactivatePerson, { params: { uid: warden.personUid } }, withKey()),
  ] as const,
  [
    'ticked rows',
    ({ call, warden }: Absent) =>
      call(changePeople, { body: { people: [warden.personUid], act: 'deactivate' } }, withKey()),
  ] as const,
])('ORG-41 a warden not on duty whom %s deactivates comes on the running list', async ([, deactivate], { server }) => {
  const at = await absentWarden(server)
  const before = await at.listed()

  await deactivate(at)

  expect([before, await at.listed()]).toEqual([0, 1])
  expect(await server.evacueeOf(at.eventUid, at.warden.personUid)).toMatchObject({ active: true, status: 'unknown' })
  expect(await wrongTallies(server.db, at.eventUid)).toEqual([])
  const signIn = await server.signInOf(at.eventUid, at.warden)
  expect(signIn?.closedAt).toBeInstanceOf(Date)
  expect(await server.journalOf(signIn?.uid as string)).toMatchObject([
    { action: 'assignment_ended', eventUid: at.eventUid, actorPersonUid: at.admin.personUid },
  ])
})

test('ORG-41 of deactivating eight wardens while an event starts, no one stays a warden who is out of use', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const wardens = await Promise.all(Array.from({ length: 8 }, () => server.given.warden(org)))
  const held = await server.hold('site', org.siteUid, 'no key update')

  const started = server.runningEvent(org)
  await held.waiting(1)
  const ended = call(
    changePeople,
    { body: { people: wardens.map(({ personUid }) => personUid), act: 'deactivate' } },
    withKey(),
  )
  await held.waiting(2)
  await held.release()
  const { eventUid } = await started

  expect(await ended).toMatchObject({ done: 8 })
  const signIns = await Promise.all(wardens.map((warden) => server.signInOf(eventUid, warden)))
  expect(signIns.filter((signIn) => signIn && signIn.closedAt === null)).toEqual([])
  const listed = await Promise.all(wardens.map(({ personUid }) => server.evacueeOf(eventUid, personUid)))
  expect(listed.filter((evacuee) => evacuee?.active)).toHaveLength(signIns.filter(Boolean).length)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})
