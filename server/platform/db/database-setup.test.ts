import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { backUp } from '#features/operation/server/backup/backup.service.ts'
import { restore } from '#features/operation/server/backup/restore.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { openPools } from '../../testing/database.ts'
import { runCommand } from '../../testing/run-command.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { folderStore } from '../documents/document-folder.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { checkDatabase, connectionsOf } from './database-check.ts'
import { setUpDatabase } from './database-setup.ts'
import { migrate } from './migrate.ts'

const debian15 = '/usr/lib/postgresql/15/bin'
const servers = [{ version: 18 }, ...(existsSync(debian15) ? [{ version: 15, binDir: debian15 }] : [])]

interface Admin {
  host: string
  port: number
  user: string
  database: string
}
const newName = () => `s_${randomBytes(6).toString('hex')}`

/** A PostgreSQL for the tests of one version, and what its administrator does there. */
function postgresOf(binDir: string | undefined) {
  let admin: Admin
  const closing: (() => unknown)[] = []

  beforeAll(async () => {
    admin = inject('testAdmin')
    if (!binDir) return
    const folder = mkdtempSync(join(tmpdir(), 'evac-other-version-'))
    chmodSync(folder, 0o711)
    const log = { info: () => undefined, warn: console.warn }
    const server = await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      binDir,
      log,
      settings: { fsync: 'off' },
    })
    closing.push(
      () => server.stop({ force: true }),
      () => rmSync(folder, { recursive: true }),
    )
    admin = server.admin
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  const ask = async <T extends object>(who: Partial<Admin>, text: string): Promise<T[]> => {
    const client = new pg.Client({ ...admin, ...who })
    try {
      await client.connect()
      return (await client.query<T>(text)).rows
    } finally {
      await client.end()
    }
  }
  /** A new database with its own owner, as an administrator would create them. */
  async function given(names = { database: newName(), owner: newName() }) {
    await setUpDatabase(admin, names)
    const address = { ...admin, user: names.owner, database: names.database }
    const state = () => checkDatabase(address, connectionsOf.node)
    const { roles } = await state()
    return {
      ...names,
      state,
      connection: { ...address, roles },
      async [Symbol.asyncDispose]() {
        await ask({}, `drop database ${names.database} with (force)`)
        await ask({}, `drop role ${names.owner}, ${roles.evac_app}, ${roles.evac_system}`)
      },
    }
  }
  return { admin: () => admin, ask, given }
}
type Postgres = ReturnType<typeof postgresOf>

describe.each(servers)('PostgreSQL $version', ({ binDir }) => {
  const postgres = postgresOf(binDir)
  testOwners(postgres)
  testHostileOwner(postgres)
  testDailyUse(postgres)
  testHandover(postgres)
  testFailedStart(postgres)
  testUnusable(postgres)
  testBaseline(postgres, join(binDir ?? '', 'pg_dump'))
})

function testOwners({ admin, ask, given }: Postgres) {
  test('T35 an owner has no rights over the server and is a member of its own two roles only', async () => {
    await using place = await given()
    await setUpDatabase(admin(), place)

    expect(await place.state()).toMatchObject({ findings: [] })
    expect(
      await ask(
        { database: place.database },
        `select rolname, rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as mighty, rolcanlogin from pg_roles
         where pg_has_role('${place.owner}', oid, 'member') and rolname !~ '^pg_' order by 1`,
      ),
    ).toEqual(['', '_app', '_system'].map((end) => ({ rolname: place.owner + end, mighty: false, rolcanlogin: !end })))
    const asOwner = { user: place.owner, database: place.database }
    await expect(ask(asOwner, `create role ${newName()}`)).rejects.toMatchObject({ code: '42501' })
  })

  test('T35 the owner of another database on the server can neither connect nor assume a role that reads', async () => {
    await using first = await given()
    await using second = await given()
    const intruder = { user: second.owner }

    await expect(ask({ ...intruder, database: first.database }, 'select 1')).rejects.toMatchObject({ code: '42501' })
    for (const role of Object.values(first.connection.roles))
      await expect(ask({ ...intruder, database: second.database }, `set role ${role}`)).rejects.toMatchObject({
        code: '42501',
      })
    await ask({}, `grant connect on database ${first.database} to public`)
    {
      await using pools = openPools(first.connection)
      await migrate(pools.owner.db)
    }
    await expect(ask({ ...intruder, database: first.database }, 'select * from person')).rejects.toMatchObject({
      code: '42501',
    })
    expect((await first.state()).findings).toMatchObject([
      { isFatal: false, sql: `revoke all on database "${first.database}" from public` },
    ])
  })
}

