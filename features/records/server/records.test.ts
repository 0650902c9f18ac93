import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { headsOf } from '#features/log/server/heads.service.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import { createMetrics } from '#server/platform/observability/metrics.ts'
import { givenRecordOf } from '#server/security/authorisation/own-uids.fixture.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord } from '../calls/additions.ts'
import { getRecord, listNames, listRecords, listTrends, type RecordCard, recordSorts } from '../calls/records.ts'
import { meterRecords } from './metrics/record-metrics.ts'
import { writeDueRecords } from './record-work.service.ts'
import { givenDrilled, givenRecord, workOf, writeRecords } from './records.fixture.ts'

test('AAR-03 AAR-08 REC2-04 REC2-05 the record of a drill: header, people, floors, wardens, decisions', async ({
  server,
}) => {
  const { state, whole, record, org } = await givenRecord(server)

  expect({ state, whole }).toEqual({ state: 'ready', whole: true })
  expect(record).toMatchObject({
    number: 1,
    kind: 'drill',
    announced: true,
    site: { name: 'Harbour Campus' },
    timezone: 'Australia/Sydney',
    started_by: { name: expect.stringContaining('Chief'), role: 'Chief Warden' },
    buildings: [{ name: 'Tower A', joined: 0, left: null, clear: null }],
    result: { word: 'unaccounted', people: 1 },
    people: { end: { safe: 3, unknown: 1, danger: 0, total: 4 }, refusals: 1, everyone_after: null },
    wardens: { total: 2, reported_in: 2, not_available: 0, never_covered: 2 },
  })
  const [ground] = record?.floors.rows ?? []
  expect(ground).toMatchObject({
    id: org.floors[0],
    name: 'Ground',
    order: 1,
    refusals: 1,
    unseen_when_clear: 1,
    wardens: 1,
  })
  expect(ground?.clear).toBeGreaterThan(0)
  expect(ground?.clear).toBe(ground?.first_clear)
  expect(record?.floors).toMatchObject({ total: 3, clear: 1, has_clear_status: true })
  expect(record?.decisions.map(({ action }) => action)).toEqual(['event_started', 'event_ended'])
})

test('AAR-04 records are numbered in the order of the ends, by workers at once, without gaps', async ({ server }) => {
  const { start, end, manager } = await givenDrilled(server)
  const uids = []
  for (let nth = 0; nth < 5; nth++) {
    uids.push(await start())
    await end()
  }

  await Promise.all([1, 2, 3].map(() => writeRecords(server)))

  const { records } = await manager(listRecords, { query: {} })
  expect(records.map(({ number, event }) => [number, event])).toEqual(
    uids.map((event, index) => [index + 1, event]).toReversed(),
  )
})

test('AAR-05 a record that was written does not follow what changes later', async ({ server }) => {
  const { eventUid, record, persons, manager } = await givenRecord(server)
  await server.db
    .updateTable('evacuee')
    .set({ status: 'danger' })
    .where('personUid', '=', persons[0] as PersonUid)
    .execute()
  await server.db
    .updateTable('eventRecord')
    .set({ nextTryAt: new Date(0) })
    .execute()
  await writeRecords(server)

  expect((await manager(getRecord, { params: { eventUid } })).record).toEqual(record)
})

test('AAR-02 a foreign record, one of another site and one that never was are not found; a link reaches none', async ({
  server,
}) => {
  const { eventUid, org, manager } = await givenRecord(server)
  const chief = { role: 'Chief Warden' } as const
  const other = await server.as(await server.given.warden(await server.given.organisation(), chief))
  const elsewhere = await server.as(await server.given.warden(await server.given.site(org), chief))
  const unflagged = await server.as(await server.given.warden(org, { modules: ['Module_Floor_Evacuation'] }))
  const of = (uid: string) => ({ params: { eventUid: uid as never } })

  expect(
    await refused(
      other(getRecord, of(eventUid)),
      elsewhere(getRecord, of(eventUid)),
      manager(getRecord, of(randomUUID())),
      unflagged(getRecord, of(eventUid)),
    ),
  ).toEqual(['not_found', 'not_found', 'not_found', 'forbidden'])
  expect((await elsewhere(listRecords, { query: {} })).records).toEqual([])
})

