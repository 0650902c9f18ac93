import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const project = resolve(import.meta.dirname, '..')
const clockShift = join(import.meta.dirname, 'clock-shift.mjs')

/** One process of the product, in the roles that its environment names. */
export class ProductProcess {
  readonly name: string
  readonly url: string
  readonly #env: Record<string, string>
  readonly #logFile: string
  #child: ChildProcess | undefined

  constructor(name: string, env: { PORT: string } & Record<string, string>, logFile: string) {
    this.name = name
    this.url = `http://127.0.0.1:${env.PORT}`
    this.#env = env
    this.#logFile = logFile
  }

  launch(): void {
    const { DATABASE_URL: _own, REDIS_URL: _mine, ...inherited } = process.env
    const log = openSync(this.#logFile, 'a')
    this.#child = spawn(process.execPath, ['--import', clockShift, 'server/src/main.ts'], {
      cwd: project,
      env: { ...inherited, ...this.#env },
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
  }

  /** Whether it says that it can serve, within the time given. */
  async isReady(patienceMs = 1_000): Promise<boolean> {
    return fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(patienceMs) }).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** A start that fails, because the database is away for instance, is tried again as a service manager would. */
  async start(patienceMs = 90_000): Promise<void> {
    if (!this.isRunning) this.launch()
    for (const end = Date.now() + patienceMs; Date.now() < end; await delay(100)) {
      if (!this.isRunning) this.launch()
      if (await this.isReady()) return
    }
    throw new Error(`${this.name} did not become ready: see ${this.#logFile}`)
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** As a power cut would: nothing is flushed, nobody is told. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  /** When there is no time for more. */
  abandon(): void {
    this.#child?.kill('SIGKILL')
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  shiftClock(ms: number): void {
    if (this.#child?.connected) this.#child.send({ clockShiftMs: ms })
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
