import { Refusal } from './errors.ts'

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Runs so many pieces of work of one session at once; the rest of that session's wait, and nobody else's wait for them.
 * Throws `too_many_requests` when the line is full.
 */
export function turnsBySession({ atOnce, longestLine }: { atOnce: number; longestLine: number }) {
  const lines = new Map<string, Line>()

  return async function inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(session) ?? { running: 0, waiting: [] }
    lines.set(session, line)
    if (line.running < atOnce) line.running++
    else {
      if (line.waiting.length >= longestLine) throw new Refusal('too_many_requests')
      await new Promise<void>((turn) => line.waiting.push(turn))
    }
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      // whoever else has something to do comes between two of the same session
      if (next) setImmediate(next)
      else if (--line.running === 0) lines.delete(session)
    }
  }
}
