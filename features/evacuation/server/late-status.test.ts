import { expect } from 'vitest'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { setPersonStatus } from '../calls/evacuation.ts'
import { setEvacueeStatus } from '../calls/safety.ts'

/** Seconds ago that someone was seen so; `clock` is how many seconds the phone's clock is wrong. */
interface Seen {
  ago?: number
  clock?: number
  floor?: 1 | 2
}

/** The event began two days ago unless said otherwise: all that a phone can have seen, it saw in the event. */
async function onFloor(server: TestServer, { beganAgo = 2 * 86_400 } = {}) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const colleague = await server.given.warden(org)
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org)
  const startedAt = new Date(Date.now() - beganAgo * 1000)
  await server.db.updateTable('event').set({ startedAt, beganAt: startedAt }).where('uid', '=', eventUid).execute()
  const call = await server.onDuty(warden)
  const record = (status: string, { ago, clock = 0, floor }: Seen = {}) => {
    const now = Date.now() + clock * 1000
    const headers = ago === undefined ? {} : seenAt(new Date(now - ago * 1000), new Date(now))
    const floorId = floor ? org.floors[floor] : org.floorUid
    return call(setPersonStatus, { body: { personId: person, status, floorId } }, { headers })
  }
  return {
    org,
    warden,
    colleague,
    person,
    eventUid,
    startedAt,
    call,
    record,
    read: () => server.evacueeOf(eventUid, person),
  }
}
const seenAt = (observed: Date, sent: Date) => ({
  'x-observed-at': observed.toISOString(),
  'x-sent-at': sent.toISOString(),
})

test('F17 a late "safe" does not overwrite a newer danger, and is kept in the journal', async ({ server }) => {
  const { record, read, person, eventUid, org } = await onFloor(server)
  await record('in danger', { ago: 10 })

  const late = await record('safe on floor', { ago: 60, floor: 1 })

  expect(late).toEqual({
    status: 'success',
    person: { id: person, status: 'danger', on_floor: false },
    superseded: true,
  })
  expect(await read()).toMatchObject({ status: 'danger', onFloor: false, floorUid: org.floorUid })
  expect((await server.journalOf(person)).at(-1)).toMatchObject({
    after: { status: 'safe', superseded: true },
    observedAt: expect.any(Date),
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F17 a late "unknown" does not overwrite a newer danger either', async ({ server }) => {
  const { record, read } = await onFloor(server)
  await record('danger on floor', { ago: 10 })

  expect(await record('unknown', { ago: 11 })).toMatchObject({ superseded: true })

  expect(await read()).toMatchObject({ status: 'danger', onFloor: true })
})

test('F17 what was seen after the danger counts', async ({ server }) => {
  const { record, read } = await onFloor(server)
  await record('in danger', { ago: 60 })

  expect(await record('safe', { ago: 30 })).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'safe' })
})

test('F17 two dangers reported out of order: the newer one still stands against the "safe" between them', async ({
  server,
}) => {
  const { record, read } = await onFloor(server)
  await record('in danger', { ago: 10 })
  await record('in danger', { ago: 90 })

  const between = await record('safe', { ago: 50 })

  expect(between).toMatchObject({ superseded: true, person: { status: 'danger' } })
  expect(await read()).toMatchObject({ status: 'danger' })
})

