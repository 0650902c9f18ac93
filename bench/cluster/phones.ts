import { callerOf } from '@evac/contract/fetch-caller.ts'
import { getChannelToken } from '@evac/contract/realtime.ts'
import { Centrifuge } from 'centrifuge'

/** One publication as a phone got it. */
interface Heard {
  offset: number
  at: number
}

/** A phone that follows an event with the official client, set as the web app sets it. */
export class Phone {
  readonly heard: Heard[] = []
  /** Times it was told that it cannot be told everything, and would have fetched anew. */
  gaps = 0
  reconnects = -1
  readonly #client: Centrifuge

  constructor(url: string, token: string, eventUid: string) {
    const call = callerOf(url, token)
    this.#client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, {
      getToken: async () => (await call(getChannelToken, {})).token,
      minReconnectDelay: 500 + Math.random() * 2000,
      maxReconnectDelay: 20_000,
    })
    this.#client.on('connected', () => {
      this.reconnects += 1
    })
    const subscription = this.#client.newSubscription(`event:${eventUid}`)
    subscription.on('subscribed', ({ wasRecovering, recovered }) => {
      if (wasRecovering && !recovered) this.gaps += 1
    })
    subscription.on('publication', ({ offset }) => {
      if (offset !== undefined) this.heard.push({ offset, at: performance.now() })
    })
    subscription.subscribe()
    this.#client.connect()
  }

  ready = () => Promise.all(Object.values(this.#client.subscriptions()).map((one) => one.ready(30_000)))
  close = () => this.#client.disconnect()
}
