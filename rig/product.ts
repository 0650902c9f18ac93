import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { secretKey } from './access-tokens.ts'
import { isServing, Program } from './program.ts'

const project = resolve(import.meta.dirname, '..')
const clockShift = join(import.meta.dirname, 'clock-shift.mjs')
const run = promisify(execFile)

export type Settings = Record<string, string>

/** An embedded database, no demo, no limit on requests, and a key that access-tokens.ts knows. */
export const testSettings = {
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  DEMO: 'off',
  REQUESTS_PER_MINUTE: '1000000',
  SECRET_KEY: secretKey,
} satisfies Settings

interface NodeOptions {
  port: number
  /** Added to the environment of this process. */
  settings: Settings
  logFile?: string
  /** Lets `shiftClock` work. */
  hasShiftableClock?: boolean
}

/** One process of the product, in the roles that its settings name. */
export class ProductNode extends Program {
  readonly port: number
  readonly url: string

  constructor({ port, settings, logFile, hasShiftableClock = false }: NodeOptions) {
    const url = `http://127.0.0.1:${port}`
    super({
      command: process.execPath,
      args: ['--max-semi-space-size=16', ...(hasShiftableClock ? ['--import', clockShift] : []), 'server/main.ts'],
      env: { ...settings, PORT: String(port) },
      ...(logFile !== undefined && { logFile }),
      hasChannel: hasShiftableClock,
      isReady: () => isServing(url),
    })
    this.port = port
    this.url = url
  }

  /** Moves the time of day of the running process away from the machine's. Timers do not change. */
  shiftClock(ms: number): void {
    this.send({ clockShiftMs: ms })
  }
}

/** The product as `npm start` runs it, with a database of its own in a temporary folder. */
export class Product {
  readonly node: ProductNode
  /** A further ProductNode with these settings works on the same database. */
  readonly settings: Settings
  /** The embedded database, as its superuser. */
  readonly database: pg.PoolConfig
  readonly pool: pg.Pool
  readonly #folder = makeTemporaryFolder('evac-product-')

  /** Starts it on a free port unless one is given, so that two checkouts can be tested at once. */
  static async start(over: Settings = {}, port?: number): Promise<Product> {
    const product = new Product(port ?? (await findFreePort()), over)
    await product.node.start()
    return product
  }

  private constructor(port: number, over: Settings) {
    const dataDir = join(this.#folder, 'data')
    this.settings = { ...testSettings, DATA_DIR: dataDir, APP_URL: `http://127.0.0.1:${port}`, ...over }
    this.node = new ProductNode({ port, settings: this.settings })
    this.database = embeddedDatabase(dataDir)
    this.pool = new pg.Pool({ ...this.database, max: 4 })
  }

  get url(): string {
    return this.node.url
  }

  import = (folder: string) => importFolder(folder, this.settings)

  async stop(): Promise<void> {
    await this.pool.end()
    await this.node.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The embedded database of a running node, as its superuser. */
export const embeddedDatabase = (dataDir: string) => ({
  host: join(dataDir, 'socket'),
  port: 5432,
  user: 'postgres',
  database: 'evac',
})

/** Loads a folder of CSV as a further organisation, with the product's own command. */
export async function importFolder(folder: string, settings: Settings): Promise<void> {
  const args = ['server/commands/import-main.ts', folder, '--new-organisation']
  await run(process.execPath, args, { cwd: project, env: { ...process.env, ...settings } })
}

/** Open to the account of the embedded database, which is not this one when this is root. */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o711)
  return folder
}
