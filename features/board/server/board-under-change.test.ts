import { expect } from 'vitest'
import { getSafetySummary, type SafetySummary } from '#features/evacuation/calls/building-safety.ts'
import { setFloorStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { safetyStatuses } from '#kernel/vocabulary.ts'
import { readTurns } from '#server/http/read-turns.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { type Board, getBoard } from '../calls/board.ts'
import { boardGiven, boardOf, newestOffset, placesOf } from './board.fixture.ts'

type Given = Awaited<ReturnType<typeof boardGiven>>

/** Numbers from 0 to 1, the same in each run. */
function numbersFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** So many changes, a few at once: statuses of people and floors, refusals, moves between floors. */
async function changeMuch({ org, people, statuses, record, asWarden }: Given, many: number, seed: number) {
  const next = numbersFrom(seed)
  const one = <T>(all: readonly T[]) => all[Math.floor(next() * all.length)] as T
  const floors = [...org.floors, org.otherFloorUid]
  const change = () => {
    const [floorId, person, kind] = [one(floors), Math.floor(next() * people.length), next()]
    if (kind < 0.2) {
      const floorStatusId = one([statuses.clear, statuses.help, org.statusUids[0], org.statusUids[1]])
      return asWarden(setFloorStatus, { body: { floorId, floorStatusId } })
    }
    if (kind < 0.3) return asWarden(toggleRefusal, { body: { person: people[person] as never, floorId } })
    return record(person, one(['safe', 'unknown', 'in danger', 'safe on floor']), floorId)
  }
  for (let n = 0; n < many; n += 8) await Promise.all(Array.from({ length: 8 }, change))
}

function expectToAddUp({ totals, floors }: Board) {
  const { people } = totals
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0)
  expect(sum(totals.unknown_by_place)).toBe(people.unknown)
  expect(sum(totals.unknown_by_cause)).toBe(people.unknown)
  expect(Math.min(...Object.values(totals.unknown_by_cause))).toBeGreaterThanOrEqual(0)
  expect(totals.own_word).toBeLessThanOrEqual(people.safe)
  const { total, ...stages } = totals.floors
  expect(sum(stages)).toBe(total)
  for (const status of safetyStatuses)
    expect(floors.reduce((all, floor) => all + (floor[status] ?? 0), 0)).toBe(people[status])
  expect(people.total).toBe(people.safe + people.unknown + people.danger)
}

test('BOARD-06 BOARD-03 whatever is being recorded meanwhile, each answer adds up, and no one is counted twice', async ({
  server,
}) => {
  const given = await boardGiven(server)
  let isOver = false
  const changing = changeMuch(given, 480, 7).then(() => {
    isOver = true
  })

  const boards = new Map<string, Board>()
  while (!isOver) {
    const board = await boardOf(server, given.manager)
    boards.set(board.at, board)
  }
  await changing

  for (const board of boards.values()) {
    expectToAddUp(board)
    expect(board.totals.people.total).toBe(10)
  }
})

test('BOARD-03 after many random changes each number is that of a recount, and the sums are the building safety page', async ({
  server,
}) => {
  const given = await boardGiven(server)
  await changeMuch(given, 400, 11)

  const [board, places, safety] = [
    await boardOf(server, given.manager),
    await placesOf(given.manager),
    (await given.manager(getSafetySummary, {})) as SafetySummary,
  ]

  const { total, ...people } = board.totals.people
  expect({ ...people, total }).toEqual(safety.total)
  const rows = places.buildings.flatMap(({ floors }) => floors.map(({ id }) => id))
  expect(await recount(server, given)).toEqual(
    Object.fromEntries(
      board.floors.flatMap(({ safe = 0, unknown = 0, danger = 0, refused = 0, status, danger_at }, index) => {
        const name = status === undefined ? null : places.statuses[status]?.name
        const isCounted = safe + unknown + danger + refused > 0 || name !== null
        return isCounted ? [[rows[index], [safe, unknown, danger, refused, name, danger_at ?? null]]] : []
      }),
    ),
  )
  expect(board.totals.floors.cleared).toBe(
    board.floors.filter(({ status }) => status !== undefined && places.statuses[status]?.means_clear).length,
  )
  expect(board.totals.refused).toBe(board.floors.reduce((all, { refused = 0 }) => all + refused, 0))
})

