import type { LogFn, Logger } from 'pino'
import { isLostConnection } from '../db/db.ts'

const usualTimes = {
  /** Delay of the first count. Each further delay is six times as long, at most one hour. */
  firstMs: 10_000,
  longestMs: 3_600_000,
  /** Without a repeat for this long, the failure is over. Longer than the pause between any two retries. */
  quietMs: 90_000,
  everyMs: 1_000,
}
export type RepeatTimes = Partial<typeof usualTimes>

/** A line that was written, and how often it has recurred since. */
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

/** Beyond this many different lines at a time, lines are written as they come. */
const mostAtOnce = 500
const warn = 40

/** pino hook before a line is written: holds back and counts repeated warnings and errors. */
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

  /** True if the line must be written. */
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

/** pg-boss passes on copies of errors, which are plain objects. */
function errorIn(first: unknown): Error | undefined {
  if (typeof first !== 'object' || first === null) return undefined
  const found = first instanceof Error ? first : (first as { err?: unknown }).err
  return typeof (found as Error | undefined)?.message === 'string' ? (found as Error) : undefined
}

/**
 * The key by which lines count as equal. All complaints about a lost database share one key. The last number in a text
 * (a count or a duration) is ignored.
 */
function keyOf(text: string, error: Error | undefined): string {
  if (!error) return text.replaceAll(/\d+/g, '#')
  if (isLostConnection(error)) return 'lost connection to the database'
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const { code, address, port } = inner as NodeJS.ErrnoException & { address?: string; port?: number }
  if (address) return [code, address, port].join(' ')
  const places =
    error.stack?.split('\n').filter((line) => /\/(features|server)\//.test(line.replace(/.*node_modules.*/, ''))) ?? []
  return [text, error.name, code, error.message.replaceAll(/\d+/g, '#'), ...places].join(' ')
}