function testHostileOwner({ admin, ask, given }: Postgres) {
  test('T35 running the setup again gives a hostile owner no role on the server', async () => {
    await using place = await given()
    const asOwner = { user: place.owner, database: place.database }
    await ask(
      asOwner,
      `create table client (uid int); create policy own_clients on client to "${admin().user}";
       create policy everything on client to "${admin().user}"`,
    )

    await setUpDatabase(admin(), place).catch(() => undefined)

    await expect(ask(asOwner, `set role "${admin().user}"`)).rejects.toMatchObject({ code: '42501' })
  })

  test('T35 running the setup again calls no function that the owner has created', async () => {
    await using place = await given()
    const asOwner = { user: place.owner, database: place.database }
    await ask(
      asOwner,
      `create function public.format(text, text, text, text) returns text language sql as
       $$ select 'alter role "${place.owner}" createrole' $$`,
    )

    await setUpDatabase(admin(), place).catch(() => undefined)

    expect(await ask({}, `select rolcreaterole from pg_roles where rolname = '${place.owner}'`)).toEqual([
      { rolcreaterole: false },
    ])
  })
}

function testDailyUse({ ask, given }: Postgres) {
  test("F19 an ordinary owner migrates, signs people in, records, backs up, and restores into another owner's database", async () => {
    await using first = await given()
    await using second = await given()
    const folder = mkdtempSync(join(tmpdir(), 'evac-backup-'))
    const pools = openPools(first.connection)
    await migrate(pools.owner.db)
    {
      await using server = await startTestServer({}, pools)
      const org = await server.given.organisation()
      const person = (await server.given.occupant(org)) as PersonUid
      const warden = await server.given.warden(org)
      await server.runningEvent(org)
      expect(await server.signIn(warden.email)).toMatchObject({ token_type: 'Bearer' })
      const call = await server.onDuty(warden)
      await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } })
    }
    const documents = folderStore(folder)
    await backUp(first.connection, documents, join(folder, 'backup'))
    const options = { documents, folder: join(folder, 'backup'), connection: second.connection }
    await restore({ ...options, replace: false })
    rmSync(folder, { recursive: true })

    const safe = "select count(*)::int as n from evacuee where status = 'safe'"
    expect(await ask(second.connection, safe)).toEqual([{ n: 1 }])
    expect((await second.state()).findings).toEqual([])
  }, 120_000)
}

function testBaseline({ given }: Postgres, pgDump: string) {
  test.runIf(existsSync(pgDump))('pg_dump writes of an empty database what it writes of an upgraded one', async () => {
    const dumpAfter = async (...versions: string[]) => {
      await using place = await given()
      const pools = openPools(place.connection)
      for (const version of [...versions, undefined]) await migrate(pools.owner.db, version)
      await pools[Symbol.asyncDispose]()
      const { host, port } = place.connection
      const args = ['--schema-only', '-h', host, '-p', String(port), '-U', place.owner, place.database]
      const { stdout } = spawnSync(pgDump, args, { encoding: 'utf8' })
      // names of its owner and roles, and the random word of a dump
      return stdout.replaceAll(place.owner, 'evac').replace(/^\\(un)?restrict .*$/gm, '')
    }

    const upgraded = await dumpAfter('0096-coverage-ahead')

    expect(upgraded).toContain('GRANT SELECT,INSERT ON TABLE public.journal TO evac_app;')
    expect(await dumpAfter()).toEqual(upgraded)
  })
}