test('F17 a late danger does not move someone back from where they were seen in danger since', async ({ server }) => {
  const { record, read, org, eventUid, person } = await onFloor(server)
  await record('danger on floor', { ago: 10, floor: 2 })
  const newest = await read()

  const late = await record('in danger', { ago: 60, floor: 1 })

  expect(late).toEqual({
    status: 'success',
    person: { id: person, status: 'danger', on_floor: true },
    superseded: false,
  })
  const latestReport = { sightAt: expect.any(Date), sightPhoneMs: expect.any(Number) }
  expect(await read()).toEqual({ ...newest, ...latestReport })
  expect((await server.journalOf(person)).at(-1)).toMatchObject({
    after: { status: 'danger', on_floor: false, floor_uid: org.floors[1], superseded: false },
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  await record('in danger', { ago: 5, floor: 1 })
  expect(await read()).toMatchObject({ floorUid: org.floors[1], onFloor: false })
})

test('F17 a late danger tells where someone is whose newer danger names no place', async ({ server }) => {
  const { record, read, org, call, person, eventUid } = await onFloor(server)
  const inTheList = (ago: number) =>
    call(
      setEvacueeStatus,
      { body: { evacueeId: person, status: 'in danger' } },
      { headers: seenAt(new Date(Date.now() - ago * 1000), new Date()) },
    )
  await inTheList(10)

  await record('danger on floor', { ago: 60, floor: 1 })

  expect(await read()).toMatchObject({ floorUid: org.floors[1], onFloor: true })
  await inTheList(90)
  await record('in danger', { ago: 75, floor: 2 })
  expect(await read()).toMatchObject({ floorUid: org.floors[1], onFloor: true })
  expect(await record('safe', { ago: 20 })).toMatchObject({ superseded: true })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F17 a late danger counts at once: no one in danger is overlooked', async ({ server }) => {
  const { record, read } = await onFloor(server)
  await record('safe', { ago: 5 })

  expect(await record('in danger', { ago: 600 })).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'danger' })
})

test.for(['safe', 'safe on floor', 'unknown'])(
  'F17 "%s" seen before the event began counts for nothing in it, and is kept in the journal',
  async (status, { server }) => {
    const { record, read, person, org, eventUid } = await onFloor(server, { beganAgo: 60 })

    const early = await record(status, { ago: 90, floor: 1 })

    expect(early).toMatchObject({ superseded: true, person: { status: 'unknown', on_floor: false } })
    expect(await read()).toMatchObject({ status: 'unknown', floorUid: org.floorUid })
    expect((await server.journalOf(person)).at(-1)).toMatchObject({ after: { superseded: true } })
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
    expect(await record(status, { ago: 30 })).toMatchObject({ superseded: false })
  },
)

test('F17 a danger seen before the event began counts, as of its beginning', async ({ server }) => {
  const { record, read, startedAt } = await onFloor(server, { beganAgo: 60 })

  expect(await record('in danger', { ago: 90 })).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'danger', statusObservedAt: startedAt })
  expect(await record('safe', { ago: 30 })).toMatchObject({ superseded: false })
})

test('F17 last write wins between safe and unknown, late or not', async ({ server }) => {
  const { record, read } = await onFloor(server)
  await record('safe', { ago: 5 })

  expect(await record('unknown', { ago: 60 })).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'unknown' })
})

/** Each sends what was seen at `observed` and goes out at `sent`, in milliseconds of that phone's clock. */
async function onSlowLine(server: TestServer) {
  const given = await onFloor(server)
  const { org, person, warden, colleague, call } = given
  const start = Date.now() - 60_000
  const sender = (by: typeof call) => (status: string, observed: number, sent: number) => {
    const body = { personId: person, status, floorId: org.floorUid }
    return by(setPersonStatus, { body }, { headers: seenAt(new Date(start + observed), new Date(start + sent)) })
  }
  return {
    ...given,
    phone: sender(call),
    otherPhone: sender(await server.as(warden)),
    colleague: sender(await server.onDuty(colleague)),
  }
}

