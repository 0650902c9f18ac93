import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Centrifuge, type Options, type PublicationContext } from 'centrifuge'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { socketPath } from '../realtime.ts'
import type { StoredPublication } from './frames.ts'
import { Hub } from './hub.ts'
import type { History, HubOptions } from './hub-context.ts'
import { signConnectionToken, verifyConnectionToken } from './token.ts'

export const key = new Uint8Array(32).fill(7)
export const silent = pino({ level: 'silent' })

export function tokenFor(sub: string, channels: string[], seconds?: number, sid = `session of ${sub}`) {
  return signConnectionToken(key, { sub, channels, sid }, seconds)
}

/** Stands for the journal: it outlives any hub. */
export class MemoryHistory implements History {
  readonly #stored = new Map<string, StoredPublication[]>()
  #newest = 1000
  /** Runs during a history read. */
  onRead = async () => {}

  position = () => this.#newest

  async since(channel: string, offset: number, limit: number) {
    const newer = (this.#stored.get(channel) ?? []).filter((publication) => publication.offset > offset)
    await this.onRead()
    const isComplete = offset <= this.#newest && newer.length <= limit
    return { publications: newer.slice(0, limit), isComplete }
  }

  store(channel: string, data: unknown): StoredPublication {
    this.#newest += 1
    const publication = { offset: this.#newest, json: JSON.stringify(data) }
    this.#stored.set(channel, [...(this.#stored.get(channel) ?? []), publication])
    return publication
  }
}

interface TestHub extends AsyncDisposable {
  hub: Hub
  history: MemoryHistory
  url: string
  port: number
  /** Stores and pushes, as the feed does. */
  publish: (channel: string, data: unknown) => void
}

export async function startHub(
  options: Partial<HubOptions> & { history?: MemoryHistory; port?: number } = {},
): Promise<TestHub> {
  const history = options.history ?? new MemoryHistory()
  const hub = new Hub({
    verify: (token) => verifyConnectionToken([key], token),
    epoch: () => 'first',
    log: silent,
    ...options,
    history,
  })
  const server = createServer()
  hub.attach(server, socketPath)
  const port = await listen(server, options.port ?? 0)
  return {
    hub,
    history,
    port,
    url: `ws://127.0.0.1:${port}${socketPath}`,
    publish(channel, data) {
      const { offset, json } = history.store(channel, data)
      hub.publish(channel, offset, json)
    },
    async [Symbol.asyncDispose]() {
      await hub.close({ spreadMs: 0 })
      server.closeAllConnections()
      if (server.listening) await new Promise((done) => server.close(done))
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Milliseconds since the call in which this process could work. Each pause counts as 50 ms at most: a busy machine stops
 * the process, and the phones in it, for longer.
 */
export function ownTime(): () => number {
  let [own, before] = [0, performance.now()]
  const look = () => {
    const now = performance.now()
    own += Math.min(now - before, 50)
    before = now
    return own
  }
  const timer = setInterval(look, 10)
  onTestFinished(() => clearInterval(timer))
  return look
}

/**
 * A warden's phone: the official client, subscribed to the channels of its token, with a log of everything it received.
 */
export class Phone implements Disposable {
  readonly client: Centrifuge
  readonly received: unknown[] = []
  readonly offsets: (number | undefined)[] = []
  readonly log: string[] = []
  tokensFetched = 0
  readonly #channelToken: ((channel: string) => Promise<string>) | undefined

  constructor(
    url: string,
    sub: string,
    channels: string[],
    options: Partial<Options> & { tokenSeconds?: number; channelToken?: (channel: string) => Promise<string> } = {},
  ) {
    const { tokenSeconds, channelToken, ...rest } = options
    this.#channelToken = channelToken
    this.client = new Centrifuge(url, {
      minReconnectDelay: 20,
      maxReconnectDelay: 100,
      getToken: () => {
        this.tokensFetched += 1
        return tokenFor(sub, channels, tokenSeconds)
      },
      ...rest,
    })
    this.client.on('connected', () => this.log.push('connected'))
    this.client.on('connecting', ({ code }) => this.log.push(`connecting ${code}`))
    this.client.on('disconnected', ({ code }) => this.log.push(`disconnected ${code}`))
    this.client.on('error', ({ error }) => this.log.push(`error ${error.code}`))
    for (const channel of channels) this.follow(channel, true)
    this.client.connect()
  }

  /** A foreign channel has no token, even where own ones need it. */
  follow(channel: string, isOwn = false) {
    const token = this.#channelToken
    const subscription = this.client.newSubscription(channel, isOwn && token ? { getToken: () => token(channel) } : {})
    subscription.on('publication', (publication: PublicationContext) => {
      this.received.push(publication.data)
      this.offsets.push(publication.offset)
    })
    subscription.on('subscribed', ({ wasRecovering, recovered }) => {
      this.log.push(wasRecovering ? `subscribed recovered=${recovered}` : 'subscribed')
    })
    subscription.on('unsubscribed', ({ code }) => this.log.push(`unsubscribed ${code}`))
    subscription.subscribe()
  }

  /** Resolves when all subscriptions are active. */
  async ready() {
    await Promise.all(Object.values(this.client.subscriptions()).map((subscription) => subscription.ready(5000)))
    return this
  }

  [Symbol.dispose]() {
    this.client.disconnect()
  }
}
