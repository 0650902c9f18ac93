import { expect } from 'vitest'
import type { BuildingUid, SignInUid } from '#kernel/ids.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { createEvent, endEvent, listEventSites } from '../calls/events.ts'

const manages = { modules: ['Module_Event_Management'] } as const

/** Names of the sites and buildings a manager is shown; '*' marks those they may manage. */
async function shown(call: Awaited<ReturnType<TestServer['as']>>) {
  const { data } = await call(listEventSites, {})
  const names = data.sites.map(({ name, buildings }) => [
    name,
    buildings.map((building) => `${building.name}${building.manageable ? '*' : ''}`),
  ])
  return Object.fromEntries(names) as Record<string, string[]>
}

test('EVENT-46 EVENT-47 EVENT-48 API-29 what the screen opens with', async ({ server }) => {
  const org = await server.given.organisation({ smsAllowed: false })
  const { eventUid, manager } = await server.runningEvent(org)

  const { data } = await manager(listEventSites, {})

  const event = { id: eventUid, type: 'Fire', description: 'Fire or smoke', kind: 'live' }
  const buildings = [
    { id: org.buildingUid, name: 'Tower A', event: { ...event, eventType: org.eventTypeUid }, manageable: true },
    { id: org.otherBuildingUid, name: 'Tower B', event: null, manageable: true },
  ]
  expect(data).toEqual({
    sites: [{ id: org.siteUid, name: org.siteName, buildings }],
    eventTypes: [
      { id: org.eventTypeUid, type: 'Fire', description: 'Fire or smoke', message: 'Evacuate now.', kind: 'live' },
      { id: org.otherEventTypeUid, type: 'Gas Leak', description: 'Gas', message: 'Leave the building.', kind: 'live' },
    ],
    activeEvent: { ...event, active: true, siteId: org.siteUid, eventType: org.eventTypeUid, live: null },
    sms_allowed: false,
  })
})

test('EVENT-63 AMB-084 only sites with an accepted, current appointment are shown', async ({ server }) => {
  const org = await server.given.organisation()
  const { site, assignment } = server.given
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const [second, third, fourth, plain] = [await site(org), await site(org), await site(org), await site(org)]
  await assignment(chief, second, { role: 'Chief Warden' })
  await assignment(chief, third, { role: 'Chief Warden', status: 'Offered' })
  await assignment(chief, fourth, { role: 'Chief Warden', dateTo: '2020-12-31' })
  await assignment(chief, plain, { role: 'Floor Warden' })

  const sites = await shown(await server.as(chief))

  expect(sites).toEqual({ [org.siteName]: ['Tower A*', 'Tower B*'], [second.siteName]: ['Tower A*'] })
})

test('EVENT-63 a manager of a building sees that building; another one only while it is in an event', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const ofB = await server.given.warden(org, {
    role: 'Building Warden',
    buildingUid: org.otherBuildingUid,
    ...manages,
  })
  const call = await server.as(ofB)

  expect(await shown(call)).toEqual({ [org.siteName]: ['Tower B*'] })
  await server.runningEvent(org)
  expect(await shown(call)).toEqual({ [org.siteName]: ['Tower A', 'Tower B*'] })
})

test('EVENT-63 T2 starting, adding or ending outside the own buildings is 404 and changes nothing', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const ofB = await server.given.warden(org, {
    role: 'Building Warden',
    buildingUid: org.otherBuildingUid,
    ...manages,
  })
  const call = await server.as(ofB)
  const both = { buildings: [org.otherBuildingUid, org.buildingUid] }

  for (const over of [{}, both])
    await expect(call(createEvent, startInput(org, over))).rejects.toMatchObject({ code: 'not_found', status: 404 })
  const { eventUid } = await server.runningEvent(org)
  for (const over of [{}, both])
    await expect(call(endEvent, endInput(org, over))).rejects.toMatchObject({ code: 'not_found', status: 404 })

  expect((await server.journalOf(eventUid)).map(({ action }) => action)).toEqual(['event_started'])
})

