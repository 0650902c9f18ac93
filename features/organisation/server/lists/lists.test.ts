import { expect } from 'vitest'
import { listTemplates } from '#features/messaging/calls/messaging.ts'
import type { FloorStatusUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { directoryOf, isFreeMeanwhile } from '#server/testing/free-row.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import * as calls from '../../calls/lists.ts'

async function listing(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind' })
  const call = await asAdministrator(server, admin)
  const statuses = async () => (await call(calls.listFloorStatuses, {})).rows
  const types = async () => (await call(calls.listEventTypes, {})).rows
  const templates = async () => (await call(calls.listTemplateRows, {})).rows
  const order = (uids: FloorStatusUid[]) => call(calls.orderFloorStatuses, { body: { uids } }, withKey())
  /** Saves the status as it stands, with these fields changed. */
  const change = ({ uid, ...row }: calls.FloorStatusRow, over: Partial<Omit<calls.FloorStatusRow, 'uid'>>) =>
    call(calls.changeFloorStatus, { params: { uid }, body: { ...row, ...over } }, withKey())
  const add = (name: string, colour = 'green') =>
    call(calls.addFloorStatus, { body: { name, colour, in_use: true } }, withKey())
  return { org, admin, call, statuses, types, templates, order, change, add }
}

test('PPL-40 PPL-41 statuses are added at the end, changed and put in order; an event begins at the first in use', async ({
  server,
}) => {
  const { org, admin, statuses, add, change, order } = await listing(server)
  const { uid } = await add(' Searched ', '#1A2B3C')
  const rows = await statuses()
  expect(rows.map(({ name, colour, in_use }) => [name, colour, in_use])).toEqual([
    ...(await before()),
    ['Searched', '#1a2b3c', true],
  ])
  async function before() {
    const stored = await server.db
      .selectFrom('floorStatus')
      .selectAll()
      .where('clientUid', '=', org.clientUid)
      .execute()
    return stored
      .filter((row) => row.uid !== uid)
      .sort((a, b) => a.displayOrder - b.displayOrder)
      .map(({ name, colour, inUse }) => [name, colour, inUse])
  }

  await order([uid as FloorStatusUid, ...rows.map((row) => row.uid).filter((one) => one !== uid)])
  const [first, second] = await statuses()
  await change(first as calls.FloorStatusRow, { name: 'Checked' })

  expect((await statuses())[0]).toMatchObject({ uid, name: 'Checked' })
  const { eventUid } = await server.runningEvent(org)
  const begun = await server.db
    .selectFrom('eventFloor')
    .select('floorStatusUid')
    .where('eventUid', '=', eventUid)
    .execute()
  expect(new Set(begun.map(({ floorStatusUid }) => floorStatusUid))).toEqual(new Set([uid]))
  await change((await statuses())[0] as calls.FloorStatusRow, { in_use: false })
  expect((await statuses()).map(({ in_use }) => in_use)).toContain(true)
  expect(second?.in_use).toBe(true)
  const told = (await server.journalOf(uid)).filter((entry) => entry.action === 'list_changed')
  expect(told.map((entry) => [entry.actorPersonUid, entry.eventUid])).toEqual([
    ...Array(3).fill([admin.personUid, null]),
    [admin.personUid, null],
    [admin.personUid, eventUid],
  ])
})

test('PPL-41 no two share a name, whatever the case, and a bad colour is told', async ({ server }) => {
  const { statuses, add, change } = await listing(server)
  const [first, second] = (await statuses()) as [calls.FloorStatusRow, calls.FloorStatusRow]

  await expect(add(first.name.toUpperCase())).rejects.toMatchObject({ code: 'taken', fields: ['name'] })
  await expect(change(second, { name: first.name })).rejects.toMatchObject({ code: 'taken', fields: ['name'] })
  await expect(add('New', 'pink')).rejects.toMatchObject({
    message: 'Colour is not one of green, yellow, red, orange, grey, blue',
    fields: ['colour'],
  })
  await expect(add(' ')).rejects.toMatchObject({ message: 'Name is empty', fields: ['name'] })
  expect(await statuses()).toHaveLength(3)
})

test('PPL-41 ten at once who take the last two out of use leave one in use', async ({ server }) => {
  const { statuses, change } = await listing(server)
  const inUse = (await statuses()).filter((row) => row.in_use)
  expect(inUse).toHaveLength(2)

  const outcomes = await refused(
    ...Array.from({ length: 5 }, () => inUse.map((row) => change(row, { in_use: false }))).flat(),
  )

  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1)
  expect((await statuses()).filter((row) => row.in_use)).toHaveLength(1)
})

test('PPL-41 of ten at once who give one name to statuses one does', async ({ server }) => {
  const { statuses, add } = await listing(server)

  const outcomes = await refused(...Array.from({ length: 10 }, (_, n) => add(n % 2 ? 'Searched' : 'SEARCHED')))

  expect(outcomes.toSorted()).toEqual(['answered', ...Array(9).fill('taken')])
  expect(await statuses()).toHaveLength(4)
})

