import { type DestinationStream, type Logger, pino } from 'pino'
import { loggedError } from './logged-error.ts'
import { collapseRepeats, type RepeatTimes } from './repeated-lines.ts'

/**
 * The log of a process: JSON lines with ISO times and level names. A repeated warning or error is one line, then a
 * count at growing intervals, then one line when it ends.
 */
export function createLog(level: string, { to, times }: { to?: DestinationStream; times?: RepeatTimes } = {}): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['req.headers.authorization'],
    serializers: { req: () => ({}), err: loggedError },
    hooks: { logMethod: collapseRepeats(times) },
  }
  return to ? pino(options, to) : pino(options)
}
