import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killPostgres } from '../../rig/kill-postgres.ts'
import { findProgram, Program } from '../../rig/program.ts'
import { createRandom } from '../../rig/random.ts'
import { Line } from '../../rig/tcp-proxy.ts'

export interface MemberOptions {
  name: string
  /** The first of five free ports in a row. */
  port: number
  etcdPort: number
  /** The folder of the PostgreSQL programs. */
  binDir: string
  folder: string
}

const setup = join(import.meta.dirname, '../../docs/database-setup.sql')
/** Seconds. A dead primary is replaced after `ttl`. Newer versions of Patroni need at least 20. */
const times = { ttl: 10, loop_wait: 1, retry_timeout: 3 }

/** One PostgreSQL under Patroni. All its connections go through lines that can be cut. */
export class Member {
  readonly name: string
  /** The ports at which others reach it, through the lines. */
  readonly postgresPort: number
  readonly restPort: number
  /** The direct address, past the lines. */
  readonly ownUrl: string
  readonly configFile: string
  readonly #rest: string
  readonly #patroni: Program
  readonly #dataDir: string
  readonly #lines: Record<'postgres' | 'rest' | 'etcd', { line: Line; port: number }>

  constructor(options: MemberOptions) {
    const { name, port, etcdPort, folder } = options
    const account = databaseAccount()
    const home = join(folder, name)
    mkdirSync(home, { mode: 0o700 })
    copyFileSync(setup, join(home, 'setup.sql'))
    if (account) chownSync(home, account.uid, account.gid)
    this.name = name
    this.#dataDir = join(home, 'data')
    this.ownUrl = `postgres://postgres@127.0.0.1:${port}/evac`
    this.#rest = `http://127.0.0.1:${port + 1}`
    this.postgresPort = port + 2
    this.restPort = port + 3
    this.#lines = {
      postgres: lineTo(port, this.postgresPort),
      rest: lineTo(port + 1, this.restPort),
      etcd: lineTo(etcdPort, port + 4),
    }
    this.configFile = join(folder, `${name}.yml`)
    writeFileSync(this.configFile, JSON.stringify(patroniConfig(options, home, this.#dataDir), null, 2))
    this.#patroni = new Program({
      command: findProgram('patroni') as string,
      args: [this.configFile],
      logFile: join(folder, `patroni-${name}.log`),
      isReady: async () => (await fetch(`${this.#rest}/health`)).ok,
      ...(account && { account }),
    })
    process.on('exit', () => killPostgres(this.#dataDir))
  }

  async listen() {
    for (const { line, port } of Object.values(this.#lines)) await line.listen(port)
  }

  start = () => this.#patroni.start()

  /** Kills Patroni first, because Patroni would restart the server. */
  kill = async () => {
    await this.#patroni.kill()
    killPostgres(this.#dataDir)
  }

  /** Kills Patroni alone. The server goes on as primary. */
  killPatroni = () => this.#patroni.kill()

  /** Cuts the server off. No connection closes. */
  cut = () => this.#eachLine((line) => line.disturb({ holds: true }))
  heal = () => this.#eachLine((line) => line.heal())

  /** A running 'sync_standby' has everything that was acknowledged. */
  async isRunningAs(role: 'leader' | 'sync_standby'): Promise<boolean> {
    const { members } = (await (await fetch(`${this.#rest}/cluster`)).json()) as { members: Standing[] }
    const own = members.find(({ name }) => name === this.name)
    return own?.role === role && own.state === 'running'
  }

  async stop() {
    await this.#patroni.stop()
    killPostgres(this.#dataDir)
    for (const { line } of Object.values(this.#lines)) await line.close()
  }

  #eachLine(act: (line: Line) => void) {
    for (const { line } of Object.values(this.#lines)) act(line)
  }
}

interface Standing {
  name: string
  role: string
  state: string
}

const lineTo = (target: number, port: number) => ({
  line: new Line({ host: '127.0.0.1', port: target }, createRandom(1)),
  port,
})

/** The account of Debian's package. PostgreSQL refuses to run as root. */
function databaseAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** JSON, which is also YAML. Without `use_proxies` Patroni would ask etcd for its address and go past the line. */
const patroniConfig = ({ name, port, binDir }: MemberOptions, home: string, dataDir: string) => ({
  scope: 'evac',
  name,
  restapi: { listen: `127.0.0.1:${port + 1}`, connect_address: `127.0.0.1:${port + 3}` },
  etcd3: { hosts: [`127.0.0.1:${port + 4}`], use_proxies: true },
  bootstrap: {
    dcs: {
      ...times,
      // not strict: a primary without a standby goes on, and Patroni never promotes a standby that lacks a commit
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 150 } },
    },
    // called once, with the address of the new primary as the last argument
    post_bootstrap: `${join(binDir, 'psql')} -v database=evac -v owner=evac -f ${join(home, 'setup.sql')}`,
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port + 2}`,
    data_dir: dataDir,
    bin_dir: binDir,
    pgpass: join(home, 'pgpass'),
    // without this the copy waits minutes for the primary's next checkpoint
    basebackup: { checkpoint: 'fast' },
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
    pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    parameters: { unix_socket_directories: home },
  },
})