test('PPL-40 two who order at once leave one of both orders, whole', async ({ server }) => {
  const { statuses, order } = await listing(server)
  const uids = (await statuses()).map(({ uid }) => uid)
  const other = uids.toReversed()

  await Promise.all(Array.from({ length: 10 }, (_, n) => order(n % 2 ? uids : other)))

  const now = (await statuses()).map(({ uid }) => uid)
  expect([uids, other]).toContainEqual(now)
  expect(await refused(order(uids.slice(1)), order([]))).toEqual(['changed_since', 'changed_since'])
  expect((await statuses()).map(({ uid }) => uid)).toEqual(now)
})

test('PPL-40 of two who save one row the second is told when the first did', async ({ server }) => {
  const { statuses, change } = await listing(server)
  const [row] = (await statuses()) as [calls.FloorStatusRow]

  const outcomes = await refused(...Array.from({ length: 10 }, (_, n) => change(row, { name: `Name ${n}` })))

  expect(outcomes.toSorted()).toEqual(['answered', ...Array(9).fill('changed_since')])
  await expect(change(row, {})).rejects.toThrow(/^Someone else changed this at \d\d:\d\d\.$/)
})

test('PPL-40 a list of statuses has an end', async ({ server }) => {
  const { statuses, add } = await listing(server)
  for (let n = 4; n <= 20; n++) await add(`Status ${n}`)

  await expect(add('One more')).rejects.toMatchObject({ code: 'invalid_request', fields: ['name'] })
  expect(await statuses()).toHaveLength(20)
})

test('PPL-40 event types are added and changed; that of a running event keeps its name', async ({ server }) => {
  const { org, call, types } = await listing(server)
  const body = { type: 'Gas leak', description: 'Smell of gas', message: 'Leave now.', in_use: true }
  await call(calls.addEventType, { body }, withKey())
  expect(await types()).toContainEqual(expect.objectContaining(body))
  await server.runningEvent(org)
  const change = (row: calls.EventTypeRow, over: Partial<typeof body>) => {
    const { uid, ...held } = row
    return call(calls.changeEventType, { params: { uid }, body: { ...held, ...over } }, withKey())
  }
  const running = (await types()).find(({ uid }) => uid === org.eventTypeUid) as calls.EventTypeRow
  const idle = (await types()).find(({ type }) => type === 'Gas leak') as calls.EventTypeRow

  await expect(change(running, { type: 'Renamed' })).rejects.toMatchObject({
    code: 'in_event',
    message: `An event is running at ${org.siteName}. This can be changed when it has ended.`,
    fields: ['type'],
  })
  await change(running, { message: 'Leave by the stairs.' })
  await change(idle, { type: 'Gas', in_use: false })

  expect(await types()).toContainEqual(
    expect.objectContaining({ uid: org.eventTypeUid, message: 'Leave by the stairs.' }),
  )
  expect((await types()).at(-1)).toMatchObject({ type: 'Gas', in_use: false })
  await expect(change(idle, { message: 'x'.repeat(131) })).rejects.toMatchObject({ code: 'changed_since' })
  await expect(call(calls.addEventType, { body: { ...body, message: 'x'.repeat(131) } })).rejects.toMatchObject({
    message: 'Message is longer than 130 characters',
    fields: ['message'],
  })
})

test('AAR-13 a status means clear by its name, until an administrator says otherwise; the audit log tells it', async ({
  server,
}) => {
  const { org, call, statuses } = await listing(server)
  const { uid } = await call(
    calls.addFloorStatus,
    { body: { name: 'Cleared', colour: 'green', in_use: true } },
    withKey(),
  )
  const added = async () => (await statuses()).find((row) => row.uid === uid) as calls.FloorStatusRow
  const change = async (over: Partial<calls.FloorStatusRow>) => {
    const { uid: of, means_clear: _, ...held } = await added()
    return call(calls.changeFloorStatus, { params: { uid: of }, body: { ...held, ...over } }, withKey())
  }
  expect((await added()).means_clear).toBe(true)

  await change({ means_clear: false })
  await change({ name: 'Clear' })

  expect(await added()).toMatchObject({ name: 'Clear', means_clear: false })
  expect((await statuses()).find(({ uid: of }) => of === org.statusUids[0])?.means_clear).toBe(false)
  expect((await server.journalOf(uid)).map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ meansClear: false }),
  )
})

test('KIND-03 a type is meant for drills by its name, until an administrator says otherwise', async ({ server }) => {
  const { call, types } = await listing(server)
  const body = { type: 'Fire drill', description: '', message: 'Leave now.', in_use: true }
  const { uid } = await call(calls.addEventType, { body }, withKey())
  const added = async () => (await types()).find((row) => row.uid === uid) as calls.EventTypeRow
  const change = async (over: Partial<calls.EventTypeRow>) => {
    const { uid: of, kind: _, ...held } = await added()
    return call(calls.changeEventType, { params: { uid: of }, body: { ...held, ...over } }, withKey())
  }
  expect((await added()).kind).toBe('drill')

  await change({ kind: 'live' })
  await change({ message: 'Leave by the stairs.' })

  expect(await added()).toMatchObject({ kind: 'live', message: 'Leave by the stairs.' })
})

