/** @module-tag long */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { nameOf } from '#features/log/server/head-log/kept-notes.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { commitOf, journalLine } from '#features/log/server/log-line.ts'
import { rootOf, sha256 } from '#features/log/server/merkle.ts'
import { getLog, rowColumns, type UnsealedRow } from '#features/log/server/sealing.queries.ts'
import { leavesOf } from '#features/log/server/tiles.ts'
import { addToRecord } from '#features/records/calls/additions.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { inItself, runChecker, sealWhole, signingOf } from '#server/testing/event-log.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'

/** Each attack is on a server of its own: what a database's owner does, is done everywhere. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

/** A record with an addition, and a head of it that left the building. */
async function victim(server: TestServer) {
  const record = await givenRecord(server)
  const { eventUid, manager, org } = record
  const of = { clientUid: org.clientUid, eventUid }
  const body = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  await manager(addToRecord, { params: { eventUid }, body }, withKey())
  await sealWhole(server, of)
  const head = await signHead(signingOf(server), of)
  const owner = (statement: string) => server.database.owner.pg.query(statement, [eventUid])
  /** Exports the bundle as it is now, and checks it without a head from outside and with the one from before. */
  const verdicts = async (change: (folder: Map<string, Buffer>) => void = () => undefined) => {
    const { file } = await exported(server, manager, eventUid, 'bundle')
    const members = await unzip(file)
    change(members)
    using folder = asFolder(members)
    const given = `${head?.size} ${head?.root.toString('base64')}`
    return {
      alone: (await runChecker(folder.path)).lines,
      withHead: (await runChecker(folder.path, '--head', given)).lines,
      members,
    }
  }
  return { ...record, of, head, owner, verdicts }
}

function asFolder(members: ReadonlyMap<string, Buffer>) {
  const at = asFile(Buffer.alloc(0), 'none')
  const path = join(at.folder, 'bundle')
  for (const [name, content] of members) write(join(path, name), content)
  return { path, [Symbol.dispose]: at[Symbol.dispose] }
}
function write(path: string, content: Buffer) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
}

type Victim = Awaited<ReturnType<typeof victim>>
const patience = { timeout: 240_000 }

/** What is done as the owner of the database, and what the checker then says, with a head from outside and without. */
const rows: [string, (of: Victim) => Promise<unknown>, RegExp][] = [
  [
    'B1 sealed rows are deleted',
    ({ owner }) => owner(`delete from journal where event_uid = $1 and action = 'floor_status_set'`),
    /^Entry \d+ is missing, and no entry says that it was erased\.$/,
  ],
  [
    'B2 a row is marked as erased',
    ({ owner }) =>
      owner(
        `update journal set after = coalesce(after, '{}') || '{"erased": true}' where event_uid = $1 and action = 'floor_status_set'`,
      ),
    /^Entry \d+ is not what was logged/,
  ],
  [
    'B2 packed lines are emptied',
    ({ owner }) => owner(`update log_tile set lines = null where event_uid = $1 and file = 'people'`),
    /^Line 1 of people\.ndjson is missing, and no entry says that it was erased\.$/,
  ],
  [
    'B2 the secret is emptied',
    ({ owner }) => owner('update record_log set salt_secret = null where event_uid = $1'),
    /^Entry 2 is (missing, and no entry says that it was erased\.|not what was logged)/,
  ],
  [
    'B3 an addition is deleted',
    ({ owner }) => owner('delete from record_entry where event_uid = $1'),
    /^Addition 1 is missing, and no entry says that it was erased\.$/,
  ],
  [
    'B4 the record is changed',
    ({ owner }) =>
      owner(
        `update event_record set summary = jsonb_set(summary, '{sentences,3,text}', '"All is well."') where event_uid = $1`,
      ),
    /^record\.json does not say what was closed: sentences\/3\.$/,
  ],
  [
    'a false lines_erased stands beside, before its day',
    async ({ owner }) => {
      await owner(`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
        select client_uid, event_uid, 'lines_erased', 'event', event_uid,
          '{"file": "people", "lines": [[1, 3]], "count": 3, "why": "event", "days": 30, "due": "2020-01-01T00:00:00.000Z"}'
        from record_log where event_uid = $1`)
      await owner(`update log_tile set lines = null where event_uid = $1 and file = 'people'`)
    },
    /^Entry \d+ erased 3 lines before they were due on \d+ \w+ \d{4}\.$/,
  ],
]

test.for(rows)(
  'SEAL-01 SEAL-12 %s: BROKEN, with a head from outside and without',
  patience,
  async ([, attack, expected], { server }) => {
    const at = await victim(server)
    const whole = await at.verdicts()
    expect([whole.alone[0], whole.withHead[0]]).toEqual([inItself, 'INTACT'])

    await attack(at)

    const { alone, withHead } = await at.verdicts()
    for (const lines of [alone, withHead]) expect(lines).toEqual(['BROKEN', expect.stringMatching(expected)])
  },
)

