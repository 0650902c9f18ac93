import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

/** What Evac leans on beside its database, and how to see whether it works without using it. */
export interface Service {
  name: string
  /** Throws why it would not work now. */
  check: () => Promise<void>
  /** How often it may be asked: a mail server and Twilio take each question for a visit. */
  everyMs: number
}

/** For connections that are being opened at a start. */
const graceMs = 3_000
/** A check that says nothing for so long has failed. */
const patienceMs = 20_000

/** Asks each service now and then, so that one that is dead is known before it is needed. Returns the way to stop. */
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

/** Undefined when it works. */
export async function failureOf(check: () => Promise<void>): Promise<Error | undefined> {
  const late = delay(patienceMs, new Error('no answer'), { ref: false })
  const answered = check().then(
    () => undefined,
    (error) => error as Error,
  )
  return Promise.race([answered, late])
}
