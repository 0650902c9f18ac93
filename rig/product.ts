import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { untilReady } from '../scripts/lib/until-ready.ts'
import { importFolder } from './import-folder.ts'

const project = resolve(import.meta.dirname, '..')

/** The product as `npm start` runs it, with a database of its own that can be killed and started again. */
export class Product {
  readonly port: number
  readonly url: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'evac-e2e-'))
  #server: ChildProcess | undefined

  /** On a port that is free now, so that two checkouts can be tested at once. */
  static async onFreePort(): Promise<Product> {
    return new Product(await findFreePort())
  }

  private constructor(port: number) {
    this.port = port
    this.url = `http://localhost:${port}`
    chmodSync(this.#folder, 0o711) // as root, the database's own account must reach its folder in here
  }

  get #env() {
    const { DATABASE_URL: _elsewhere, ...env } = process.env
    return {
      ...env,
      PORT: String(this.port),
      HOST: '127.0.0.1',
      DATA_DIR: join(this.#folder, 'data'),
      DEMO: 'off',
      REQUESTS_PER_MINUTE: '100000',
    }
  }

  async start(): Promise<void> {
    const server = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: project,
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#server = server
    await untilReady(this.url, server)
  }

  /** As a power cut would: nothing is flushed, nobody is told. The database goes on and is adopted at the next start. */
  async kill(): Promise<void> {
    const server = this.#server
    if (!server) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  /** Loads a folder of CSV with the product's own command. */
  async import(folder: string): Promise<void> {
    await importFolder(folder, this.#env)
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server && server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
