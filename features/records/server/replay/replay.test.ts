import { expect } from 'vitest'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { test } from '#server/testing/server-test.ts'
import { getRecord } from '../../calls/records.ts'
import { getReplay, type RecordReplay } from '../../calls/replay.ts'
import { givenDrilled, givenRecord, writeRecords } from '../records.fixture.ts'

/** The places as they stood at the end of the step. */
function boardAt({ places, cells }: RecordReplay, step: number) {
  const last = new Map<number, number[]>()
  for (const [at = 0, place = 0, ...rest] of cells) if (at <= step) last.set(place, rest)
  return places.map(({ name }, nth) => [name, ...(last.get(nth) ?? [])])
}

test('RPL-03 the replay is made with the record, has no persons, and its last step has the figures of the record', async ({
  server,
}) => {
  const { eventUid, manager, record, persons } = await givenRecord(server)
  const params = { params: { eventUid } }
  const replay = await manager(getReplay, params)

  expect(replay.steps).toBe(record?.people.curve?.steps.length)
  expect(replay.stepSeconds).toBe(record?.people.curve?.step_seconds)
  const end = boardAt(replay, replay.steps - 1)
  for (const { name, people, status } of record?.floors.rows ?? []) {
    const of = end.find(([floor]) => floor === name)
    expect(of?.slice(1, 4)).toEqual([people.safe, people.unknown, people.danger])
    expect(replay.statuses[Number(of?.[4])]?.name).toBe(status)
  }
  expect(end.find(([floor]) => floor === 'Ground')?.at(-1)).toBe(1)
  expect(boardAt(replay, 0).flatMap(([, safe]) => safe)).toContain(0)
  const said = JSON.stringify(replay)
  for (const person of persons) expect(said).not.toContain(`${person}`)
})

test('RPL-03 AAR-42 it stays when the persons of the record go', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  const params = { params: { eventUid } }
  const before = await manager(getReplay, params)
  const endedAt = new Date(Date.now() - 400 * 86_400_000)
  await server.db.updateTable('event').set({ endedAt }).where('uid', '=', eventUid).execute()
  await forget(server.database.system, { messages: undefined, events: 365, audit: undefined, peeps: undefined })

  expect((await manager(getRecord, params)).state).toBe('reduced')
  expect(await manager(getReplay, params)).toEqual(before)
})

test('RPL-03 AAR-02 beyond the own places there are no floors', async ({ server }) => {
  const at = await givenDrilled(server)
  const [, second] = at.org.floors
  const other = await server.given.warden(at.org, { floorUid: second, modules: ['Module_Event_Records'] })
  const eventUid = await at.start()
  await at.end()
  const params = { params: { eventUid } }
  const reader = await server.as(other)
  await writeRecords(server)

  const { places, cells } = await reader(getReplay, params)
  expect(places.map(({ id }) => id)).toEqual([second])
  expect(cells.every(([, place]) => place === 0)).toBe(true)
  expect((await at.manager(getReplay, params)).places.length).toBeGreaterThan(1)
})
