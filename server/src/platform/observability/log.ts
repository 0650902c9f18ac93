import { type DestinationStream, type Logger, pino } from 'pino'
import { loggedError } from './logged-error.ts'
import { collapseRepeats, type RepeatTimes } from './repeats.ts'

/**
 * The one log of a process: JSON lines with ISO times and named levels. A warning or a fault that repeats is one line, then
 * a count at growing intervals, then one line when it is over (0014).
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
