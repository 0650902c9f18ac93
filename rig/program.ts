import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const project = resolve(import.meta.dirname, '..')

/** Debian installs servers in folders that are not on every PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** The full path of an installed program. Undefined if it is missing. */
export const findProgram = (name: string) =>
  folders.map((folder) => join(folder, name)).find((file) => existsSync(file))

export interface ProgramOptions {
  command: string
  args: string[]
  /** Added to the environment of this process. */
  env?: Record<string, string>
  /** Receives all output. Without it, stderr goes to this terminal and stdout is dropped. */
  logFile?: string
  /** Another account than this process's. Needs root. */
  account?: { uid: number; gid: number }
  /** Opens the channel that `send` uses. */
  hasChannel?: boolean
  isReady: () => Promise<boolean>
}

const startLimitMs = 60_000

const programs = new Set<Program>()
process.on('exit', () => {
  for (const program of programs) program.signal('SIGKILL')
})

/** A program that can be started, killed and started again. It ends with this process at the latest. */
export class Program {
  /** The arguments of the next start. */
  args: string[]
  readonly #options: ProgramOptions
  #child: ChildProcess | undefined

  constructor(options: ProgramOptions) {
    this.#options = options
    this.args = options.args
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** False also if the program does not answer. */
  isReady = () => this.#options.isReady().catch(() => false)

  /** Starts the program without waiting for it. */
  launch(): void {
    const { command, env, logFile, account, hasChannel } = this.#options
    const log = logFile === undefined ? undefined : openSync(logFile, 'a')
    this.#child = spawn(command, this.args, {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ['ignore', log ?? 'ignore', log ?? 'inherit', ...(hasChannel ? (['ipc'] as const) : [])],
      ...account,
    })
    if (log !== undefined) closeSync(log)
    programs.add(this)
  }

  /** Starts the program and waits until it is ready. Throws if it ends first or takes longer than a minute. */
  async start(): Promise<void> {
    this.launch()
    for (const end = Date.now() + startLimitMs; Date.now() < end; await delay(50)) {
      if (!this.isRunning) throw this.#failure(`ended with ${this.#child?.exitCode ?? this.#child?.signalCode}`)
      if (await this.isReady()) return
    }
    throw this.#failure('did not become ready')
  }

  /** Like a power cut: nothing is flushed and no connection is closed in order. */
  kill = () => this.#end('SIGKILL')

  /** Resolves with the exit code. */
  stop = () => this.#end('SIGTERM')

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Sends a message if the program is running. Needs `hasChannel`. */
  send(message: object): void {
    if (this.#child?.connected) this.#child.send(message)
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child) return null
    if (this.isRunning) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    programs.delete(this)
    return child.exitCode
  }

  #failure(what: string): Error {
    const { command, logFile } = this.#options
    const log = logFile === undefined ? '' : `, see ${logFile}:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`
    return new Error(`${[command, ...this.args].join(' ')} ${what}${log}`)
  }
}

/** Whether the product, or what is measured beside it, says that it can serve. No answer within a second means no. */
export const isServing = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
