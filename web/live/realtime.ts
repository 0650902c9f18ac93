import type { getChannels, Publication } from '#features/live-updates/calls/realtime.ts'
import { ApiError } from '#kernel/client/client.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { setSiteZone } from '../lib/time/site-clock.ts'
import { call } from '../session/api.ts'
import { madeLiveStore } from '../session/event-notices.ts'
import { getAuth, updateAuth } from '../session/stored-auth.ts'
import { type ConnectionState, connectionStore, lateStore } from './connection-state.ts'

type Channels = CallReply<typeof getChannels>

export interface FeedHandlers {
  onPublication: (publication: Publication) => void
  /** Something may have been missed: everything on screen must be refetched. `at` is where the journal stands. */
  onGap: (at?: number) => void
}

/**
 * Keeps a real-time page up to date: by socket, or by a poll every 15 s while there is none. While the server says that its
 * live updates are late, an open socket counts as none, and the list and the poll are asked for every 8 s.
 *
 *   check (at once, every 30 s, back online, closed as blind) ──▶ the channel list
 *        some channels ──▶ follow: open the socket, unless the same is open
 *        none ───────────▶ leave: close it; if on duty until now: poll once, then off duty
 *   the server closes the socket ──▶ close it, poll
 */
export class Feed {
  readonly #on: FeedHandlers
  readonly #life = new AbortController()
  #question = new AbortController()
  /** The channels of the open socket, joined into one text. */
  #followed = ''
  #close: (() => void) | undefined
  #socketState: ConnectionState = 'Disconnected'

  constructor(handlers: FeedHandlers) {
    this.#on = handlers
    const { signal } = this.#life
    const timers = [
      setInterval(() => this.check(), limits.channelPoll),
      setInterval(() => lateStore.get() || this.#askInstead(), limits.fallbackPoll),
      setInterval(() => lateStore.get() && this.check(), limits.latePoll),
    ]
    signal.addEventListener('abort', () => timers.forEach(clearInterval))
    window.addEventListener('online', () => this.check(), { signal })
  }

  /**
   * Requests the channel list and cancels an earlier request. Real-time failures never show a
   * message. The live bar shows that updates are late.
   */
  async check() {
    this.#question.abort()
    this.#question = new AbortController()
    const { signal } = this.#question
    try {
      const list = await call('GET /api/v2/warden/channels', {}, { signal })
      setSiteZone(list.timezone ?? null)
      await (list.channels.length ? this.#follow(list, signal) : this.#leave(list, signal))
    } catch {}
  }

  stop() {
    this.#question.abort()
    this.#life.abort()
    lateStore.set(false)
    this.#hangUp()
  }

  async #follow({ channels, Warden_Sign_In_UID, event_kind, made_live, live }: Channels, signal: AbortSignal) {
    updateAuth({ WardenSignInUID: Warden_Sign_In_UID, on_duty: true, event_kind })
    madeLiveStore.set(made_live)
    lateStore.set((live?.behind_seconds ?? 0) >= limits.liveLateSeconds)
    this.#show()
    if (lateStore.get()) void this.#askInstead()
    const wanted = [...channels].sort().join(' ')
    if (wanted === this.#followed) return
    this.#hangUp()
    this.#show('Connecting')
    try {
      await this.#open(channels, signal)
      this.#followed = wanted
    } catch (error) {
      if (!signal.aborted) this.#hangUp()
      throw error
    }
  }

  async #open(channels: readonly string[], signal: AbortSignal) {
    const [first, { openSocket }] = await Promise.all([
      call('GET /api/v2/warden/channel-token', {}, { signal }),
      // Loaded here, not with the first page: sign-in and the list do not need it.
      import('./realtime-socket.ts'),
    ])
    signal.throwIfAborted()
    const onEnd = () => {
      this.#hangUp()
      void this.#poll(this.#life.signal)
    }
    const onState = (state: ConnectionState) => this.#show(state)
    const onBlind = () => void this.check()
    const readState = () => call('GET /api/v2/warden/eventpoll', {}, { signal: this.#life.signal })
    this.#close = openSocket({ ...this.#on, first, channels, renew, readState, onState, onBlind, onEnd })
  }

  async #leave({ Warden_Sign_In_UID, event_kind }: Channels, signal: AbortSignal) {
    madeLiveStore.set(null)
    lateStore.set(false)
    const wasOnDuty = getAuth()?.on_duty
    this.#hangUp()
    // The event may have ended while this phone was away. The server remembers that for some minutes. The participation
    // stays until the server has answered: without one no one would ask again.
    if (wasOnDuty && !(await this.#poll(signal))) return
    signal.throwIfAborted()
    updateAuth({ WardenSignInUID: Warden_Sign_In_UID, on_duty: false, event_kind })
    // What is on screen was read on duty.
    if (wasOnDuty) this.#on.onGap()
  }

  #hangUp() {
    this.#close?.()
    this.#close = undefined
    this.#followed = ''
    this.#show('Disconnected')
  }

  #show(state = this.#socketState) {
    this.#socketState = state
    connectionStore.set(lateStore.get() && state === 'Connected' ? 'Disconnected' : state)
  }

  /** True if there is nothing more to ask. */
  async #poll(signal: AbortSignal): Promise<boolean> {
    if (!getAuth()?.WardenSignInUID) return true
    try {
      this.#on.onPublication(await call('GET /api/v2/warden/eventpoll', {}, { signal }))
      return true
    } catch {
      return false
    }
  }

  async #askInstead() {
    if (connectionStore.get() === 'Connected' || !getAuth()?.WardenSignInUID) return
    // A server that does not answer would not answer what is on screen either.
    if (await this.#poll(this.#life.signal)) this.#on.onGap()
  }
}

/**
 * A new token, or null if the server rejects this warden. Asking again would not help until the channel list says so.
 */
async function renew() {
  try {
    return await call('GET /api/v2/warden/channel-token', {})
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return null
    throw error
  }
}