test('PPL-40 wardens choose among the templates in use', async ({ server }) => {
  const { org, call, templates } = await listing(server)
  const body = { kind: 'Warden', text: 'Where are you?', coded_answer: false, in_use: true } as const
  const { uid } = await call(calls.addTemplate, { body }, withKey())
  const given = await server.given.warden(org, { modules: ['Module_Warden_Messaging'] })
  await server.runningEvent(org)
  const warden = await server.onDuty(given)
  const seen = async () => JSON.stringify(await warden(listTemplates, { query: { type: 'Warden' } }))
  expect(await seen()).toContain('Where are you?')
  const [row] = await templates()
  expect(row).toMatchObject({ uid, ...body })

  const version = row?.version as string
  await call(
    calls.changeTemplate,
    { params: { uid }, body: { ...body, version, text: 'Where?', in_use: false } },
    withKey(),
  )

  expect(await seen()).not.toContain('Where')
  expect(await templates()).toEqual([expect.objectContaining({ uid, text: 'Where?', in_use: false })])
  expect((await server.journalOf(uid)).map(({ action }) => action)).toEqual(['list_changed', 'list_changed'])
})

test('ORG-10 a site has none of the lists of the whole organisation, and changes none', async ({ server }) => {
  const { org, statuses, templates, call } = await listing(server)
  const site = await asAdministrator(
    server,
    await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid }),
  )
  await call(calls.addTemplate, { body: { kind: 'Warden', text: 'A', coded_answer: false, in_use: true } })
  const [row] = (await statuses()) as [calls.FloorStatusRow]
  const { uid, ...body } = row

  expect((await site(calls.listFloorStatuses, {})).rows).toEqual([])
  expect((await site(calls.listEventTypes, {})).rows).toEqual([])
  expect((await site(calls.listTemplateRows, {})).rows).toEqual([])
  expect(
    await refused(
      site(calls.changeFloorStatus, { params: { uid }, body }),
      site(calls.addFloorStatus, { body: { name: 'New', colour: 'red', in_use: true } }),
      site(calls.orderFloorStatuses, { body: { uids: [uid] } }),
    ),
  ).toEqual(['not_found', 'forbidden', 'forbidden'])
  expect([(await statuses()).length, (await templates()).length]).toEqual([3, 1])
})

test('PPL-40 PPL-02 a status or event type that waits for an import keeps no row from an event', async ({ server }) => {
  const { org, call, statuses, types, change } = await listing(server)
  const [status] = (await statuses()) as [calls.FloorStatusRow]
  const [{ uid, ...body }] = (await types()) as [calls.EventTypeRow]
  const held = directoryOf(org.clientUid)

  const areFree = [
    await isFreeMeanwhile(server, {
      held,
      row: ['floor_status', status.uid],
      act: () => change(status, { name: 'Checked' }),
    }),
    await isFreeMeanwhile(server, {
      held,
      row: ['event_type', uid],
      act: () => call(calls.changeEventType, { params: { uid }, body }, withKey()),
    }),
  ]

  expect(areFree).toEqual([true, true])
})

test('RESP-12 a set adds the event types whose names are missing, with action, place and sentence; a second time none', async ({
  server,
}) => {
  const { call, types } = await listing(server)
  const before = await types()
  expect(before.map(({ type }) => type)).toContain('Fire')

  const add = (set: 'workplace_nz' | 'school_us') => call(calls.addEventTypeSet, { body: { set } }, withKey())
  expect(await add('workplace_nz')).toEqual({ added: 7 })
  expect(await add('workplace_nz')).toEqual({ added: 0 })

  const after = await types()
  expect(after).toHaveLength(before.length + 7)
  const made = (name: string) => after.find(({ type }) => type === name)
  expect(made('Intruder')).toMatchObject({ action: 'lockdown', where: '', kind: 'live', in_use: true })
  expect(made('Intruder')?.message).toBe(
    'LOCKDOWN. Lock your door, lights off, stay out of sight, silence your phone. Wait for police or a warden.',
  )
  expect(made('Tsunami')).toMatchObject({
    action: 'move',
    where: 'high ground',
    message: 'MOVE. Go to high ground now.',
  })
  expect(after.find(({ type }) => type === 'Fire')).toEqual(before.find(({ type }) => type === 'Fire'))
})

test('RESP-12 of ten at once who add a set one adds it', async ({ server }) => {
  const { call, types } = await listing(server)
  const before = (await types()).length
  const added = await Promise.all(
    Array.from({ length: 10 }, () => call(calls.addEventTypeSet, { body: { set: 'school_us' } }, withKey())),
  )
  expect(added.map((one) => one.added).toSorted()).toEqual([...Array(9).fill(0), 5])
  expect(await types()).toHaveLength(before + 5)
})
