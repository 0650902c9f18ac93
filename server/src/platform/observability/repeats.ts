import type { LogFn, Logger } from 'pino'
import { isLostConnection } from '../db/db.ts'

const usualTimes = {
  /** When the first count is written; each further one after six times as long, an hour at most. */
  firstMs: 10_000,
  longestMs: 3_600_000,
  /** Without a repeat for so long it is over. Longer than any pause between two tries. */
  quietMs: 90_000,
  everyMs: 1_000,
}
export type RepeatTimes = Partial<typeof usualTimes>

/** A line that was written, and how often it was wished for since. */
interface Repeated {
  write: (details: object, ending: string) => void
  since: number
  last: number
  /** Since the first line, and since the last count. */
  total: number
  uncounted: number
  pauseMs: number
  nextCount: number
}

/** Beyond so many different ones at a time, lines are written as they come. */
const mostAtOnce = 500
const warn = 40

/** pino's hook before a line is written: holds back warnings and faults that say the same again, and counts them. */
export function collapseRepeats(times?: RepeatTimes) {
  const { firstMs, longestMs, quietMs, everyMs } = { ...usualTimes, ...times }
  const known = new Map<string, Repeated>()
  let timer: NodeJS.Timeout | undefined

  function look() {
    const now = performance.now()
    for (const [key, line] of known) {
      const seconds = Math.round((now - line.since) / 1000)
      if (now - line.last >= quietMs) {
        known.delete(key)
        if (line.total > 0) line.write({ repeated: line.total, seconds }, `(over: ${line.total} more in ${seconds} s)`)
      } else if (now >= line.nextCount && line.uncounted > 0) {
        line.write({ repeated: line.total, seconds }, `(${line.total} more in ${seconds} s)`)
        line.uncounted = 0
        line.pauseMs = Math.min(line.pauseMs * 6, longestMs)
        line.nextCount = now + line.pauseMs
      }
    }
    if (known.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** True when the line is to be written. */
  function isNew(key: string, write: Repeated['write']): boolean {
    const now = performance.now()
    const line = known.get(key)
    if (line) {
      Object.assign(line, { last: now, total: line.total + 1, uncounted: line.uncounted + 1 })
      return false
    }
    if (known.size >= mostAtOnce) return true
    const begin = { since: now, last: now, total: 0, uncounted: 0, pauseMs: firstMs, nextCount: now + firstMs }
    known.set(key, { write, ...begin })
    timer ??= setInterval(look, everyMs).unref()
    return true
  }

  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const [first, second] = args as unknown[]
    const error = errorIn(first)
    const text = String(typeof first === 'string' ? first : (second ?? error?.message ?? ''))
    const write: Repeated['write'] = (details, ending) =>
      method.apply(this, [{ ...details, ...(error && { err: error }) }, `${text} ${ending}`])
    if (level < warn || isNew(keyOf(text, error), write)) method.apply(this, args)
  }
}

/** pg-boss hands on copies of errors, which are plain objects. */
function errorIn(first: unknown): Error | undefined {
  if (typeof first !== 'object' || first === null) return undefined
  const found = first instanceof Error ? first : (first as { err?: unknown }).err
  return typeof (found as Error | undefined)?.message === 'string' ? (found as Error) : undefined
}

/**
 * What makes two lines the same. Whoever asks a database that has gone complains in words of their own: that is one
 * trouble, not ten. Of numbers in a text (counts, durations) the last does not matter.
 */
function keyOf(text: string, error: Error | undefined): string {
  if (!error) return text.replaceAll(/\d+/g, '#')
  if (isLostConnection(error)) return 'lost connection to the database'
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const { code, address, port } = inner as NodeJS.ErrnoException & { address?: string; port?: number }
  if (address) return [code, address, port].join(' ')
  const places = error.stack?.split('\n').filter((line) => line.includes('/server/src/')) ?? []
  return [text, error.name, code, error.message.replaceAll(/\d+/g, '#'), ...places].join(' ')
}
