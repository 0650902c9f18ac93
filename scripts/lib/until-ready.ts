import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a process that serves at the address; throws when it has ended, or needs longer than a minute. */
export async function untilReady(url: string, process: ChildProcess): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(50)) {
    if (process.exitCode !== null || process.signalCode !== null)
      throw new Error(`the process for ${url} ended with ${process.exitCode ?? process.signalCode}`)
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error(`${url} did not become ready`)
}