test(
  'SEAL-04 SEAL-13 a false lines_erased that needs no day stands with its reason in the first lines',
  patience,
  async ({ server }) => {
    const at = await victim(server)
    await at.owner(`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
    select client_uid, event_uid, 'lines_erased', 'event', event_uid,
      '{"file": "people", "lines": [[1, 3]], "count": 3, "why": "person", "days": null, "due": null}'
    from record_log where event_uid = $1`)

    const { alone } = await at.verdicts()

    expect(alone.slice(0, 3)).toEqual([
      inItself,
      expect.any(String),
      expect.stringMatching(/^Erased: 3 lines of people, person, on .* \(entry \d+\)\.$/),
    ])
  },
)

test(
  'SEAL-12 B5 the record is changed in the bundle, with a manifest that fits: BROKEN at the sentence',
  patience,
  async ({ server }) => {
    const at = await victim(server)

    const { alone } = await at.verdicts((members) => {
      const json = JSON.parse(`${members.get('record.json')}`)
      json.record.sentences[3].text = 'All is well.'
      members.set('record.json', Buffer.from(JSON.stringify(json)))
      const { files } = JSON.parse(`${members.get('manifest.json')}`)
      files['record.json'] = sha256(members.get('record.json') as Buffer).toString('hex')
      members.set('manifest.json', Buffer.from(JSON.stringify({ files })))
    })

    expect(alone).toEqual(['BROKEN', 'record.json does not say what was closed: sentences/3.'])
  },
)

test(
  'SEAL-06 B6 an invented row with an old transaction is in no file, and the bundle is INTACT',
  patience,
  async ({ server }) => {
    const at = await victim(server)
    await at.owner(`insert into journal (xid, client_uid, event_uid, action, subject_type, subject_uid, after)
    select xid, client_uid, event_uid, 'evacuee_status_set', 'evacuee', gen_random_uuid(), '{"status": "safe", "invented": 1}'
    from journal where event_uid = $1 and action = 'event_started'`)

    const { alone, withHead, members } = await at.verdicts()

    expect([alone[0], withHead[0]]).toEqual([inItself, 'INTACT'])
    for (const [name, content] of members) expect([name, `${content}`.includes('invented')]).toEqual([name, false])
  },
)

/** Makes the tiles anew from rows that were changed: the owner of the database has the secret of the salts. */
async function rewrite(server: TestServer, { of, owner }: Victim) {
  await owner(
    `update journal set after = after || '{"status": "safe"}' where event_uid = $1 and action = 'evacuee_status_set'`,
  )
  await owner(
    `update journal set after = after || '{"forged": true}' where event_uid = $1 and action = 'floor_status_set'`,
  )
  const log = await getLog(server.db, of)
  const tiles = await server.db
    .selectFrom('logTile')
    .selectAll()
    .where('eventUid', '=', of.eventUid)
    .where('file', '=', 'journal')
    .execute()
  for (const tile of tiles) {
    const { rows: all } = await sql<UnsealedRow>`
      select ${rowColumns} from journal j where j.event_uid = ${of.eventUid}`.execute(server.db)
    const byPosition = new Map(all.map((row) => [row.position, row]))
    const commits = Buffer.concat(
      tile.keys.map((key, nth) =>
        commitOf(journalLine(log, tile.idx * 256 + nth + 1, byPosition.get(key) as UnsealedRow) as string),
      ),
    )
    const hash = tile.keys.length === 256 ? rootOf(leavesOf(commits)) : null
    await server.db
      .updateTable('logTile')
      .set({ commits, hash })
      .where('eventUid', '=', of.eventUid)
      .where('file', '=', 'journal')
      .where('idx', '=', tile.idx)
      .execute()
  }
}

test(
  'SEAL-09 B8 the history is rewritten in the database alone: the log says so, and is BROKEN for ever',
  patience,
  async ({ server }) => {
    const at = await victim(server)

    await rewrite(server, at)

    const { alone } = await at.verdicts()
    expect(alone).toEqual([
      'BROKEN',
      expect.stringMatching(
        /does not belong to this log\.$|^The server found on .* that this log no longer continued its head \d+ /,
      ),
    ])
  },
)

test(
  'SEAL-01 B8 the history is rewritten with the file store and the key, too: only a head from outside shows it',
  patience,
  async ({ server }) => {
    const at = await victim(server)
    const { keyId } = signingOf(server).signer
    const { rows: heads } = await sql<{ n: number; epoch: string }>`select n, epoch from head_log`.execute(server.db)

    await rewrite(server, at)
    for (const { n, epoch } of heads) await server.app.documents.remove(nameOf({ keyId, epoch, n: Number(n) }))
    await server.database.owner.pg.query('delete from head_log')
    await at.owner('delete from record_head where event_uid = $1')
    await at.owner('update record_log set head_size = 0, head_at = null where event_uid = $1')

    const { alone, withHead } = await at.verdicts()
    expect(alone[0]).toBe(inItself)
    expect(withHead).toEqual(['BROKEN', 'The given head does not belong to this log.'])
  },
)