test('AAR-02 beyond the reach of a floor warden totals only: no names, no floors', async ({ server }) => {
  const { eventUid, org } = await givenRecord(server)
  const [, second] = org.floors
  const warden = await server.as(
    await server.given.warden(org, { floorUid: second, modules: ['Module_Event_Records'] }),
  )

  const { whole, record } = await warden(getRecord, { params: { eventUid } })

  expect(whole).toBe(false)
  expect(record?.people.end.total).toBe(4)
  expect(record?.floors.rows.map(({ id }) => id)).toEqual([second])
  expect(JSON.stringify(record)).not.toContain('Chief Number')
  expect(record?.decisions.every(({ by }) => by === null)).toBe(true)
  const { people } = await warden(listNames, { params: { eventUid }, body: { list: 'unaccounted' } }, withKey())
  expect(people).toEqual([])
})

test('REC2-15 the last step of the curve is what stood at the end', async ({ server }) => {
  const { record } = await givenRecord(server)

  expect(record?.people.curve?.steps.at(-1)).toEqual([3, 1, 0])
  expect(record?.people.curve?.step_seconds).toBe(1)
})

test('AAR-17 AAR-18 names of a list are journaled as seen; those with a plan only for a reason, which is kept', async ({
  server,
}) => {
  const { eventUid, manager, persons, org, record: readRecord } = { ...(await givenRecord(server)) }
  await server.given.peep(org, `${persons[0]}` as never)
  const names = (body: object) => manager(listNames, { params: { eventUid }, body: body as never }, withKey())

  expect((await names({ list: 'unaccounted' })).people).toMatchObject([
    { person: persons[3], place: 'Tower A - Ground' },
  ])
  expect((await names({ list: 'refused' })).people).toHaveLength(1)
  expect(await refused(names({ list: 'plans' }))).toEqual(['invalid_request'])
  expect((await names({ list: 'plans', reason: 'The coroner asked.' })).people).toMatchObject([{ person: persons[0] }])

  const seen = (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_names_seen')
  expect(seen.map(({ after }) => after)).toMatchObject([
    { list: 'unaccounted', people: 1 },
    { list: 'refused', people: 1 },
    { list: 'plans', people: 1 },
  ])
  const { additions } = await manager(getRecord, { params: { eventUid } })
  expect(additions).toMatchObject([{ kind: 'names_reason', body: { reason: 'The coroner asked.' }, mine: true }])
  expect(readRecord).not.toBeNull()
})

test('AAR-36 the list is sorted by any column over all of its pages', async ({ server }) => {
  const org = await server.given.organisation()
  const manager = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  for (let nth = 0; nth < 45; nth++) {
    const eventUid = await givenRecordOf(server, org)
    const began = new Date(Date.UTC(2026, 0, 1 + nth))
    const minutes = (nth * 7) % 11
    await server.db
      .updateTable('eventRecord')
      .set({
        beganAt: began,
        endedAt: new Date(began.getTime() + minutes * 60_000),
        kind: nth % 3 ? 'drill' : 'live',
        result: ['accounted', 'danger', null][nth % 3] ?? null,
      })
      .where('eventUid', '=', eventUid)
      .execute()
  }
  const values = {
    type: () => '',
    kind: ({ kind }) => kind,
    number: ({ number }) => number,
    began: ({ started_at }) => started_at,
    duration: ({ started_at, ended_at }) => Date.parse(ended_at) - Date.parse(started_at),
    result: ({ number }) => ['accounted', 'danger', ''][(number - 1) % 3] ?? '',
  } satisfies Record<string, (card: RecordCard) => string | number>

  for (const sort of recordSorts)
    for (const direction of ['up', 'down'] as const) {
      const cards: RecordCard[] = []
      let after: string | null | undefined
      while (after !== null) {
        const page = await manager(listRecords, { query: { sort, direction, ...(after && { after }) } })
        cards.push(...page.records)
        after = page.next
      }
      const seen = cards.map((card) => values[sort](card) as never)
      const sign = direction === 'up' ? 1 : -1
      expect([sort, new Set(cards.map(({ event }) => event)).size]).toEqual([sort, 45])
      expect(seen).toEqual(seen.toSorted((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0)))
    }
})

test('AAR-18 people with a plan are told by floor and one by one, without names, within the reach of the reader', async ({
  server,
}) => {
  const { start, warden, end, persons, org, record } = await givenDrilled(server)
  await server.given.peep(org, `${persons[0]}` as never)
  await server.given.peep(org, `${persons[1]}` as never)
  const eventUid = await start()
  const { mark } = await warden()
  await mark(`${persons[0]}`, 'safe')
  await end()
  await writeRecords(server)

  const plans = (await record(eventUid)).record?.plans
  expect(plans).toMatchObject({
    end: { safe: 1, unknown: 1, danger: 0, total: 2 },
    floors: [
      { floor: org.floors[0], place: 'Tower A - Ground', people: { safe: 1, total: 2 }, last_safe: plans?.last_safe },
    ],
    people: [{ place: 'Tower A - Ground' }, { place: 'Tower A - Ground' }],
  })
  expect(plans?.people?.map(({ status, safe_after }) => [status, safe_after !== null]).toSorted()).toEqual([
    ['safe', true],
    ['unknown', false],
  ])
  const neighbour = await server.as(
    await server.given.warden(org, { floorUid: org.floors[1], modules: ['Module_Event_Records'] }),
  )
  const theirs = (await neighbour(getRecord, { params: { eventUid } })).record?.plans
  expect(theirs).toMatchObject({ end: { total: 2 }, floors: [], people: [] })
})

test('REC2-01 REC-25 texts by purpose: half and 90 % delivered and answered, by reply or own page, and why some were not sent', async ({
  server,
}) => {
  const { start, warden, end, persons, org, ada, record } = await givenDrilled(server)
  const eventUid = await start()
  const sent = new Date()
  const after = (seconds: number) => new Date(sent.getTime() + seconds * 1000)
  const { clientUid } = org
  const text = (over: object) =>
    server.db
      .insertInto('sms')
      .values({
        clientUid,
        eventUid,
        kind: 'event_message',
        body: 'Go.',
        validUntil: new Date(),
        createdAt: sent,
        ...over,
      })
      .execute()
  for (const [nth, personUid] of persons.entries())
    await text({ personUid, status: 'delivered', changedAt: after(nth + 1) })
  await text({ status: 'skipped', reason: 'No mobile number.' })
  await text({ kind: 'warden_alert', personUid: ada.personUid, status: 'handed_over' })
  for (const [nth, seconds] of [30, 60].entries()) {
    const evacuee = await server.evacueeOf(eventUid, persons[nth] as never)
    await server.db
      .insertInto('message')
      .values({
        clientUid,
        eventUid,
        evacueeUid: evacuee?.uid,
        kind: 'evacuee',
        direction: 'in',
        text: 'Out',
        createdAt: after(seconds),
        providerId: `${eventUid}-${nth}`,
      } as never)
      .execute()
  }
  const linked = await server.evacueeOf(eventUid, persons[2] as never)
  // who was recorded from a poster's report answered no text
  for (const [nth, way] of (['poster', 'link', 'link'] as const).entries())
    await server.db
      .insertInto('selfReport')
      .values({
        clientUid,
        eventUid,
        way,
        status: 'safe',
        evacueeUid: linked?.uid,
        network: '192.0.2.1',
        at: after(40 + nth * 5),
        formKey: Buffer.from(`${eventUid} ${nth}`),
        state: 'accepted',
      } as never)
      .execute()
  await warden()
  await end()
  await writeRecords(server)

  const { texts } = (await record(eventUid)).record ?? {}
  const purpose = (name: string) => texts?.purposes.find((one) => one.purpose === name)
  expect(purpose('event_message')).toMatchObject({
    written: 5,
    delivered: 4,
    skipped: 1,
    delivered_half: 3,
    // of all five: the fifth was not sent
    delivered_most: null,
    answered: 3,
    answered_half: 45,
    answered_most: 60,
  })
  expect(purpose('warden_alert')).toMatchObject({ delivered_half: null, answered: 1 })
  expect(purpose('warden_alert')?.answered_half).toBeGreaterThan(0)
  expect(texts?.skipped_because).toContainEqual({ reason: 'No mobile number.', texts: 1 })
})

test('AAR-36 AAR-37 REC2-11 past events are searched and filtered, a running one stands above; trends have a point each', async ({
  server,
}) => {
  const { start, end, manager, org } = await givenDrilled(server)
  await start()
  await end()
  await start({ kind: 'live' })
  await end()
  await writeRecords(server)
  const running = await start()
  const numbers = async (query: object) => (await manager(listRecords, { query })).records.map(({ number }) => number)

  const all = await manager(listRecords, { query: {} })
  expect(all.running).toMatchObject([{ event: running, kind: 'drill', buildings: ['Tower A'] }])
  expect(all).toMatchObject({
    sites: [{ id: org.siteUid }],
    next: null,
    records: [{ kind: 'live' }, { kind: 'drill' }],
  })
  expect(await numbers({ kind: 'drill' })).toEqual([1])
  expect(await numbers({ q: 'HARBOUR' })).toEqual([2, 1])
  expect(await numbers({ q: 'tower b' })).toEqual([])
  expect(await numbers({ result: 'unaccounted' })).toEqual([2, 1])
  expect(await numbers({ open: 'yes' })).toEqual([])
  expect(await numbers({ from: '2020-01-01', to: '2020-12-31' })).toEqual([])
  expect(await numbers({ after: all.records[0]?.event })).toEqual([1])
  const trends = () => manager(listTrends, { query: { site: org.siteUid } })
  expect(await trends()).toEqual({ points: [], not_drawn: { drill: 1, live: 1 } })
  await server.db
    .updateTable('eventRecord')
    .set({ beganAt: new Date(Date.now() - 600_000) })
    .where('siteUid', '=', org.siteUid)
    .execute()
  expect((await trends()).points).toMatchObject([
    { number: 1, kind: 'drill', floors: 3, wardens: 2 },
    // its starter answered in its first moment
    { number: 2, kind: 'live', answered: 1, wardens: 2 },
  ])
  await manager(
    addToRecord,
    {
      params: { eventUid: all.records[0]?.event as EventUid },
      body: { kind: 'outcome', body: { outcome: 'Started by mistake' } },
    },
    withKey(),
  )
  expect(await trends()).toMatchObject({ points: [{ number: 1 }], not_drawn: { drill: 0, live: 1 } })
})

test('AAR-20 what was written goes with the messages of the event; who decided what, and when, stays', async ({
  server,
}) => {
  const { eventUid, manager, record } = await givenRecord(server)
  const days = { messages: 30, events: undefined, audit: undefined, peeps: undefined }
  await forget(server.database.system, days)
  expect((await manager(getRecord, { params: { eventUid } })).record).toEqual(record)
  await server.db
    .updateTable('event')
    .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
    .where('uid', '=', eventUid)
    .execute()

  await forget(server.database.system, days)

  const { state, record: after } = await manager(getRecord, { params: { eventUid } })
  expect(state).toBe('ready')
  expect(after?.decisions[0]).toEqual({
    ...record?.decisions[0],
    words: '',
    deleted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
  })
  expect({ ...after, decisions: [], message: '' }).toEqual({ ...record, decisions: [], message: '' })
  await forget(server.database.system, days)
  expect((await manager(getRecord, { params: { eventUid } })).record).toEqual(after)
})

test('AAR-42 the record of a deleted event keeps its figures, and no one who took part', async ({ server }) => {
  const { eventUid, manager, record } = await givenRecord(server)
  await server.db
    .updateTable('event')
    .set({ endedAt: new Date(Date.now() - 400 * 86_400_000) })
    .where('uid', '=', eventUid)
    .execute()

  await forget(server.database.system, { messages: undefined, events: 365, audit: undefined, peeps: undefined })

  const after = await manager(getRecord, { params: { eventUid } })
  expect(after).toMatchObject({
    state: 'reduced',
    record: { number: 1, people: record?.people, floors: record?.floors },
  })
  expect(JSON.stringify(after)).not.toContain('Chief Number')
  expect(after.record?.decisions.map(({ by, words }) => [by, words])).toEqual([
    [null, ''],
    [null, ''],
  ])
  const { people } = await manager(listNames, { params: { eventUid }, body: { list: 'unaccounted' } }, withKey())
  expect(people).toEqual([])
  expect((await manager(listRecords, { query: {} })).records).toMatchObject([{ state: 'reduced', type: record?.type }])
})

test('AAR-03 a record that cannot be written is tried again each minute, and says so after five attempts, and to the operator', async ({
  server,
}) => {
  const { start, end, manager } = await givenDrilled(server)
  const eventUid = await start()
  await end()
  const stateNow = async () => (await manager(getRecord, { params: { eventUid } })).state
  const tryAgain = async () => {
    const now = { nextTryAt: new Date(0) }
    await server.db.updateTable('eventRecord').set(now).where('eventUid', '=', eventUid).execute()
    await writeOnce(server)
    return stateNow()
  }
  const metrics = createMetrics()
  meterRecords(metrics, server.database.system.db, () => false)
  const failedShown = async () => Number(/^evac_records_failed (\d+)/m.exec(await metrics.registry.metrics())?.[1])
  await server.database.owner.pg.query('alter table instruction rename to instruction_elsewhere')
  try {
    await expect.poll(() => writeOnce(server)).toBe(1)
    expect(await stateNow()).toBe('writing')
    await expect.poll(tryAgain).toBe('failed')
    const { attempts } = await server.db
      .selectFrom('eventRecord')
      .select('attempts')
      .where('eventUid', '=', eventUid)
      .executeTakeFirstOrThrow()
    expect(attempts).toBe(5)
    expect(await failedShown()).toBe(1)
  } finally {
    await server.database.owner.pg.query('alter table instruction_elsewhere rename to instruction')
  }
  expect(await writeOnce(server)).toBe(0)
  expect(await stateNow()).toBe('failed')
  expect(await tryAgain()).toBe('ready')
  expect(await failedShown()).toBe(0)
})

test('LOG-07 AAR-04 a closing names the record before it, by the size and root of its head', async ({ server }) => {
  const { start, end, org } = await givenDrilled(server)
  const uids = []
  for (let nth = 0; nth < 2; nth++) {
    uids.push(await start())
    await end()
  }
  await writeRecords(server)

  const [first, second] = await Promise.all(
    uids.map(async (uid) => (await server.journalOf(uid)).find(({ action }) => action === 'record_closed')?.after),
  )
  const heads = await headsOf(server.db, { clientUid: org.clientUid, eventUid: uids[0] as EventUid })
  expect(first).toMatchObject({ number: 1, kind: 'drill', previous: null, files: { people: { lines: 6 } } })
  const last = heads.at(-1)
  expect(second).toMatchObject({ previous: { number: 1, size: last?.size, root: last?.root.toString('base64') } })
})

/** Returns the number of troubles. */
async function writeOnce(server: TestServer): Promise<number> {
  let troubles = 0
  await writeDueRecords(workOf(server), () => troubles++, new AbortController().signal)
  return troubles
}

test('REC2-22 answers of wardens are kept at their seconds, and the last has all of them', async ({ server }) => {
  const { record } = await givenRecord(server)
  const { answered_steps: steps = [], reported_in = 0, not_available = 0 } = record?.wardens ?? {}

  expect(steps.at(-1)?.[1]).toBe(reported_in + not_available)
  const seconds = steps.map(([at]) => at)
  expect(seconds).toEqual([...new Set(seconds.map(Math.floor))].toSorted((a, b) => a - b))
})

test('REC2-19 names stand by building, floor from the top and name, page after page', async ({ server }) => {
  const { org, start, end, manager } = await givenDrilled(server, 0)
  const [ground, first] = org.floors
  for (let nth = 0; nth < 24; nth++)
    await server.given.occupant(org, { floorUid: [ground, org.otherFloorUid, first][nth % 3] })
  const eventUid = await start()
  await end()
  await writeRecords(server)
  const read = (after?: string) =>
    manager(listNames, { params: { eventUid }, body: { list: 'unaccounted', ...(after && { after }) } }, withKey())
  const one = await read()
  const two = one.next ? await read(one.next) : { people: [], next: null }

  const people = [...one.people, ...two.people]
  const places = [...new Set(people.map(({ place }) => place))]
  expect(places.slice(0, 2)).toEqual(['Tower A - Level 1', 'Tower A - Ground'])
  expect(new Set(people.map(({ person }) => person)).size).toBe(people.length)
  for (const place of places) {
    const names = people.filter((one) => one.place === place).map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names.length).toBe(8)
  }
})
