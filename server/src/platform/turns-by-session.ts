import { Refusal } from './errors.ts'

interface Line {
  running: number
  waiting: (() => void)[]
}

/** Work that took longer than this is followed by a rest as long, so that no session is at work all the time. */
const shortMs = 10
/** Where the database is slow nobody is to blame: rests stay short. */
const longestRestMs = 250

/**
 * Runs so many pieces of work of one session at once; the rest of that session's wait, and nobody else's wait for them.
 * Throws `too_many_requests` when the line is full.
 */
export function turnsBySession({ atOnce, longestLine }: { atOnce: number; longestLine: number }) {
  const lines = new Map<string, Line>()

  function passOn(session: string, line: Line) {
    const next = line.waiting.shift()
    // whoever else has something to do comes between two of the same session
    if (next) setImmediate(next)
    else if (--line.running === 0) lines.delete(session)
  }

  return async function inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(session) ?? { running: 0, waiting: [] }
    lines.set(session, line)
    if (line.running < atOnce) line.running++
    else {
      if (line.waiting.length >= longestLine) throw new Refusal('too_many_requests')
      await new Promise<void>((turn) => line.waiting.push(turn))
    }
    const start = performance.now()
    try {
      return await work()
    } finally {
      const took = performance.now() - start
      if (took < shortMs) passOn(session, line)
      else setTimeout(passOn, Math.min(took, longestRestMs), session, line).unref()
    }
  }
}
