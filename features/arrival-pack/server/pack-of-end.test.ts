import { sql } from 'kysely'
import { expect } from 'vitest'
import { changeRole, listRoles } from '#features/assignments/calls/wardens.ts'
import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { changeFloorStatus, listFloorStatuses } from '#features/organisation/calls/lists.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { noteHazard } from '../calls.ts'
import { eventWithPeople, textOf } from './pack.fixture.ts'

const plan = { assistance: 'Guide by hand', summary: 's' }

/** The event has ended with Ada in danger, Cy with a plan, a floor cleared and a hazard. `shown`: what the page says of its end. */
async function ended(server: TestServer) {
  const e = await eventWithPeople(server)
  const { org, manager, warden } = e
  const { clientUid, buildingUid, otherBuildingUid, floorUid } = org
  const [ada, , cy] = org.people as [typeof e.chief.personUid, unknown, typeof e.chief.personUid]
  await server.db
    .insertInto('peep')
    .values({ clientUid, personUid: cy, ...plan })
    .execute()
  await warden(setPersonStatus, { body: { personId: ada, status: 'in danger', floorId: floorUid } })
  await warden(setFloorStatus, { body: { floorId: org.floors[2], floorStatusId: org.statusUids[1] } })
  await warden(noteHazard, { body: { place: floorUid, text: 'Gas cylinders' } }, withKey())
  const { url } = await e.make()
  await manager(endEvent, endInput(org, { buildings: [buildingUid, otherBuildingUid] }))
  const shown = async () => /Refresh (.*)$/.exec(textOf(await e.read(url)))?.[1] ?? ''
  const admin = async () => asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true }))
  return { ...e, ada, cy, url, admin, shown, before: await shown() }
}

test('PACK-04 after the end a status that means clear from now on clears no floor', async ({ server }) => {
  const { org, admin, shown, before } = await ended(server)
  const call = await admin()
  const { rows } = await call(listFloorStatuses, {})
  const { uid, version, name, colour, in_use } = rows.find(
    (row) => row.uid === org.statusUids[0],
  ) as (typeof rows)[number]

  await call(
    changeFloorStatus,
    { params: { uid }, body: { version, name, colour, in_use, means_clear: true } },
    withKey(),
  )

  expect(before).toContain('Floors cleared 1 of 4')
  expect(await shown()).toBe(before)
})

test('PACK-04 after the end a plan that ends or begins changes neither the number nor the lines of help needed', async ({
  server,
}) => {
  const { org, cy, shown, before } = await ended(server)

  await server.db.updateTable('peep').set({ active: false }).where('personUid', '=', cy).execute()
  const over = await shown()
  const values = { clientUid: org.clientUid, ...plan, assistance: 'New since' }
  await server.db
    .insertInto('peep')
    .values([org.people[1], cy].map((personUid) => ({ ...values, personUid: personUid as never })))
    .execute()

  expect(before).toMatch(/Help needed Tower A, .* Guide by hand/)
  expect([over, await shown()]).toEqual([before, before])
})

test('PACK-04 after the end a role without Event_Management takes no manager of the end from the contacts', async ({
  server,
}) => {
  const { admin, shown, before } = await ended(server)
  const call = await admin()
  const { rows } = await call(listRoles, {})
  const { uid, version, name, domain, in_use, modules } = rows.find(
    (row) => row.name === 'Chief Warden',
  ) as (typeof rows)[number]

  const body = { version, name, domain, in_use, modules: modules.filter((module) => module !== 'Event_Management') }
  await call(changeRole, { params: { uid }, body }, withKey())

  expect(before).toMatch(/Contacts at the end of the event Chief/)
  expect(await shown()).toBe(before)
})

test('PACK-04 after the end new names of places, statuses, roles and types, and people who move, change nothing', async ({
  server,
}) => {
  const { org, ada, cy, shown, before } = await ended(server)
  const { db } = server
  const { clientUid } = org

  for (const table of ['site', 'building', 'floor', 'floorStatus', 'wardenRole'] as const)
    await db.updateTable(table).set({ name: sql`name || ' renamed'` }).where('clientUid', '=', clientUid).execute()
  await db.updateTable('eventType').set({ type: 'Renamed' }).where('clientUid', '=', clientUid).execute()
  await db.updateTable('person').set({ primaryFloorUid: org.floors[2] }).where('uid', 'in', [ada, cy]).execute()

  expect(await shown()).toBe(before)
})

test('PACK-04 after the end names and numbers are those that are stored, and a pack keeps none of them', async ({
  server,
}) => {
  const { eventUid, chief, ada, shown, before } = await ended(server)
  const { content } = await server.db
    .selectFrom('arrivalPack')
    .select(({ cast }) => cast<string>('endContent', 'text').as('content'))
    .where('eventUid', '=', eventUid)
    .executeTakeFirstOrThrow()

  await server.db.updateTable('person').set({ mobile: '61491570159' }).where('uid', '=', chief.personUid).execute()
  await server.db
    .updateTable('person')
    .set({ firstName: 'Erased', lastName: 'person', mobile: null })
    .where('uid', '=', ada)
    .execute()
  const after = await shown()

  const mobile = String(chief.mobile)
  expect(content).toContain(ada)
  expect(content).not.toMatch(/Abara|Fay|Guide by hand/)
  expect(content).not.toContain(mobile)
  expect(before).toContain('Ada Abara')
  expect(after).not.toContain('Ada')
  expect(after).toBe(before.replaceAll('Ada Abara', 'Erased person').replaceAll(mobile, '61491570159'))
})

test.for(['says no to the fire service', 'is erased'] as const)(
  'PACK-06 after the end no words of the plan of someone who %s are shown',
  async (what, { server }) => {
    const { org, cy, shown, before } = await ended(server)

    if (what === 'is erased') await server.db.deleteFrom('peep').where('personUid', '=', cy).execute()
    else {
      await server.db.updateTable('peep').set({ active: false }).where('personUid', '=', cy).execute()
      const said = { clientUid: org.clientUid, personUid: cy, ...plan, fireService: false }
      await server.db.insertInto('peep').values(said).execute()
    }

    const after = await shown()
    expect(before).toContain('Guide by hand')
    expect(after).not.toContain('Guide by hand')
    expect(after).toMatch(/Help needed Tower A, [^,]+ 1 person, ask the person in command/)
  },
)