/** From the rows of people and floors themselves. */
async function recount({ database }: TestServer, { eventUid }: Given) {
  const { rows } = await database.owner.pg.query(
    `select coalesce(v.place_uid, ef.floor_uid) as place, s.name,
       count(v.uid) filter (where v.status = 'safe')::int as safe, count(v.uid) filter (where v.status = 'unknown')::int as unknown,
       count(v.uid) filter (where v.status = 'danger')::int as danger, count(v.uid) filter (where v.refused)::int as refused,
       floor(extract(epoch from max(v.status_observed_at) filter (where v.status = 'danger') - date_trunc('second', e.began_at)))::int as danger_at
     from event e
     join (select * from evacuee where active and event_uid = $1) v on true
     full join (select * from event_floor where event_uid = $1) ef on ef.floor_uid = v.place_uid
     left join floor_status s on s.uid = ef.floor_status_uid
     where e.uid = $1 or e.uid is null
     group by 1, s.name, e.began_at`,
    [eventUid],
  )
  return Object.fromEntries(
    rows.map((row) => [row.place, [row.safe, row.unknown, row.danger, row.refused, row.name, row.danger_at]]),
  )
}

test('BOARD-03 no answer lacks a change that its reader has heard, on two nodes', async () => {
  await using one = await startTestServer()
  const given = await boardGiven(one)
  await using other = await startTestServer({}, sharing(one))
  const readers = [given.manager, other.callWith((given.manager as unknown as { token: string }).token)]
  await Promise.all(readers.map((call) => call(getBoard, { query: {} })))

  for (const [n, status] of ['in danger', 'safe', 'in danger'].entries()) {
    await given.record(0, status)
    const since = await newestOffset(one)

    const boards = await Promise.all(readers.map(async (call) => (await call(getBoard, { query: { since } })) as Board))

    for (const { totals } of boards) expect([n, totals.people.danger]).toEqual([n, status === 'safe' ? 0 : 1])
  }
})

test('BOARD-03 no answer lacks a change that its reader has heard, whose transaction was older than a board and ended after it', async ({
  server,
}) => {
  const { manager, org, record } = await boardGiven(server)
  const older = await server.database.owner.pg.connect()
  try {
    await older.query('begin')
    const { rows } = await older.query('select pg_current_xact_id()::text as xid')
    // any transaction holds the horizon back: of what ends meanwhile the journal tells the offset, the horizon does not
    for (const [danger, status] of [
      [1, 'in danger'],
      [0, 'safe'],
    ] as const) {
      await record(0, status)
      expect((await boardOf(server, manager)).totals.people.danger).toBe(danger)
    }
    await older.query('update client set coverage_minutes = 17 where uid = $1', [org.clientUid])
    await older.query('commit')

    const board = (await manager(getBoard, { query: { since: rows[0].xid } })) as Board

    expect(board.event.coverage_minutes).toBe(17)
  } finally {
    older.release(true)
  }
})

/** The database of another server, which alone closes it. */
const sharing = ({ database }: TestServer) => ({ ...database, [Symbol.asyncDispose]: async () => undefined })

test('BOARD-03 100 readers cost a statement a second, and the slow part one more', async () => {
  let reads = 0
  const turns = readTurns()
  const readInTurn: typeof turns = (isGone, read) => {
    reads++
    return turns(isGone, read)
  }
  await using server = await startTestServer({ readInTurn })
  const { manager } = await boardGiven(server)
  reads = 0
  const began = Date.now()

  while (Date.now() - began < 2_500)
    await Promise.all(Array.from({ length: 100 }, () => manager(getBoard, { query: { since: '9999999999999' } })))

  expect(reads).toBeGreaterThanOrEqual(3)
  expect(reads).toBeLessThanOrEqual(Math.ceil((Date.now() - began) / 1000) + 2)
})
