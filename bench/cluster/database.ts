import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findProgram, Program } from '../../rig/program.ts'
import { findFreePort, findFreePorts } from '../../scripts/lib/free-ports.ts'
import { Member } from './database-member.ts'
import { databaseHaproxyConfig } from './haproxy.ts'

const run = promisify(execFile)

/** Programs with their Debian packages. */
const needed = { etcd: 'etcd-server', patroni: 'patroni', patronictl: 'patroni', haproxy: 'haproxy' }

/** The packages that a replicated database needs and that are missing here. Undefined if none is. */
export function findMissingForDatabase(): string | undefined {
  const missing = new Set(Object.entries(needed).flatMap(([program, name]) => (findProgram(program) ? [] : [name])))
  if (!existsSync('/usr/lib/python3/dist-packages/etcd')) missing.add('python3-etcd')
  if (!findPostgres()) missing.add('postgresql-15')
  return missing.size ? `This needs more of Debian: apt-get install ${[...missing].join(' ')}` : undefined
}

/** The newest version with all programs that Patroni uses. The embedded one lacks pg_rewind and pg_basebackup. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  const folders = versions.sort((a, b) => b - a).map((version) => join(root, `${version}`, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind')))
}

export interface Database {
  /** Lead to the primary: `url` as the owner, `adminUrl` as the superuser. */
  url: string
  adminUrl: string
  members: readonly [Member, Member]
  /** Resolves when this member is the primary and the other is its synchronous standby. */
  untilSynchronous(primary: Member): Promise<void>
  /** A planned switch, as an operator does it. */
  switchOver(from: Member, to: Member): Promise<void>
  stop(): Promise<void>
}

/** Two PostgreSQL under Patroni, the second as a synchronous standby, behind haproxy. One etcd is enough for a test. */
export async function startDatabase(folder: string): Promise<Database> {
  mkdirSync(folder, { recursive: true })
  const etcdPort = await findFreePorts(2)
  const etcd = etcdOn(etcdPort, folder)
  const members = [await memberIn('a', etcdPort, folder), await memberIn('b', etcdPort, folder)] as const
  const port = await findFreePort()
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${port}/evac`
  const haproxy = haproxyOn(port, urlOf('evac'), members, folder)
  const [first, second] = members
  async function stop() {
    for (const program of [haproxy, second, first, etcd]) await program.stop()
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
    await haproxy.start()
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
      // the exit code is 0 even if the switch failed
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

function haproxyOn(port: number, url: string, members: readonly Member[], folder: string): Program {
  const file = join(folder, 'haproxy-database.cfg')
  writeFileSync(file, databaseHaproxyConfig(port, members))
  return new Program({
    command: findProgram('haproxy') as string,
    args: ['-db', '-f', file],
    logFile: join(folder, 'haproxy-database.log'),
    // until its first check haproxy considers every server healthy
    isReady: async () => {
      for (let nth = 0; nth < 4; nth++) if ((await findTimeline(url)) === undefined) return false
      return true
    },
  })
}

/** The timeline of the server that accepts writes at this address. Undefined without one. */
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

/** Waits until the condition is true. Throws after two minutes. */
export async function until(isSo: () => Promise<boolean> | boolean, everyMs = 100): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(everyMs))
    if (await Promise.resolve(isSo()).catch(() => false)) return
  throw new Error(`This did not come about within two minutes: ${isSo}`)
}
