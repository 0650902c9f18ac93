import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../hub/hub-context.ts'
import { coalesce } from './coalesce.ts'
import type { WakeUp } from './wake-up.ts'

const channel = 'evac_feed'
/** A feed reads at most this often, so more frequent announcements would wake no one earlier. */
const announceEveryMs = 10
/** A Redis that has not answered by then counts as away. */
const patienceMs = 250
const maxRetryMs = 2000

/**
 * Wakes the other processes through Redis, which saves the database the lock of a NOTIFY. If Redis does not
 * accept a notice, it is sent through `postgres`, to which every process listens all the time.
 */
export function createRedisWakeUp(url: string, postgres: WakeUp, log: Log): WakeUp {
  const self = randomUUID()
  const notices = coalesce(announceEveryMs, async () => {
    if (!(await publish())) postgres.announce()
  })
  let speaking: ReturnType<typeof open> | undefined
  let listening: ReturnType<typeof open> | undefined
  let isStopped = false

  /**
   * A client that reconnects forever. With 'nothing', commands fail at once while disconnected instead of being queued.
   */
  async function open(keeps: 'nothing' | 'subscriptions') {
    // loaded only if REDIS_URL is set
    const { createClient } = await import('@redis/client')
    const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** retries, maxRetryMs)
    const client = createClient({
      url,
      RESP: 2,
      disableOfflineQueue: keeps === 'nothing',
      socket: { reconnectStrategy },
    })
    let isAway = false
    client.on('error', (error) => {
      if (!isAway && !isStopped)
        log.warn({ err: error }, 'Redis is unreachable: the database wakes the other processes')
      isAway = true
    })
    client.on('ready', () => {
      if (isAway) log.info({}, 'Redis is back')
      isAway = false
    })
    return client
  }

  async function publish(): Promise<boolean> {
    speaking ??= open('nothing').then((client) => {
      void client.connect().catch(() => undefined)
      return client
    })
    const client = await speaking
    if (!client.isReady) return false
    const said = client.publish(channel, self).then(
      () => true,
      () => false,
    )
    return Promise.race([said, delay(patienceMs, false, { ref: false })])
  }

  async function listen(onWake: () => void) {
    listening = open('subscriptions')
    const client = await listening
    client.on('ready', onWake) // covers announcements made while Redis was away
    await client.connect()
    await client.subscribe(channel, (sender) => sender !== self && onWake())
    onWake()
  }

  return {
    start(onWake) {
      postgres.start(onWake)
      listen(onWake).catch((error) => isStopped || log.error({ err: error }, 'Cannot listen to Redis'))
    },
    announce: notices.request,
    async check() {
      const client = await listening
      if (!client?.isReady) throw new Error('Redis is away')
    },
    async stop() {
      isStopped = true
      notices.stop()
      for (const client of await Promise.all([speaking, listening])) if (client?.isOpen) client.destroy()
      await postgres.stop()
    },
  }
}
