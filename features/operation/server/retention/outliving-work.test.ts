import { sql } from 'kysely'
import { expect } from 'vitest'
import { addToRecord, listActions, type NewAddition } from '#features/records/calls/additions.ts'
import { listDrillsDue } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import type { EventUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { forget } from './retention.service.ts'

/** The record of a live event, which its days of retention are over for. */
async function overdue(server: TestServer) {
  const at = await givenDrilled(server)
  const eventUid = await at.start({ kind: 'live' })
  await at.end()
  await writeRecords(server)
  const second = await server.as(await server.given.warden(at.org, { role: 'Chief Warden' }))
  const add = async (kind: string, body: object, by = at.manager) =>
    (await by(addToRecord, { params: { eventUid }, body: { kind, body } as NewAddition }, withKey())).entry.uid
  const actions = async () =>
    (await at.manager(listActions, { query: {} })).actions.map(({ what, state }) => [what, state])
  const entries = async () => {
    const { rows } = await sql<{ kind: string; byName: string }>`
      select kind, by_name from record_entry where event_uid = ${eventUid} order by recorded_at, uid`.execute(server.db)
    return rows
  }
  return { ...at, eventUid, second, add, actions, entries }
}

const forgetEvent = async ({ db, database }: TestServer, eventUid: EventUid) => {
  await sql`update event set ended_at = now() - interval '3 days' where uid = ${eventUid}`.execute(db)
  return forget(database.system, { events: 2 })
}
const action = (what: string) => ({
  what,
  priority: 'High',
  due: '2026-12-01',
  owner: { name: 'Facilities' },
})

test('AAR-51 an action outlives its event until someone has verified it, and steps are still taken', async ({
  server,
}) => {
  const { add, actions, entries, eventUid, second } = await overdue(server)
  const open = await add('action', action('Mend the closer'))
  const done = await add('action', action('Clear the stairs'))
  const over = await add('action', action('Buy a megaphone'))
  const base = await add('action_step', { target: done, base: done, step: 'done' })
  const last = await add('action_step', { target: over, base: over, step: 'done' })
  await add('action_step', { target: over, base: last, step: 'verified' }, second)
  await add('observation', { tone: 'Note', text: 'A door was open.' })

  expect(await forgetEvent(server, eventUid)).toMatchObject({ events: 1 })

  expect((await actions()).toSorted()).toEqual([
    ['Clear the stairs', 'done'],
    ['Mend the closer', 'open'],
  ])
  const step = await add('action_step', { target: open, base: open, step: 'done' })
  await add('action_step', { target: open, base: step, step: 'verified' }, second)
  await add('action_step', { target: done, base, step: 'verified' }, second)
  await forget(server.database.system, {})
  expect(await entries()).toEqual([])
})

test("AAR-51 an emergency still counts in 'Drills due' when its event is deleted, without who said what it was", async ({
  server,
}) => {
  const { add, entries, eventUid, manager } = await overdue(server)
  await add('outcome', { outcome: 'Emergency' })
  const dueIn = async () =>
    (await manager(listDrillsDue, { query: {} })).due.find(({ name }) => name === 'Tower A')?.due_in
  expect(await dueIn()).toBe(365)

  await forgetEvent(server, eventUid)

  expect(await dueIn()).toBe(365)
  expect(await entries()).toEqual([{ kind: 'outcome', byName: '' }])
})
