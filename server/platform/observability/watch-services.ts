import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

/** A service that Evac depends on besides the database, with a check that does not use it. */
export interface Service {
  name: string
  /** Throws the reason if the service would not work now. */
  check: () => Promise<void>
  /** Minimum interval. Mail servers and Twilio treat each check as a visit. */
  everyMs: number
}

/** For connections that are being opened during the start. */
const graceMs = 3_000
/** A check that takes longer has failed. */
const patienceMs = 20_000

/**
 * Checks each service regularly, so that a failure is known before the service is needed. Returns a function that
 * stops.
 */
export function watchServices(services: readonly Service[], { serviceUp }: Metrics, log: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  const follow = async ({ name, check, everyMs }: Service) => {
    let wasUp = true
    await pause(graceMs)
    while (!stopping.signal.aborted) {
      const error = await failureOf(check)
      if (stopping.signal.aborted) return
      serviceUp.set({ service: name }, error ? 0 : 1)
      if (error && wasUp) log.warn({ err: error, service: name }, `${name} does not work`)
      if (!error && !wasUp) log.warn({ service: name }, `${name} works again`)
      wasUp = !error
      await pause(everyMs)
    }
  }
  const running = Promise.all(services.map(follow))
  return async () => {
    stopping.abort()
    await Promise.race([running, delay(1_000, undefined, { ref: false })])
  }
}

/** Undefined if the check passes. */
export async function failureOf(check: () => Promise<void>): Promise<Error | undefined> {
  const late = delay(patienceMs, new Error('no answer'), { ref: false })
  const answered = check().then(
    () => undefined,
    (error) => error as Error,
  )
  return Promise.race([answered, late])
}
