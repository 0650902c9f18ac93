import { setTimeout as delay } from 'node:timers/promises'
import { Centrifuge, State, UnauthorizedError } from 'centrifuge'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { getChannels, getChannelToken, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { ApiError, type Call, wrapCaller } from '#kernel/client/client.ts'
import * as limits from '#kernel/limits.ts'
import { inTurns } from './in-turns.ts'
import { ownAddress, sharedCaller, socketFrom } from './own-address.ts'
import { sharedNow } from './shared-clock.ts'

/**
 * Many phones in one process that behave as the web app does: the official client with the app's settings, the polls of
 * a page with a feed, and a floor that is read again after a gap, with the app's retries.
 *
 *   parent: url and tokens ──▶ all subscribe ──▶ 'open' ──▶ parent: 'back' ──▶ each hears a publication ──▶ Returned
 */
export interface Returned {
  /** When each phone heard the first publication since 'back', by the shared clock. */
  heardAt: number[]
  /** Since 'open'. `refused`: answers that end the feed of a phone for good. `reads`: floors read again. */
  counts: { cut: number; refused: number; reads: number; requests: number }
}

/** Milliseconds after 'back'. A phone that has heard nothing by then never returns. */
const patienceMs = 120_000

const fresh = () => ({ cut: 0, refused: 0, reads: 0, requests: 0 })
let counts = fresh()
/** Phones that have heard a publication since 'back'. Undefined before. */
let heard: Set<object> | undefined
let heardAt: number[] = []

process.once('message', async ({ url, tokens }: { url: string; tokens: string[] }) => {
  await inTurns(tokens, 25, (token) => openPhone(url, token))
  counts = fresh()
  process.send?.('open')
  process.once('message', async () => {
    heard = new Set()
    heardAt = []
    for (const end = sharedNow() + patienceMs; heardAt.length < tokens.length && sharedNow() < end; ) await delay(50)
    process.send?.({ heardAt, counts } satisfies Returned)
  })
})
process.once('disconnect', () => process.exit())

/** Resolves when the phone follows its channels. */
async function openPhone(url: string, token: string): Promise<void> {
  const call = countingCaller(sharedCaller(url, token))
  const { channels } = await call(getChannels, {})
  const first = await call(getChannelToken, {})
  const client = new Centrifuge(new URL(first.url, url.replace('http', 'ws')).href, {
    token: first.token,
    websocket: socketFrom(ownAddress()),
    getToken: async () => {
      try {
        return (await call(getChannelToken, {})).token
      } catch (error) {
        throw isFinal(error) ? new UnauthorizedError('turned down') : error
      }
    },
    minReconnectDelay: 500 + Math.random() * 2000,
    maxReconnectDelay: 20_000,
  })
  let isReading = false
  const readFloor = async () => {
    if (isReading) return
    isReading = true
    counts.reads += 1
    await retrying(() => call(getFloorData, { query: { order: 'attention', floors: 'building' } })).catch(
      () => undefined,
    )
    isReading = false
  }
  client.on('connecting', () => {
    counts.cut += 1
  })
  client.on('disconnected', () => {
    counts.refused += 1
  })
  const opened = channels.map((channel) => {
    const subscription = client.newSubscription(channel)
    subscription.on('subscribed', ({ wasRecovering, recovered }) => {
      if (wasRecovering && !recovered) void readFloor()
    })
    subscription.on('publication', () => hear(client))
    subscription.subscribe()
    return subscription.ready(120_000)
  })
  client.connect()
  await Promise.all(opened)
  poll(limits.channelPoll, () => void call(getChannels, {}).catch(() => undefined))
  poll(limits.fallbackPoll, () => {
    if (client.state !== State.Connected) call(pollEvent, {}).then(readFloor, () => undefined)
  })
}

/** The web app tries a read three times. */
async function retrying(read: () => Promise<unknown>): Promise<unknown> {
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (failures === 2 || isFinal(error)) throw error
      await delay(((error instanceof ApiError && error.retryAfter) || failures + 1) * 1000)
    }
  }
}

/** Begins at any time of the interval: people open the page at different times. */
const poll = (ms: number, ask: () => void) => setTimeout(() => setInterval(ask, ms), Math.random() * ms)

function hear(phone: object) {
  if (!heard || heard.has(phone)) return
  heard.add(phone)
  heardAt.push(sharedNow())
}

const countingCaller = (call: Call): Call =>
  wrapCaller(
    () => call,
    async (send) => {
      counts.requests += 1
      try {
        return await send()
      } catch (error) {
        if (isFinal(error)) counts.refused += 1
        throw error
      }
    },
  )

const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
