import { Value } from 'typebox/value'
import { expect } from 'vitest'
import type { BuildingUid } from '#kernel/ids.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { listWardensOnDuty, WardensOnDuty as WardensOnDutySchema } from '../../calls/attendance.ts'
import { attendanceGiven, onDutyOf, statusOf } from './wardens-on-duty.fixture.ts'

test('API-35 AMB-149 without an event, and off duty, there is nothing', async ({ server }) => {
  const org = await server.given.organisation()
  const chief = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const before = await chief(listWardensOnDuty, { query: {} })
  await server.runningEvent(org)

  const nothing = { buildings: [], roles: [] }
  expect(before).toEqual({ error: 'no_event', message: 'No Current Events', ...nothing })
  expect(await chief(listWardensOnDuty, { query: {} })).toMatchObject({ error: 'not_on_duty', ...nothing })
})

test('DUTY-04 DUTY-05 DUTY-06 DUTY-12 DUTY-14 CONST-13 each role has its wardens, by status and then by name', async ({
  server,
}) => {
  const { warden, start } = await attendanceGiven(server)
  await warden('Nora', 'not_available')
  await warden('Olaf', 'off_duty')
  await warden('Uma', 'unknown')
  await warden('Zoe', 'on_duty')
  await warden('Bea', 'unknown', { role: 'Building Warden' })
  await warden('adam', 'on_duty')
  const { manager } = await start()

  const { roles } = await onDutyOf(manager)

  expect(roles.map(({ name, total }) => [name, total])).toEqual([
    ['Building Warden', { on_duty: 0, unknown: 1, not_available: 0, off_duty: 0 }],
    ['Chief Warden', { on_duty: 1, unknown: 0, not_available: 0, off_duty: 0 }],
    ['Floor Warden', { on_duty: 2, unknown: 1, not_available: 1, off_duty: 1 }],
  ])
  expect(roles[2]?.wardens.map(({ name, status }) => [name.split(' ')[0], status])).toEqual([
    ['adam', 'On Duty'],
    ['Zoe', 'On Duty'],
    ['Uma', 'Unknown'],
    ['Olaf', 'Off Duty'],
    ['Nora', 'Not Available'],
  ])
})

test('DUTY-11 DUTY-13 DUTY-15 API-35 AMB-104 one building by its id, the default building without', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  const bob = await warden('Bob', 'on_duty', { floorUid: org.otherFloorUid, mobile: null })
  const { manager, eventUid, chief, signInUid } = await start()

  const [byDefault, inB] = [await onDutyOf(manager), await onDutyOf(manager, org.otherBuildingUid)]

  expect([...Value.Errors(WardensOnDutySchema, inB)]).toEqual([])
  expect(byDefault.buildings.map(({ name, selected }) => [name, selected])).toEqual([
    ['Tower A', true],
    ['Tower B', false],
  ])
  expect(inB.buildings).toEqual([
    {
      id: org.buildingUid,
      name: 'Tower A',
      selected: false,
      total: { on_duty: 1, unknown: 0, not_available: 0, off_duty: 0 },
    },
    {
      id: org.otherBuildingUid,
      name: 'Tower B',
      selected: true,
      total: { on_duty: 2, unknown: 0, not_available: 0, off_duty: 0 },
    },
  ])
  expect(inB.roles[0]?.wardens[0]?.areas).toEqual([{ id: org.siteUid, name: org.siteName }])
  expect(inB.roles[1]?.wardens).toEqual([
    {
      id: bob.assignmentUid,
      name: expect.stringMatching(/^Bob /),
      phone: null,
      status: 'On Duty',
      role: 'Floor Warden',
      areas: [{ id: org.otherFloorUid, name: 'Tower B - Ground' }],
      unread: false,
      wardenSignInUid: (await server.signInOf(eventUid, bob))?.uid,
    },
  ])
  expect(inB).toMatchObject({
    warden_id: chief.assignmentUid,
    sms_allowed: true,
    senderWardenSignInUid: signInUid,
  })
})

test('DUTY-11 asking for a building by its id leaves the selected one as it is', async ({ server }) => {
  const { org, start } = await attendanceGiven(server)
  const { manager } = await start()

  await onDutyOf(manager, org.otherBuildingUid)

  expect((await statusOf(manager)).selected_building.id).toBe(org.buildingUid)
})

test('T2 AMB-100 a building outside the event, of another organisation or unknown is 404', async ({ server }) => {
  const org = await server.given.organisation()
  const other = await server.given.organisation()
  await server.runningEvent(other)
  const { manager } = await server.runningEvent(org)
  const unknown = '00000000-0000-4000-8000-000000000000' as BuildingUid

  const codes = await refused(
    ...[org.otherBuildingUid, other.buildingUid, unknown].map((building_id) =>
      manager(listWardensOnDuty, { query: { building_id } }),
    ),
  )

  expect(codes).toEqual(['not_found', 'not_found', 'not_found'])
})

test('DUTY-15 AMB-080 a warden whose message the caller has not read is marked, for this caller only', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  const [writes, reads] = [await warden('Writes', 'on_duty'), await warden('Reads', 'on_duty')]
  const { manager, eventUid, signInUid } = await start()
  const signIn = async (who: typeof writes) => (await server.signInOf(eventUid, who))?.uid as string
  const to = { clientUid: org.clientUid, recipientSignInUid: signInUid }
  await server.given.wardenMessage(eventUid, { ...to, senderSignInUid: await signIn(writes) })
  await server.given.wardenMessage(eventUid, { ...to, senderSignInUid: await signIn(reads), readAt: new Date() })

  const unread = async (call: typeof manager) =>
    (await onDutyOf(call)).roles.flatMap(({ wardens }) => wardens.filter(({ unread }) => unread).map(({ id }) => id))

  expect(await unread(manager)).toEqual([writes.assignmentUid])
  expect(await unread(await server.as(reads))).toEqual([])
})
