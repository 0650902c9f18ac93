/** @module-tag long */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { getRecord } from '#features/records/calls/records.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { makeInProcess } from '#server/platform/process-apart/make-in-process.ts'
import { writeEntry } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getExport } from '../calls.ts'
import { type ExportTask, exportProgram } from './export-task.ts'
import { askFor, makeExports } from './exports.fixture.ts'

async function givenTask(server: TestServer) {
  const { eventUid, org, chief } = await givenRecord(server)
  const folder = mkdtempSync(join(tmpdir(), 'evac-process-'))
  const reach = { ...org, isSite: true, buildingUids: [], floorUids: [], seesPlanned: true }
  const task: ExportTask = {
    ...{
      connection: server.database.connection,
      eventUid,
      personUid: chief.personUid as never,
      reach,
      format: 'csv',
      names: 'none',
    },
    heads: null,
    head: null,
    key: { name: 'n', keyId: '00000000', publicKey: '' },
    fontsDir: '',
    path: join(folder, 'file'),
  }
  return { task, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Each export starts a process. */
const patience = { timeout: 120_000 }

test(
  'AAR-41 an export that takes too long is ended, and says so; one that fails otherwise is tried again',
  patience,
  async ({ server }) => {
    using given = await givenTask(server)
    const going = new AbortController().signal

    expect(
      await makeInProcess({ ...exportProgram('csv'), mostSeconds: 0.01 }, given.task, () => undefined, going),
    ).toEqual({
      isDone: false,
      refused: 'Too large for this server: use the bundle.',
    })
    const elsewhere = { ...given.task, path: '/nowhere/at/all' }
    expect(await makeInProcess(exportProgram('csv'), elsewhere, () => undefined, going)).toEqual({
      isDone: false,
      refused: null,
    })
    const seen: number[] = []
    expect(await makeInProcess(exportProgram('csv'), given.task, (percent) => seen.push(percent), going)).toEqual({
      isDone: true,
    })
    expect(seen.at(0)).toBe(5)
  },
)

test(
  'LOG-17 no bundle is made of a moment in which the newest head does not cover the log',
  patience,
  async ({ server }) => {
    using given = await givenTask(server)
    const { eventUid, reach } = given.task
    await writeEntry(server.db, { clientUid: reach.clientUid, eventUid }, 'unread_changed', {})

    const made = await makeInProcess(
      exportProgram('bundle'),
      { ...given.task, format: 'bundle' },
      () => undefined,
      new AbortController().signal,
    )

    expect(made).toEqual({ isDone: false, refused: null, waits: true })
  },
)

test('AAR-39 above 8,000 rows of names and timeline a PDF says to use the bundle', patience, async ({ server }) => {
  const { eventUid, org, manager } = await givenRecord(server)
  const rows = Array.from({ length: 8_001 }, () => ({
    clientUid: org.clientUid,
    eventUid,
    action: 'messages_moved',
    subjectType: 'event',
    subjectUid: eventUid,
  }))
  for (let at = 0; at < rows.length; at += 2_000)
    await server.db
      .insertInto('journal')
      .values(rows.slice(at, at + 2_000))
      .execute()
  const { uid } = await askFor(manager, eventUid, 'pdf')
  await makeExports(server)

  expect(await manager(getExport, { params: { uid } })).toMatchObject({
    state: 'failed',
    message: 'More than 8,000 rows: use the bundle.',
  })
  expect((await manager(getRecord, { params: { eventUid } })).state).toBe('ready')
})
