import { setTimeout as delay } from 'node:timers/promises'
import { type BoardOf, keyOf } from './one-moment.ts'

/** Milliseconds between the beginnings of two snapshots of one event: 100 boards cost one statement a second. */
const pauseMs = 1_000
/** No answer is older, as far as the database lets it. */
const oldestMs = 2_000
/** A snapshot that no one has read for so long is forgotten. */
const forgetMs = 60_000

/** Changes with a smaller offset than the horizon are in it, and in every later snapshot. */
interface Horizon {
  horizon: bigint
}

interface Kept<S> {
  snapshot: S
  begunAt: number
}

interface Line<S> {
  kept?: Kept<S>
  making?: Promise<Kept<S>>
  begunAt: number
  readAt: number
}

/**
 * Snapshots that all readers of this process share, one for each event. They are made only while someone reads, one at a
 * time, and at most one a second. No one needs the snapshot of another node: a reader names the newest offset that it has
 * heard, and gets a snapshot that has it.
 */
export function keepSnapshots<S extends Horizon>(make: (of: BoardOf, before: S | undefined) => Promise<S>) {
  const lines = new Map<string, Line<S>>()

  function lineOf(key: string): Line<S> {
    const now = performance.now()
    for (const [other, { readAt, making }] of lines) if (!making && now - readAt > forgetMs) lines.delete(other)
    const line = lines.get(key) ?? { begunAt: Number.NEGATIVE_INFINITY, readAt: now }
    line.readAt = now
    lines.set(key, line)
    return line
  }

  /** The next snapshot of the line. Anyone who comes during the pause before it begins gets one that begins after them. */
  function next(of: BoardOf, line: Line<S>): Promise<Kept<S>> {
    const begin = async () => {
      // a timer leaves out fractions of a millisecond, and would be early
      await delay(Math.max(0, Math.ceil(line.begunAt + pauseMs - performance.now())))
      line.begunAt = performance.now()
      const kept = { begunAt: line.begunAt, snapshot: await make(of, line.kept?.snapshot) }
      line.kept = kept
      return kept
    }
    line.making ??= begin().finally(() => {
      delete line.making
    })
    return line.making
  }

  /** A snapshot with all changes up to the offset `since`, if there are such changes. */
  return async function read(of: BoardOf, since?: bigint): Promise<S> {
    const askedAt = performance.now()
    const line = lineOf(keyOf(of))
    const isEnough = ({ snapshot, begunAt }: Kept<S>, ageMs: number) =>
      performance.now() - begunAt < ageMs && (since === undefined || since < snapshot.horizon)
    if (line.kept && isEnough(line.kept, pauseMs)) return line.kept.snapshot
    for (;;) {
      const kept = await next(of, line)
      // one that began after the question has all that could have been heard: a higher offset was never handed out
      if (kept.begunAt >= askedAt || isEnough(kept, oldestMs)) return kept.snapshot
    }
  }
}
