import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sharedNow } from './shared-clock.ts'

/** Phones in separate processes. */
export interface Crowd {
  /** Makes one change. Returns the milliseconds until it was on each phone. */
  timeChange(change: () => Promise<unknown>): Promise<number[]>
  leave(): Promise<void>
}

const perProcess = 5000
/** A crowded channel gets four publications a second. */
const pauseMs = 300

export async function gatherCrowd(address: string, greetings: readonly string[][]): Promise<Crowd> {
  const groups = Array.from({ length: Math.ceil(greetings.length / perProcess) }, (_, i) =>
    greetings.slice(i * perProcess, (i + 1) * perProcess),
  )
  const processes = groups.map(() =>
    fork(join(import.meta.dirname, 'phones.ts'), { serialization: 'advanced', stdio: 'inherit' }),
  )
  await Promise.all(
    processes.map((child, i) => {
      child.send({ address, greetings: groups[i] })
      return heard<'open'>(child)
    }),
  )
  return {
    async timeChange(change) {
      // the first publication after a pause goes at once, and measures the way
      await delay(pauseMs)
      const arrivals = processes.map((child) => heard<number[]>(child))
      const start = sharedNow()
      await change()
      return (await Promise.all(arrivals)).flat().map((at) => at - start)
    },
    async leave() {
      await Promise.all(
        processes.map((child) => {
          child.disconnect()
          return once(child, 'exit')
        }),
      )
    },
  }
}

/** The next message of a process of phones. Throws if the process ends first, or after five minutes. */
export async function heard<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController()
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(300_000)])
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process of phones ended')
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T]
    return message
  } finally {
    ended.catch(() => undefined)
    waiting.abort()
  }
}

/** Resident memory of another process in MB. */
export function memoryOf({ pid }: { pid: number | undefined }): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/**
 * Throws if a process may not open as many files. Each socket is a file, and Node raises its limit to the hard limit.
 */
export function requireFiles(needed: number): void {
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  if (limit !== 'unlimited' && Number(limit) < needed) {
    throw new Error(
      `A process may open ${limit} files here, and ${needed} are needed: raise it with "ulimit -Hn ${needed}" as root, or set BENCH_SOCKETS=1000 and BENCH_RETURNING=1000.`,
    )
  }
}
