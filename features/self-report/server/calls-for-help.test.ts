import { expect } from 'vitest'
import { getBoardFloor } from '#features/board/calls/board-panel.ts'
import { makeWall, readWall } from '#features/board/calls/walls.ts'
import { boardOf, placesOf } from '#features/board/server/board.fixture.ts'
import { listUnaccounted } from '#features/events/calls/events.ts'
import { publicationsOn } from '#features/messaging/server/messaging.fixture.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { eventWithReports } from './self-report.fixture.ts'

test('REC-26 BOARD-05 BOARD-13 calls for help stand on the board at once, by place, beside the people and in no number of them', async ({
  server,
}) => {
  const { post, manager, org, list, act, eventUid, asViewer } = await eventWithReports(server)
  const before = (await boardOf(server, manager)).totals
  expect(before.calls).toBe(0)
  const [floor, building] = [org.floors[1].slice(0, 8), org.otherBuildingUid.slice(0, 8)]

  for (const place of [floor, building, floor, '']) await post({ say: 'help', place, words: 'Smoke', name: 'Kim Lee' })

  const board = await boardOf(server, manager)
  const places = await placesOf(manager)
  const named = places.buildings.flatMap((of) => of.floors.map(({ name }) => `${of.name}, ${name}`))
  expect(board.calls.map((call) => [call.floor === undefined ? null : named[call.floor], call.count])).toEqual([
    ['Tower A, Level 1', 2],
    ['Tower B, No floor', 1],
    [null, 1],
  ])
  expect(board.totals).toEqual({ ...before, calls: 4 })
  expect(JSON.stringify(board)).not.toMatch(/Smoke|Kim Lee/)
  const floorId = org.floors[1]
  expect((await manager(getBoardFloor, { params: { floorId } })).calls).toMatchObject([
    { name: 'Kim Lee', words: 'Smoke' },
    { name: 'Kim Lee', words: 'Smoke' },
  ])
  expect((await asViewer(getBoardFloor, { params: { floorId } })).calls[0]).toMatchObject({ name: null, words: null })

  await act((await list()).reports[0]?.uid as SelfReportUid, { act: 'answered', who: 'Engine 4' })

  const after = await boardOf(server, manager)
  expect([after.totals.calls, after.calls[0]?.count]).toEqual([3, 1])
  const topics = (await publicationsOn(server, `event:${eventUid}`)).flatMap(({ changed }) => changed)
  expect(topics.filter((one) => (one as { topic: string })?.topic === 'report')).toEqual(
    Array(6).fill({ topic: 'report', ids: [] }),
  )
})

test('BOARD-33 a wall of the team shows calls for help, a public one leaves reports out', async ({ server }) => {
  const { post, manager, org } = await eventWithReports(server)
  await post({ say: 'help', place: org.floors[1].slice(0, 8), words: 'Smoke', name: 'Kim Lee' })
  const wallOf = async (place: 'team' | 'public') => {
    const body = { site: org.siteUid, name: place, place, days: 1 }
    const { url } = await manager(makeWall, { body })
    const wall = await server.stranger(readWall, { body: { token: url.split('#')[1] as string } })
    if (!('board' in wall)) throw new Error('no board')
    return wall
  }

  const [team, open] = [await wallOf('team'), await wallOf('public')]

  expect(team.board).toMatchObject({ totals: { calls: 1 }, calls: [{ count: 1 }] })
  expect(open.board).toMatchObject({ calls: [] })
  expect(open.board?.totals).not.toHaveProperty('calls')
  expect(JSON.stringify([team, open])).not.toMatch(/Smoke|Kim Lee/)
})

test('REC-28 UX-42 who is about to end the event is told of calls for help that no one has closed', async ({
  server,
}) => {
  const { post, manager, list, act, eventUid } = await eventWithReports(server)
  const calls = async () =>
    ((await manager(listUnaccounted, { query: { event: eventUid, status: 'danger' } })) as { calls: number }).calls
  await post({ say: 'help', words: 'Smoke' })
  await post({ say: 'help', words: 'Stair B' })
  await post({ say: 'safe', name: 'Kim Lee' })
  expect(await calls()).toBe(2)

  const { reports } = await list()
  await act(reports.find(({ says }) => says === 'help')?.uid as SelfReportUid, { act: 'answered', who: 'Engine 4' })
  expect(await calls()).toBe(1)
})

test('ANS-01 "I am safe" with words of danger where the floor belongs is a call for help, and other words leave it safe', async ({
  server,
}) => {
  const { post, list, statusOf, ada } = await eventWithReports(server)

  await post({ say: 'safe', name: 'Ada Abara', floor: 'trapped in the lift' })
  await post({ say: 'safe', name: 'Ben Bolt', floor: 'at the gate' })

  expect((await list()).reports.map(({ says, name, words }) => [says, name, words])).toEqual([
    ['help', 'Ada Abara', 'trapped in the lift'],
    ['safe', 'Ben Bolt', 'at the gate'],
  ])
  expect(await statusOf(ada)).toBe('unknown')
})