test.for(['unknown', 'safe on floor'])(
  'F17 "%s" takes back the danger that the same phone noted before, however long that was on its way',
  async (status, { server }) => {
    const { phone, read, eventUid } = await onSlowLine(server)
    // sent at once, four seconds on its way; what was tapped two seconds later has a warm line
    await phone('in danger', 0, 0)

    expect(await phone(status, 2000, 4000)).toMatchObject({ superseded: false })

    expect(await read()).toMatchObject({ status: status.split(' ')[0] })
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test('F17 it does not take back what another phone saw since, be it of the same warden', async ({ server }) => {
  const { phone, otherPhone, colleague, read } = await onSlowLine(server)
  await phone('in danger', 0, 0)
  expect(await otherPhone('unknown', 2000, 4000)).toMatchObject({ superseded: true })
  expect(await colleague('unknown', 2000, 4000)).toMatchObject({ superseded: true })

  await colleague('in danger', 3000, 4000)
  expect(await phone('unknown', 2000, 4000)).toMatchObject({ superseded: true })
  await otherPhone('in danger', 3000, 3000)
  expect(await phone('unknown', 3500, 4000)).toMatchObject({ superseded: true })

  expect(await read()).toMatchObject({ status: 'danger' })
})

test('F17 what the same phone noted before its danger stays late, also when it is sent again', async ({ server }) => {
  const { phone, read } = await onSlowLine(server)
  await phone('in danger', 5000, 5000)

  expect(await phone('safe', 4000, 6000)).toMatchObject({ superseded: true })

  expect(await read()).toMatchObject({ status: 'danger' })
})

test('F17 without the time of sight a record counts as now', async ({ server }) => {
  const { record, read } = await onFloor(server)
  await record('in danger', { ago: 1 })

  expect(await record('safe')).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'safe' })
})

test.for([
  ['an hour slow', -3600],
  ['an hour fast', 3600],
  ['years slow', -400_000_000],
] as const)('F15 a phone clock that is %s does no harm', async ([, clock], { server }) => {
  const { record, read } = await onFloor(server)
  await record('in danger', { ago: 60 })

  expect(await record('safe', { ago: 120, clock })).toMatchObject({ superseded: true })
  expect(await record('safe', { ago: 5, clock })).toMatchObject({ superseded: false })

  const seen = (await read())?.statusObservedAt?.getTime() ?? 0
  expect(Math.abs(Date.now() - 5_000 - seen)).toBeLessThan(3_000)
})

test('F15 nothing is seen in the future: a later "safe" can always take a danger back', async ({ server }) => {
  const { call, person, org, record, read } = await onFloor(server)
  const tomorrow = new Date(Date.now() + 86_400_000)
  const body = { personId: person, status: 'in danger', floorId: org.floorUid }
  await call(setPersonStatus, { body }, { headers: seenAt(tomorrow, new Date()) })
  await call(setPersonStatus, { body }, { headers: { 'x-observed-at': tomorrow.toISOString() } })

  expect(await record('safe', { ago: 0 })).toMatchObject({ superseded: false })

  expect(await read()).toMatchObject({ status: 'safe' })
})

test.for([
  ['a word', 'yesterday', 'today'],
  ['the ends of time', '-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'],
  ['long before the database begins', '-005000-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['nothing', '', ''],
] as const)('F15 %s as a time is no reason to lose a record', async ([, observed, sent], { server }) => {
  const { call, person, org, read } = await onFloor(server)
  const body = { personId: person, status: 'safe', floorId: org.floorUid }

  await call(setPersonStatus, { body }, { headers: { 'x-observed-at': observed, 'x-sent-at': sent } })

  expect(await read()).toMatchObject({ status: 'safe' })
})

test.for([
  ['an hour behind', -3600],
  ['an hour ahead', 3600],
] as const)('F15 a server whose clock is %s dates records as the others do', async ([, wrong]) => {
  const clock = { now: () => new Date(Date.now() + wrong * 1000) }
  await using server = await startTestServer({ clock })
  const { record, read } = await onFloor(server, { beganAgo: 60 })

  expect(await record('safe', { ago: 20 })).toMatchObject({ superseded: false })
  await record('in danger', { ago: 10 })

  const seen = (await read())?.statusObservedAt?.getTime() ?? 0
  expect(Math.abs(Date.now() - 10_000 - seen)).toBeLessThan(3_000)
})
