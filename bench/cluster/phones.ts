import { Centrifuge } from 'centrifuge'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { FloorList } from './floor-list.ts'

/** One publication, as a phone received it. */
interface Heard {
  offset: number
  at: number
}

/** The publications in between were not sent one by one. */
interface Gap {
  after: number
  upTo: number
  at: number
}

/**
 * A phone that follows an event with the official client and the web app's settings. It can show the list of a floor.
 */
export class Phone {
  readonly heard: Heard[] = []
  /** Gaps that the server announced. The phone then read everything again. */
  readonly gaps: Gap[] = []
  /** When the phone showed "Connected", by performance.now(). */
  readonly spans: { from: number; to: number }[] = []
  /** The epoch that the server announced last. */
  epoch = ''
  reconnects = -1
  readonly list: FloorList | undefined
  readonly #client: Centrifuge
  #place = 0
  /** A list that was read before this time may lack changes. */
  #beganAt = Number.POSITIVE_INFINITY

  constructor(url: string, token: string, eventUid: string, list?: FloorList) {
    const call = callerOf(url, token)
    this.list = list
    this.#client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, {
      getToken: async () => (await call(getChannelToken, {})).token,
      minReconnectDelay: 500 + Math.random() * 2000,
      maxReconnectDelay: 20_000,
    })
    this.#client.on('connected', () => {
      this.reconnects += 1
    })
    this.#follow(`event:${eventUid}`)
    this.#client.connect()
  }

  ready = () => Promise.all(Object.values(this.#client.subscriptions()).map((one) => one.ready(30_000)))

  /** True if the phone hears everything of this epoch and has read its list since. */
  isWholeIn(epoch: string): boolean {
    return this.epoch === epoch && this.#isConnected && (this.list?.readAt ?? Number.POSITIVE_INFINITY) >= this.#beganAt
  }

  close() {
    this.#client.disconnect()
    this.list?.close()
  }

  get #isConnected() {
    return this.spans.at(-1)?.to === Number.POSITIVE_INFINITY
  }

  #follow(channel: string) {
    const subscription = this.#client.newSubscription(channel)
    subscription.on('subscribed', ({ wasRecovering, recovered, streamPosition }) => {
      this.spans.push({ from: performance.now(), to: Number.POSITIVE_INFINITY })
      this.epoch = streamPosition?.epoch ?? ''
      if (recovered) return
      if (wasRecovering)
        this.gaps.push({ after: this.#place, upTo: streamPosition?.offset ?? 0, at: performance.now() })
      this.#place = streamPosition?.offset ?? 0
      this.#beganAt = performance.now()
      this.list?.readAnew()
    })
    const end = () => {
      const span = this.spans.at(-1)
      if (span && this.#isConnected) span.to = performance.now()
    }
    subscription.on('subscribing', end)
    subscription.on('unsubscribed', end)
    subscription.on('publication', ({ offset, data }) => {
      if (offset === undefined) return
      this.heard.push({ offset, at: performance.now() })
      this.#place = offset
      this.list?.hear(data)
    })
    subscription.subscribe()
  }
}
