/** @module-tag long */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { databaseAccount } from '#server/platform/postgres/postgres-account.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { startNode } from '#server/testing/nodes.ts'
import { rowsIn } from './backup.fixture.ts'

/** Where Debian puts them. */
const [pgbackrest, binDir] = ['/usr/bin/pgbackrest', '/usr/lib/postgresql/15/bin']

/** A PostgreSQL 15 that archives its WAL as the runbook says. */
function archivingServer() {
  const folder = mkdtempSync(join(tmpdir(), 'evac-archived-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  const [dataDir, config] = [join(folder, 'data'), join(folder, 'pgbackrest.conf')]
  const account = databaseAccount(join(dataDir, 'postgres'))
  const inFolder = (name: string) => {
    mkdirSync(join(folder, name))
    if (account) chownSync(join(folder, name), account.uid, account.gid)
    return join(folder, name)
  }
  const command = `${pgbackrest} --config=${config} --stanza=evac`
  const settings = { archive_mode: 'on', archive_command: `${command} archive-push %p`, archive_timeout: 60 }
  const [repo, log, lock, spool] = ['repo', 'log', 'lock', 'spool'].map(inFolder)
  return {
    start: async () => {
      const log = { info: () => undefined, warn: () => undefined }
      const server = await startEmbeddedPostgres({ dataDir, binDir, log, settings })
      onTestFinished(() => server.stop({ force: true }))
      return server
    },
    /** `pgbackrest …`, as the account of the database. */
    run: (words: string[], { host, port, user }: { host: string; port: number; user: string }) => {
      const global = [`repo1-path=${repo}`, 'repo1-retention-full=2', 'start-fast=y']
      const paths = [`log-path=${log}`, `lock-path=${lock}`, `spool-path=${spool}`]
      const cluster = [`pg1-path=${join(dataDir, 'postgres')}`, `pg1-socket-path=${host}`, `pg1-port=${port}`]
      const lines = ['[global]', ...global, ...paths, '[evac]', ...cluster, `pg1-user=${user}`]
      writeFileSync(config, `${lines.join('\n')}\n`)
      execFileSync(pgbackrest, [`--config=${config}`, '--stanza=evac', ...words], { ...account, stdio: 'pipe' })
    },
  }
}

test('OPS-06 with the WAL in pgBackRest the database goes back to a second, and Evac starts a new epoch on it', {
  skip: !existsSync(pgbackrest) || !existsSync(binDir),
  timeout: 280_000,
}, async () => {
  const { start, run } = archivingServer()
  const server = await start()
  const database = { connection: server.connection } as unknown as TestDatabase
  const people = () => rowsIn<{ count: string }>(database, 'select count(*) from person')
  const epochs = () => rowsIn(database, 'select system_identifier from feed_epoch')
  for (const words of [['stanza-create'], ['check']]) run(words, server.admin)
  await using before = await startNode(database, { DEMO: 'auto' })
  run(['--type=full', 'backup'], server.admin)
  const [kept, epoch] = [await people(), await epochs()]
  const [moment] = await rowsIn<{ at: string }>(database, 'select clock_timestamp()::text as at')
  await delay(1_500) // an archive knows seconds
  await rowsIn(database, 'update person set active = false; delete from self_report; create table lost as select 1')
  await rowsIn({ connection: { ...server.admin } as never }, 'select pg_switch_wal()')
  await before.stop()
  await server.stop({ force: true })

  const target = [`--target=${moment?.at}`, '--type=time', '--target-action=promote']
  run(['--delta', ...target, 'restore'], server.admin)
  await start()

  await expect
    .poll(() => rowsIn(database, 'select pg_is_in_recovery() as is').catch(() => []), { timeout: 60_000 })
    .toEqual([{ is: false }])
  await using after = await startNode(database, { DEMO: 'auto' })
  expect((await fetch(`${after.url}/health/ready`)).status).toBe(200)
  expect(await people()).toEqual(kept)
  expect(await rowsIn(database, "select to_regclass('lost') as there")).toEqual([{ there: null }])
  expect(await epochs()).not.toEqual(epoch)
})
