import { setTimeout as delay } from 'node:timers/promises'
import { Centrifuge } from 'centrifuge'
import { getChannelToken, type Publication, pollEvent } from '#features/live-updates/calls/realtime.ts'
import type { Call } from '#kernel/client/client.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { FloorList } from './floor-list.ts'

/** One publication, as a phone received it. */
interface Heard {
  /** The newest transaction that it tells of. */
  offset: number
  /** The people that it names, or any. */
  people: readonly string[] | 'any'
  at: number
}

/** The publications in between were not sent one by one. */
interface Gap {
  after: number
  upTo: number
  at: number
}

/**
 * A phone that follows an event with the official client and the web app's settings. It can show the list of a floor. `socketUrl`:
 * where Centrifugo is, in place of the own hub.
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
  readonly #call: Call
  readonly #hasOwnHub: boolean
  /** Up to this transaction the phone has heard, or read, everything. */
  place = 0
  /** A list that was read before this time may lack changes. */
  #beganAt = Number.POSITIVE_INFINITY

  constructor(
    url: string,
    token: string,
    eventUid: string,
    { list, socketUrl }: { list?: FloorList; socketUrl?: string } = {},
  ) {
    this.#call = callerOf(url, token)
    this.#hasOwnHub = socketUrl === undefined
    this.list = list
    this.#client = new Centrifuge(socketUrl ?? `${url.replace('http', 'ws')}/connection/websocket`, {
      getToken: async () => (await this.#call(getChannelToken, {})).token,
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

  /** Reads everything again: everything from `after` to `upTo` is in it. */
  #begin(after: number, upTo: number, isReturning: boolean) {
    if (isReturning) this.gaps.push({ after, upTo, at: performance.now() })
    this.#beganAt = performance.now()
    this.list?.readAnew()
  }

  /** Centrifugo does not know where the journal stands. Publications may come before the answer. */
  async #askPlace(isReturning: boolean) {
    const after = this.place
    for (;;) {
      const { at } = await this.#call(pollEvent, {}).catch(() => ({ at: undefined }))
      if (at !== undefined) {
        this.place = Math.max(this.place, at)
        return this.#begin(after, at, isReturning)
      }
      await delay(1000)
    }
  }

  #follow(channel: string) {
    const getToken = async () => (await this.#call(getChannelToken, {})).channel_tokens?.[channel] ?? ''
    const subscription = this.#client.newSubscription(channel, this.#hasOwnHub ? {} : { getToken })
    subscription.on('subscribed', ({ wasRecovering, recovered, streamPosition }) => {
      this.spans.push({ from: performance.now(), to: Number.POSITIVE_INFINITY })
      this.epoch = streamPosition?.epoch ?? ''
      if (recovered) return
      if (!this.#hasOwnHub) return void this.#askPlace(wasRecovering)
      const after = this.place
      this.place = streamPosition?.offset ?? 0
      this.#begin(after, this.place, wasRecovering)
    })
    const end = () => {
      const span = this.spans.at(-1)
      if (span && this.#isConnected) span.to = performance.now()
    }
    subscription.on('subscribing', end)
    subscription.on('unsubscribed', end)
    subscription.on('publication', ({ data }) => {
      if (data.refetch) void this.#askPlace(true)
      if (data.at === undefined) return
      this.heard.push({ offset: data.at, people: peopleIn(data), at: performance.now() })
      this.place = data.at
      this.list?.hear(data)
    })
    subscription.subscribe()
  }
}

function peopleIn({ changed = [] }: Publication): Heard['people'] {
  const people = changed.filter(({ topic }) => topic === 'evacuee')
  return people.some(({ ids }) => ids.length === 0) ? 'any' : people.flatMap(({ ids }) => ids)
}
