import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findProgram, Program } from '../../rig/program.ts'
import { findFreePort, findFreePorts } from '../../scripts/lib/free-ports.ts'
import { Member } from './database-member.ts'
import { databaseDoor } from './haproxy.ts'

const run = promisify(execFile)

/** Programs, and the Debian packages that bring them. */
const needed = { etcd: 'etcd-server', patroni: 'patroni', patronictl: 'patroni', haproxy: 'haproxy' }

/** What a database that stands twice needs and is not here; undefined when everything is. */
export function findMissingForDatabase(): string | undefined {
  const missing = new Set(Object.entries(needed).flatMap(([program, name]) => (findProgram(program) ? [] : [name])))
  if (!existsSync('/usr/lib/python3/dist-packages/etcd')) missing.add('python3-etcd')
  if (!findPostgres()) missing.add('postgresql-15')
  return missing.size ? `This needs more of Debian: apt-get install ${[...missing].join(' ')}` : undefined
}

/** The newest with everything that Patroni uses; the embedded one has neither pg_rewind nor pg_basebackup. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  const folders = versions.sort((a, b) => b - a).map((version) => join(root, `${version}`, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind')))
}

export interface Database {
  /** Leads to whichever member is the primary; the first as the owner, the second as the superuser. */
  url: string
  adminUrl: string
  members: readonly [Member, Member]
  /** Resolves when this one is the primary and the other holds all that has been acknowledged. */
  untilSynchronous(primary: Member): Promise<void>
  /** Planned: as an operator does it. */
  switchOver(from: Member, to: Member): Promise<void>
  stop(): Promise<void>
}

/** Two PostgreSQL under Patroni, the second a synchronous standby, and haproxy before them. One etcd: enough to try this. */
export async function startDatabase(folder: string): Promise<Database> {
  mkdirSync(folder, { recursive: true })
  const etcdPort = await findFreePorts(2)
  const etcd = etcdOn(etcdPort, folder)
  const members = [await memberIn('a', etcdPort, folder), await memberIn('b', etcdPort, folder)] as const
  const port = await findFreePort()
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${port}/evac`
  const door = doorOn(port, urlOf('evac'), members, folder)
  const [first, second] = members
  async function stop() {
    for (const program of [door, second, first, etcd]) await program.stop()
  }
  async function untilSynchronous(primary: Member) {
    const standby = primary === first ? second : first
    await until(async () => (await primary.isRunningAs('leader')) && (await standby.isRunningAs('sync_standby')))
  }
  try {
    await etcd.start()
    for (const member of members) {
      await member.listen()
      await member.start()
    }
    await untilSynchronous(first)
    await door.start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: urlOf('evac'),
    adminUrl: urlOf('postgres'),
    members,
    untilSynchronous,
    async switchOver(from, to) {
      const how = ['switchover', 'evac', '--leader', from.name, '--candidate', to.name, '--force']
      const { stdout } = await run(findProgram('patronictl') as string, ['-c', from.configFile, ...how])
      // it ends with 0 whatever came of it
      if (!stdout.includes('Successfully switched over')) throw new Error(stdout)
    },
    stop,
  }
}

async function memberIn(name: string, etcdPort: number, folder: string): Promise<Member> {
  return new Member({ name, port: await findFreePorts(5), etcdPort, binDir: findPostgres() as string, folder })
}

function etcdOn(port: number, folder: string): Program {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`]
  const settings = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  }
  return new Program({
    command: findProgram('etcd') as string,
    args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    logFile: join(folder, 'etcd.log'),
    isReady: async () => (await fetch(`${client}/health`)).ok,
  })
}

function doorOn(port: number, url: string, members: readonly Member[], folder: string): Program {
  const file = join(folder, 'haproxy-database.cfg')
  writeFileSync(file, databaseDoor(port, members))
  return new Program({
    command: findProgram('haproxy') as string,
    args: ['-db', '-f', file],
    logFile: join(folder, 'haproxy-database.log'),
    // until its first look haproxy takes every server for a good one
    isReady: async () => {
      for (let nth = 0; nth < 4; nth++) if ((await findTimeline(url)) === undefined) return false
      return true
    },
  })
}

/** The timeline of the server that takes writes there; undefined while there is none. */
export async function findTimeline(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(
      `select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline where current_setting('transaction_read_only') = 'off'`,
    )
    return rows[0] && Number.parseInt(rows[0].timeline, 16)
  } catch {
    return undefined
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** Two minutes at most. */
export async function until(isSo: () => Promise<boolean> | boolean, everyMs = 100): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(everyMs))
    if (await Promise.resolve(isSo()).catch(() => false)) return
  throw new Error(`This did not come about within two minutes: ${isSo}`)
}
