import { sql } from 'kysely'
import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getSafetySummary, type SafetySummary } from '../../calls/building-safety.ts'
import { setPersonStatus } from '../../calls/evacuation.ts'

async function eventInBoth(server: TestServer) {
  const org = await server.given.organisation()
  const people = [
    ...(await server.given.occupants(org, 3)),
    ...(await server.given.occupants(org, 2, { floorUid: org.floors[1] })),
    ...(await server.given.occupants(org, 4, { floorUid: org.otherFloorUid })),
  ]
  const warden = await server.given.warden(org)
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(warden)
  const record = (n: number, status: string, floorId = org.floorUid) =>
    call(setPersonStatus, { body: { personId: people[n] as never, status, floorId } })
  return { org, ...running, record }
}

test('API-49 BLDG-10 AMB-119 site, total and the buildings of the event by name', async ({ server }) => {
  const { org, manager, record } = await eventInBoth(server)
  await record(0, 'safe')
  await record(1, 'in danger')
  await record(5, 'safe', org.otherFloorUid)

  const summary = await manager(getSafetySummary, {})

  const duration = expect.any(Number)
  expect(summary).toEqual({
    site: { id: org.siteUid, name: org.siteName },
    total: { safe: 2, unknown: 6, danger: 1, total: 9 },
    buildings: [
      { id: org.buildingUid, name: 'Tower A', stats: { safe: 1, unknown: 3, danger: 1, total: 5 }, duration },
      { id: org.otherBuildingUid, name: 'Tower B', stats: { safe: 1, unknown: 3, danger: 0, total: 4 }, duration },
    ],
  })
})

test('AMB-118 the duration is seconds since the building joined, for each of its own', async ({ server }) => {
  const { org, manager, eventUid } = await eventInBoth(server)
  const joined = (ago: string) => ({ addedAt: sql<Date>`now() - ${ago}::interval` })
  const buildings = server.db.updateTable('eventBuilding').where('eventUid', '=', eventUid)
  await buildings.set(joined('1 hour')).execute()
  await buildings.set(joined('90 seconds')).where('buildingUid', '=', org.otherBuildingUid).execute()

  const { buildings: shown } = (await manager(getSafetySummary, {})) as SafetySummary

  const [towerA, towerB] = shown.map(({ duration }) => duration)
  expect(towerA).toBeOneOf([3600, 3601, 3602])
  expect(towerB).toBeOneOf([90, 91, 92])
})

test('BLDG-09 who was seen in another building counts there, and a building taken out is gone', async ({ server }) => {
  const { org, manager, record } = await eventInBoth(server)
  await record(0, 'safe', org.otherFloorUid)
  await record(5, 'safe', org.otherFloorUid)
  expect(await manager(getSafetySummary, {})).toMatchObject({
    buildings: [{ stats: { safe: 0, total: 4 } }, { stats: { safe: 2, total: 5 } }],
  })

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  const left = { safe: 1, unknown: 4, danger: 0, total: 5 }
  expect(await manager(getSafetySummary, {})).toMatchObject({ total: left, buildings: [{ stats: left }] })
})

test('BLDG-09 whatever is being recorded meanwhile, the total is the sum of what is shown with it', async ({
  server,
}) => {
  const { org, manager, record } = await eventInBoth(server)
  const places = [org.floorUid, org.otherFloorUid]
  const statuses = ['safe', 'in danger', 'unknown']

  const recording = Promise.all(
    Array.from({ length: 120 }, (_, i) => record(i % 9, statuses[i % 3] as string, places[(i >> 1) % 2])),
  )
  const read = await Promise.all(Array.from({ length: 20 }, () => manager(getSafetySummary, {})))
  await recording

  for (const summary of [...read, await manager(getSafetySummary, {})] as SafetySummary[]) {
    for (const status of ['safe', 'unknown', 'danger', 'total'] as const)
      expect(summary.buildings.reduce((sum, { stats }) => sum + stats[status], 0)).toBe(summary.total[status])
    for (const { safe, unknown, danger, total } of [summary.total, ...summary.buildings.map(({ stats }) => stats)])
      expect(safe + unknown + danger).toBe(total)
    expect(summary.total.total).toBe(9)
  }
})

test('API-50 PROD-12 without an event it answers an error status and a message', async ({ server }) => {
  const { org, manager } = await eventInBoth(server)
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  await manager(endEvent, endInput(org, both))

  expect(await manager(getSafetySummary, {})).toEqual({ status: 'error', message: 'No Current Events' })
})

test('AUTH-05 API-50 who is not on duty gets no numbers, and without the flag no answer', async ({ server }) => {
  const org = await server.given.organisation()
  const [chief, floorWarden] = [
    await server.given.warden(org, { role: 'Chief Warden' }),
    await server.given.warden(org),
  ]
  await server.runningEvent(org)
  const [deputy, plain] = [await server.as(chief), await server.onDuty(floorWarden)]

  expect(await deputy(getSafetySummary, {})).toEqual({
    status: 'error',
    message: 'You are not on duty in this event.',
  })
  expect(await refused(plain(getSafetySummary, {}))).toEqual(['forbidden'])
})

test('AMB-148 another site and another organisation have their own summary', async ({ server }) => {
  const { org } = await eventInBoth(server)
  const site = await server.given.site(org)
  const [elsewhere, stranger] = [
    await server.as(await server.given.warden(site, { role: 'Chief Warden' })),
    await server.runningEvent(await server.given.organisation()),
  ]

  expect(await elsewhere(getSafetySummary, {})).toMatchObject({ message: 'No Current Events' })
  await elsewhere(createEvent, startInput(org, { buildings: [site.buildingUid] }))
  expect(await elsewhere(getSafetySummary, {})).toMatchObject({ site: { id: site.siteUid }, total: { total: 0 } })
  expect(await stranger.manager(getSafetySummary, {})).toMatchObject({ total: { total: 0 } })
})
