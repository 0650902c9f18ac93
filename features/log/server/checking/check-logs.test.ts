import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { addToRecord } from '#features/records/calls/additions.ts'
import { getRecord } from '#features/records/calls/records.ts'
import { readLoggedAdditions } from '#features/records/server/additions.service.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { givenAdministrator } from '#server/testing/administrators.ts'
import { sealWhole, signingOf } from '#server/testing/event-log.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { signHead } from '../heads.service.ts'
import { meterLogs } from '../log.metrics.ts'
import { checkAllLogs, checkDueLogs, mailAboutLogs } from './check-logs.service.ts'

/** A server of its own for each test: its logs are all that there are. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

/** A record with an addition, all sealed and signed. */
async function closed(server: TestServer, days = 0) {
  const record = await givenRecord(server, { days })
  const { eventUid, manager, org } = record
  const of = { clientUid: org.clientUid, eventUid }
  const body = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  if (days === 0) await manager(addToRecord, { params: { eventUid }, body }, withKey())
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  return { ...record, of }
}
async function checked(server: TestServer) {
  const lines: string[] = []
  await checkAllLogs(server.database.system.db, readLoggedAdditions, (line) =>
    lines.push(line.replace(/^.* entries: /, '')),
  )
  return lines
}
const owner = (server: TestServer, statement: string, ...values: unknown[]) =>
  server.database.owner.pg.query(statement, values)

test('SEAL-10 a log that is as it was sealed is found so, also after its days of messages, audit and event', async ({
  server,
}) => {
  await closed(server)
  const { of } = await closed(server, 500)

  expect(await checked(server)).toEqual([])
  for (const days of [{ messages: 100 }, { audit: 100 }, { events: 100 }]) {
    await forget(server.database.system, days)
    await sealWhole(server, of)
    expect(await checked(server)).toEqual([])
  }
  const { rows } = await sql<{ checked: boolean; trouble: string | null }>`
    select checked_at is not null and checked_size = size as checked, trouble from record_log`.execute(server.db)
  expect(rows).toEqual(rows.map(() => ({ checked: true, trouble: null })))
})

const attacks: [string, (server: TestServer, eventUid: string) => Promise<unknown>, RegExp][] = [
  [
    'a sealed row is deleted',
    (server, uid) => owner(server, `delete from journal where event_uid = $1 and action = 'floor_status_set'`, uid),
    /^Entry \d+ is missing, and no entry says that it was erased\.$/,
  ],
  [
    'a row is changed',
    (server, uid) =>
      owner(
        server,
        `update journal set after = after || '{"status": "lost"}' where event_uid = $1 and action = 'evacuee_status_set'`,
        uid,
      ),
    /^Entry \d+ is not what was logged\.$/,
  ],
  [
    'a packed file is emptied',
    (server, uid) => owner(server, `update log_tile set lines = null where event_uid = $1 and file = 'people'`, uid),
    /^Line 1 of people\.ndjson is missing, and no entry says that it was erased\.$/,
  ],
  [
    'the secret is deleted',
    (server, uid) => owner(server, 'update record_log set salt_secret = null where event_uid = $1', uid),
    /^Entry \d+ is missing, and no entry says that it was erased\.$/,
  ],
  [
    'an addition is deleted',
    (server, uid) => owner(server, 'delete from record_entry where event_uid = $1', uid),
    /^Addition 1 is missing, and no entry says that it was erased\.$/,
  ],
  [
    'a sentence of the record is changed',
    (server, uid) =>
      owner(
        server,
        `update event_record set summary = jsonb_set(summary, '{sentences,3,text}', '"All is well."') where event_uid = $1`,
        uid,
      ),
    /^The stored record does not say what was closed: sentences\/3\.$/,
  ],
  [
    'a row with an old transaction is invented',
    (server, uid) =>
      owner(
        server,
        `insert into journal (xid, client_uid, event_uid, action, subject_type, subject_uid)
         select xid, client_uid, event_uid, 'warden_off_duty', 'event', event_uid from journal
         where event_uid = $1 and action = 'event_started'`,
        uid,
      ),
    /^The database holds 1 entry that is not in the log\. It is left out\.$/,
  ],
  [
    'the history is rewritten',
    (server, uid) =>
      owner(
        server,
        `update log_tile set commits = set_byte(commits, 39, 255 - get_byte(commits, 39)) where event_uid = $1 and file = 'journal'`,
        uid,
      ),
    /^Entry 2 is not what was logged\.$|^This log no longer continues its head/,
  ],
]
test.for(attacks)('SEAL-10 %s: the check finds it, and says where', async ([, attack, expected], { server }) => {
  const { eventUid } = await closed(server)
  expect(await checked(server)).toEqual([])

  await attack(server, eventUid)

  expect(await checked(server)).toEqual([expect.stringMatching(expected)])
})

test('SEAL-10 each night a log is checked once, by however many workers, and trouble is mailed once', async ({
  server,
}) => {
  const { eventUid, org, manager } = await closed(server)
  await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind' })
  await owner(server, `delete from journal where event_uid = $1 and action = 'floor_status_set'`, eventUid)
  const { db } = server.database.system
  const fail = (error: unknown) => {
    throw error
  }
  const app = { ...server.app, system: db, config: { ...server.config, mail: 'simulator' as const } }

  await Promise.all([1, 2, 3].map(() => checkDueLogs(db, readLoggedAdditions, fail)))
  await Promise.all([1, 2, 3].map(() => mailAboutLogs({ ...app, jobs: server.app.jobs }, fail)))
  await mailAboutLogs({ ...app, jobs: server.app.jobs }, fail)

  expect((await manager(getRecord, { params: { eventUid } })).check).toMatchObject({
    size: expect.any(Number),
    trouble: expect.stringMatching(/is missing/),
  })
  meterLogs(server.app.metrics, db, () => false)
  expect((await server.app.inject('/metrics')).body).toMatch(/^evac_logs_broken 1$/m)
  const { rows } = await sql<{ subject: string; body: string }>`
    select subject, body from mail where subject like '%The log of %'`.execute(server.db)
  expect(rows).toEqual([
    {
      subject: expect.stringMatching(/^DRILL The log of Fire at Harbour Campus, .* does not fit$/),
      body: expect.stringContaining('is missing'),
    },
  ])
})

test('SEAL-10 npm run check-logs says what fits and what does not, also of a log that is gone, and exits with 1', async ({
  server,
}) => {
  const { eventUid } = await closed(server)
  const good = await runCommand('commands/check-logs-main.ts', server.database)
  for (const table of ['record_head', 'log_tile', 'record_log'])
    await owner(server, `delete from ${table} where event_uid = $1`, eventUid)

  const bad = await runCommand('commands/check-logs-main.ts', server.database)

  expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('1 logs: all is as logged.')])
  expect([bad.code, bad.stdout]).toEqual([
    1,
    expect.stringMatching(/Log 1 is not here: its head was \d+ [\w+/]{43}=\./),
  ])
})
