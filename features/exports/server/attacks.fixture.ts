import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { checkAllLogs } from '#features/log/server/checking/check-logs.service.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { commitOf, journalLine } from '#features/log/server/log-line.ts'
import { rootOf } from '#features/log/server/merkle.ts'
import { getLog, rowColumns, type UnsealedRow } from '#features/log/server/sealing.queries.ts'
import { leavesOf } from '#features/log/server/tiles.ts'
import { addToRecord } from '#features/records/calls/additions.ts'
import { readLoggedAdditions } from '#features/records/server/additions.service.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { runChecker, sealWhole, signingOf } from '#server/testing/event-log.ts'
import { bundleOfRelease, startUpgraded } from '#server/testing/last-release.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'

/** Logs that are attacked: of today, and of the last release, which have changed form. */
export const versions = ['version 2', 'version 1'] as const
export type Version = (typeof versions)[number]

/** Each attack is on a server of its own: what a database's owner does, is done everywhere. */
export async function victim(version: Version) {
  const at = version === 'version 2' ? await recordOfToday() : await recordOfRelease()
  const { server, of, manager, head } = at
  const owner = (statement: string) => server.database.owner.pg.query(statement, [of.eventUid])
  /** Exports the bundle as it is now, and checks it without a head from outside and with the one from before. */
  const verdicts = async (change: (members: Map<string, Buffer>) => void = () => undefined) => {
    const { file } = await exported(server, manager, of.eventUid, 'bundle')
    const members = await unzip(file)
    change(members)
    using folder = asFolder(members)
    const alone = await runChecker(folder.path)
    const withHead = await runChecker(folder.path, '--head', head)
    return { alone: alone.lines, withHead: withHead.lines, members }
  }
  /** What a check of the night finds. */
  const night = async () => {
    const lines: string[] = []
    await checkAllLogs(server.database.system.db, readLoggedAdditions, (line) => lines.push(line))
    return lines
  }
  return { ...at, owner, verdicts, night, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
export type Victim = Awaited<ReturnType<typeof victim>>

/** A record with an addition, and a head of it that left the building. */
async function recordOfToday() {
  const server = await startTestServer()
  const { eventUid, manager, org } = await givenRecord(server)
  const of = { clientUid: org.clientUid, eventUid }
  const body = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  await manager(addToRecord, { params: { eventUid }, body }, withKey())
  await sealWhole(server, of)
  const head = await signHead(signingOf(server), of)
  return { server, of, manager, head: `${head?.size} ${head?.root.toString('base64')}` }
}

/** The head is the one that the release has signed. */
async function recordOfRelease() {
  const server = await startUpgraded()
  const { of, manager } = server
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  const { lines } = await runChecker(bundleOfRelease)
  const [, head = ''] = /log head (\d+ \S{44})$/m.exec(lines.join('\n')) ?? []
  return { server, of, manager, head }
}

function asFolder(members: ReadonlyMap<string, Buffer>) {
  const at = asFile(Buffer.alloc(0), 'none')
  const path = join(at.folder, 'bundle')
  for (const [name, content] of members) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return { path, [Symbol.dispose]: at[Symbol.dispose] }
}

/** Makes the tiles anew from rows that were changed: the owner of the database has the secret of the salts. */
export async function rewrite({ server, of, owner }: Victim) {
  await owner(
    `update journal set after = after || '{"status": "safe"}' where event_uid = $1 and action = 'evacuee_status_set'`,
  )
  await owner(
    `update journal set after = after || '{"forged": true}' where event_uid = $1 and action = 'floor_status_set'`,
  )
  const log = await getLog(server.db, of)
  const { rows } = await sql<UnsealedRow>`
    select ${rowColumns} from journal j where j.event_uid = ${of.eventUid}`.execute(server.db)
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  const ofJournal = sql`event_uid = ${of.eventUid} and file = 'journal'`
  const tiles = await sql<{ idx: number; keys: number[] }>`select idx, keys from log_tile where ${ofJournal}`.execute(
    server.db,
  )
  for (const { idx, keys } of tiles.rows) {
    const commits = Buffer.concat(
      keys.map((key, nth) =>
        commitOf(journalLine(log, idx * 256 + nth + 1, byPosition.get(key) as UnsealedRow) as string),
      ),
    )
    const hash = keys.length === 256 ? rootOf(leavesOf(commits)) : null
    await sql`update log_tile set commits = ${commits}, hash = ${hash} where ${ofJournal} and idx = ${idx}`.execute(
      server.database.owner.db,
    )
  }
}