test('EVENT-63 a manager of a building may start there, and add it to the running event', async ({ server }) => {
  const org = await server.given.organisation()
  const over = { role: 'Building Warden', ...manages } as const
  const ofA = await server.as(await server.given.warden(org, over))
  const ofB = await server.as(await server.given.warden(org, { ...over, buildingUid: org.otherBuildingUid }))

  const started = await ofA(createEvent, startInput(org))
  const added = await ofB(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  expect([started.status, added.status]).toEqual(['event_created', 'event_created'])
  expect(added.event).toEqual(started.event)
  const ending = await ofA(endEvent, endInput(org))
  expect(ending).toMatchObject({ scope: 'buildings', remaining: 1 })
})

test('EVENT-63 AUTH-04 T1 buildings of another organisation are 404, like ones that do not exist', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const other = await server.given.organisation()
  const manager = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  await server.runningEvent(other)
  const unknown = '00000000-0000-4000-8000-000000000000' as BuildingUid

  const attempts = [other.buildingUid, unknown].flatMap((uid) => [
    manager(createEvent, startInput(org, { buildings: [uid] })),
    manager(createEvent, startInput(org, { buildings: [org.buildingUid, uid] })),
    manager(endEvent, endInput(org, { buildings: [uid] })),
  ])

  expect(await refused(...attempts)).toEqual(Array(6).fill('not_found'))
})

test('AMB-086 buildings of two sites are 422', async ({ server }) => {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const other = await server.given.site(org)
  await server.given.assignment(chief, other, { role: 'Chief Warden' })
  const manager = await server.as(chief)

  const attempt = manager(createEvent, startInput(org, { buildings: [org.buildingUid, other.buildingUid] }))

  await expect(attempt).rejects.toMatchObject({ code: 'invalid_request', fields: ['body/buildings'] })
})

test('EVENT-55 API-69 without the flag event calls are 403', async ({ server }) => {
  const org = await server.given.organisation()
  const call = await server.as(await server.given.warden(org))

  const codes = await refused(
    call(listEventSites, {}),
    call(createEvent, startInput(org)),
    call(endEvent, endInput(org)),
  )

  expect(codes).toEqual(['forbidden', 'forbidden', 'forbidden'])
})

test('AMB-083 two sites of one organisation have an event each', async ({ server }) => {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const other = await server.given.site(org)
  await server.given.assignment(chief, other, { role: 'Chief Warden' })
  const manager = await server.as(chief)

  const first = await manager(createEvent, startInput(org))
  const second = await manager(createEvent, startInput(org, { buildings: [other.buildingUid] }))

  expect([first.status, second.status]).toEqual(['event_created', 'event_created'])
  expect(second.event?.id).not.toBe(first.event?.id)
  expect(await manager(listEventSites, {})).toMatchObject({ data: { activeEvent: { id: second.event?.id } } })
})

test('PROD-10 who manages events starts and concludes one; who does not, neither', async ({ server }) => {
  const org = await server.given.organisation()
  const without = moduleFlags.filter((flag) => flag !== 'Module_Event_Management')
  const managing = await server.as(await server.given.warden(org, { role: 'Chief Warden', ...manages }))
  const other = await server.as(await server.given.warden(org, { role: 'Chief Warden', modules: without }))

  expect(await refused(other(createEvent, startInput(org)))).toEqual(['forbidden'])
  expect(await managing(createEvent, startInput(org))).toMatchObject({ status: 'event_created' })
  expect(await refused(other(endEvent, endInput(org)))).toEqual(['forbidden'])
  expect(await managing(endEvent, endInput(org))).toMatchObject({ status: 'event_ended', scope: 'event' })
})

test('LINK-08 AMB-037 a report-in link manages the site of its event, and no other site of the person', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const second = await server.given.site(org)
  await server.given.assignment(chief, second, { role: 'Chief Warden' })
  const { eventUid } = await server.runningEvent(org)
  const call = await server.as(chief, { signInUid: (await server.signInOf(eventUid, chief))?.uid as SignInUid })

  const start = { ...startInput(org).body, buildings: [second.buildingUid] }
  const end = { ...endInput(org).body, buildings: [second.buildingUid] }

  expect(Object.keys(await shown(call))).toEqual([org.siteName])
  expect(await refused(call(createEvent, { body: start }), call(endEvent, { body: end }))).toEqual([
    'not_found',
    'not_found',
  ])
})
