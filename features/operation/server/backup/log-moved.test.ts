/** @module-tag long */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { signHead, takeKeptHeads } from '#features/log/server/heads.service.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import {
  countJournal,
  endedDrill,
  inItself,
  oldDrill,
  runningDrill,
  sealTo,
  sealWhole,
  signingOf,
  sizeOf,
  writeBundle,
  writeEntry,
} from '#server/testing/event-log.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { forget } from '../retention/retention.service.ts'
import { backUpOf, restoreInto, test } from './backup.fixture.ts'

type LogOf = Parameters<typeof sealEvent>[1]

const headText = async (server: TestServer, of: LogOf) => {
  const head = await signHead(signingOf(server), of)
  return `${head?.size} ${head?.root.toString('base64')}`
}
const today = new Date().toLocaleDateString('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const actionsOf = async ({ db }: TestServer, of: LogOf) => {
  const { rows } = await sql<{ action: string }>`
    select j.action from log_tile t cross join unnest(t.keys) with ordinality k (position, nth)
    join journal j on j.position = k.position and j.event_uid = t.event_uid
    where t.event_uid = ${of.eventUid} and t.file = 'journal' order by t.idx, k.nth`.execute(db)
  return rows.map(({ action }) => action)
}

test('LOG-16 a restore that loses entries cannot hide it: log_moved is the next entry, and a lost head is refused in words', async ({
  running,
  folder,
  target,
}) => {
  const { server } = running
  const { of } = await endedDrill(server)
  const kept = await sealWhole(server, of)
  const before = await headText(server, of)
  await backUpOf(running, folder)
  for (const nth of [1, 2, 3]) await writeEntry(server.db, of, 'unread_changed', { nth })
  expect(await sealWhole(server, of)).toBe(kept + 3)
  const lost = await headText(server, of)
  await restoreInto(target, folder)
  const restored = { ...server, db: target.system.db, database: target }

  // exactly the three entries after the backup are gone
  expect(await countJournal(restored, of.eventUid)).toBe(kept)
  expect(await sealWhole(restored, of)).toBe(kept)
  await takeKeptHeads(signingOf(restored))
  await writeEntry(restored.db, of, 'record_exported', {})
  await sealTo(restored, of, kept + 2)
  await headText(restored, of)

  expect((await actionsOf(restored, of)).slice(kept)).toEqual(['log_moved', 'record_exported'])
  using bundle = await writeBundle(restored, of)
  expect((await bundle.check()).lines).toEqual(
    expect.arrayContaining([
      inItself,
      `This log continued in another database on ${today} from entry ${kept + 1}.`,
      `Its head ${lost} was lost.`,
    ]),
  )
  expect(lost.split(' ')[0]).toBe(`${kept + 3}`)
  expect(await bundle.check('--head', before)).toMatchObject({ code: 0 })
  expect(await bundle.check('--head', lost)).toMatchObject({
    code: 1,
    lines: [
      'BROKEN',
      `This log continued in another database on ${today} from entry ${kept + 1}; what was published after that is missing.`,
    ],
  })
  // the same place once more, and no second mark
  for (const nth of [4, 5]) await writeEntry(restored.db, of, 'unread_changed', { nth })
  await sealTo(restored, of, kept + 4)
  expect((await actionsOf(restored, of)).filter((action) => action === 'log_moved')).toHaveLength(1)
})

test('LOG-16 rows that were not sealed at the backup are sealed after it by their positions, each once', async ({
  running,
  folder,
  target,
}) => {
  const { server } = running
  const { of, eventUid, record } = await runningDrill(server)
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, of, 'unread_changed', { slow: true })
  await record(0, 'in danger')
  await expect.poll(async () => (await sealEvent(server.db, of)).size).toBeGreaterThan(5)
  await slow.commit().execute()
  const size = await sizeOf(server, of)
  const rows = await countJournal(server, eventUid)
  expect(rows).toBeGreaterThan(size)
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  const restored = { ...server, db: target.system.db, database: target }

  await sealTo(restored, of, rows + 1)

  const actions = await actionsOf(restored, of)
  expect(actions.indexOf('log_moved')).toBe(size)
  expect(actions).toHaveLength(await countJournal(restored, eventUid))
  await headText(restored, of)
  using bundle = await writeBundle(restored, of)
  expect((await bundle.check()).lines[0]).toBe(inItself)
})

test('LOG-16 after a restore no row is deleted before the log was read in the new database', async ({
  running,
  folder,
  target,
}) => {
  const { server } = running
  const { of, eventUid } = await oldDrill(server, 100)
  await sealWhole(server, of)
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  const restored = { ...server, db: target.system.db }
  const rows = await countJournal(restored, eventUid)

  await forget(target.system, { audit: 90 })
  const before = await countJournal(restored, eventUid)
  await sealWhole(restored, of)
  await forget(target.system, { audit: 90 })

  expect(before).toBe(rows)
  expect(await actionsOf(restored, of)).not.toContain('event_started')
})
