import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Where Debian puts servers, which is not on everybody's PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

export const findProgram = (name: string) =>
  folders.map((folder) => join(folder, name)).find((file) => existsSync(file))

export interface ProgramOptions {
  command: string
  args: string[]
  env?: Record<string, string>
  logFile: string
  /** Another than this process's; needs root. */
  account?: { uid: number; gid: number }
  /** Answers once it serves. */
  isReady: () => Promise<boolean>
}

/** One process of the cluster, which can die and come back. */
export class Program {
  readonly #options: ProgramOptions
  /** What the next start is given. */
  args: string[]
  #process: ChildProcess | undefined

  constructor(options: ProgramOptions) {
    this.#options = options
    this.args = options.args
    process.on('exit', () => this.#process?.kill('SIGKILL'))
  }

  async start() {
    const { command, env, logFile, isReady, account } = this.#options
    const log = openSync(logFile, 'a')
    const child = spawn(command, this.args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      ...account,
    })
    this.#process = child
    for (let tries = 0; tries < 1200; tries++) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${command} ended with ${child.exitCode ?? child.signalCode}: see ${logFile}`)
      if (await isReady().catch(() => false)) return
      await delay(50)
    }
    throw new Error(`${command} did not become ready: see ${logFile}`)
  }

  /** As a power cut would: nothing is flushed and nobody is told. */
  kill = () => this.#end('SIGKILL')
  stop = () => this.#end('SIGTERM')

  async #end(signal: NodeJS.Signals) {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
}