function testHandover({ admin, ask, given }: Postgres) {
  test('a database created by a superuser is handed over, with the roles that its tables name', async () => {
    const database = newName()
    const owner = newName()
    await ask({}, `create database ${database}`)
    for (const role of ['postgres_app', 'postgres_system']) await ask({}, `create role ${role}`).catch(() => undefined)
    const made = checkDatabase({ ...admin(), database }, 1)
    const pools = openPools({ ...admin(), database, roles: (await made).roles })
    await migrate(pools.owner.db)
    await pools.owner.pg.query("insert into client (code, name) values ('OLD', 'Old organisation')")
    await pools[Symbol.asyncDispose]()
    await ask({}, `create role ${owner} login`)
    const before = await checkDatabase({ ...admin(), database, user: owner }, 1)

    await using place = await given({ database, owner })

    expect(before.findings.filter(({ isFatal }) => isFatal).map(({ what }) => what)).toEqual([
      `The account ${owner} may not create a schema in it.`,
      `The account ${owner} may not create a table in the schema public.`,
      `Tables in it are owned by postgres: docs/database-setup.sql transfers them to ${owner}.`,
      `The account ${owner} cannot switch to postgres_app.`,
      `The account ${owner} cannot switch to postgres_system.`,
    ])
    expect(await place.state()).toMatchObject({
      findings: [],
      roles: { evac_app: 'postgres_app', evac_system: 'postgres_system' },
    })
    const after = openPools(place.connection)
    await migrate(after.owner.db)
    await after.owner.pg.query('alter table person add column later text')
    expect((await after.system.pg.query('select code from client')).rows).toEqual([{ code: 'OLD' }])
    await after[Symbol.asyncDispose]()
  })
}

function testFailedStart({ ask, given }: Postgres) {
  test('a start fails and lists everything missing at once, each with the SQL that fixes it', async () => {
    await using place = await given()
    const { database, owner } = place
    await ask(
      { database },
      `revoke ${owner}_app, ${owner}_system from ${owner};
       alter role ${owner} connection limit 5;
       alter schema public owner to postgres;
       revoke execute on function pg_control_system() from public;
       alter database ${database} owner to postgres;
       grant connect on database ${database} to ${owner};
       alter database ${database} set default_transaction_read_only = on`,
    )

    const { findings } = await place.state()
    const started = await runCommand('main.ts', place)

    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringMatching('accepts no writes'),
      expect.stringMatching('It allows 5 connections'),
      expect.stringMatching('may not create a schema'),
      expect.stringMatching('may not create a table in the schema public'),
      expect.stringMatching('may not read which server this is'),
      `The account ${owner} cannot switch to ${owner}_app.`,
      `The account ${owner} cannot switch to ${owner}_system.`,
    ])
    expect(started.code).toBe(1)
    for (const { what, sql } of findings) expect(started.stderr).toContain(sql ? `- ${what}\n    ${sql};` : `- ${what}`)
    const [toWrite, ...others] = findings.map(({ sql }) => sql).filter((sql) => sql !== undefined)
    await ask({}, toWrite as string)
    for (const sql of [...others, `alter role ${owner} connection limit -1`]) await ask({ database }, sql)
    expect((await place.state()).findings).toEqual([])
  })
}

function testUnusable({ admin, ask, given }: Postgres) {
  test('a missing database, an account without rights, and an unusable encoding are reported', async () => {
    await using place = await given()
    const said = async (over: Partial<Admin>) =>
      (await checkDatabase({ ...place.connection, ...over }, 1)).findings.map(({ what }) => what)
    const ascii = newName()
    await ask({}, `create database ${ascii} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`)

    expect(await said({ database: 'nowhere' })).toEqual([expect.stringMatching(/^There is no database nowhere:/)])
    expect(await said({ user: 'nobody_here' })).toEqual([
      expect.stringMatching(/^The account nobody_here is not let in/),
    ])
    expect(await said({ database: ascii })).toContain(
      'Its encoding is SQL_ASCII, but names need UTF8: create a new database.',
    )
    await ask({}, `drop database ${ascii}`)
  })

  test.runIf(spawnSync('psql', ['--version']).status === 0)('psql can run the same file repeatedly', async () => {
    const names = { database: newName(), owner: newName() }
    const file = join(import.meta.dirname, '../../../docs/database-setup.sql')
    const args = ['-X', '-v', `database=${names.database}`, '-v', `owner=${names.owner}`, '-f', file]
    const env = { ...process.env, PGHOST: admin().host, PGPORT: String(admin().port), PGUSER: admin().user }
    const runs = [1, 2].map(() => spawnSync('psql', args, { env, encoding: 'utf8' }))

    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    await using place = await given(names)
    expect((await place.state()).findings).toEqual([])
  })
}
