import { Centrifuge, UnauthorizedError } from 'centrifuge'
import WebSocket from 'ws'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import type { History, Listening } from './evidence/history.ts'
import type { Who } from './session.ts'

interface SocketOptions {
  who: Who
  history: History
  url: string
  token: string
  channels: readonly string[]
  /** Undefined if the server rejects this warden. */
  renewToken: () => Promise<string | undefined>
  /** Called when the server has closed the socket for good. */
  onEnd: () => void
}

export interface OpenSocket {
  /** True if every channel is subscribed. */
  isListening(): boolean
  /** Marks that nothing more will be published: what was heard by now must be everything. */
  complete(): void
  close(): void
}

/** The official client with the web app's settings. It reads publications by the web app's rules. */
export function openSocket({ who, history, url, token, channels, renewToken, onEnd }: SocketOptions): OpenSocket {
  const client = new Centrifuge(url, {
    token,
    websocket: WebSocket,
    getToken: async () => {
      const renewed = await renewToken()
      if (renewed === undefined) throw new UnauthorizedError('turned down')
      return renewed
    },
    minReconnectDelay: 500 + Math.random() * 2_000,
    maxReconnectDelay: 20_000,
  })
  const listeners = channels.map((channel) => listen(client, who, channel, history))
  client.on('disconnected', () => {
    client.removeAllListeners()
    onEnd()
  })
  client.connect()
  return {
    isListening: () => listeners.every((listener) => listener.isOpen()),
    complete: () => {
      for (const listener of listeners) listener.complete()
    },
    close: () => {
      client.removeAllListeners()
      client.disconnect()
    },
  }
}

function listen(client: Centrifuge, who: Who, channel: string, history: History) {
  let listening: Listening | undefined
  let epoch = ''
  const begin = (from: number) => {
    const { name, organisation } = who
    listening = {
      who: name,
      organisation,
      channel,
      from,
      since: Date.now(),
      offsets: [],
      named: new Map(),
      isComplete: false,
    }
    history.listenings.push(listening)
  }
  const subscription = client.newSubscription(channel)
  subscription.on('subscribed', ({ recovered, streamPosition }) => {
    const resumedAt = streamPosition?.offset ?? 0
    const epochChanged = epoch !== '' && epoch !== streamPosition?.epoch
    epoch = streamPosition?.epoch ?? ''
    if (listening && recovered) return
    if (listening) history.gaps.push({ who: who.name, channel, lastSeen: lastOf(listening), resumedAt, epochChanged })
    begin(resumedAt)
  })
  subscription.on('publication', ({ data, offset }) => {
    // a recovery may repeat the last publication, and a snapshot has no offset
    if (!listening || offset === undefined || offset <= lastOf(listening)) return
    listening.offsets.push(offset)
    listening.named.set(offset, namedIn(data))
    history.show(who.organisation, data)
  })
  subscription.subscribe()
  return {
    isOpen: () => subscription.state === 'subscribed',
    complete: () => {
      if (listening && subscription.state === 'subscribed') listening.isComplete = true
    },
  }
}

function namedIn({ event, changed = [] }: Publication) {
  const isAny = event?.status === false || changed.some(({ ids }) => ids.length === 0)
  return isAny ? ('any' as const) : new Set(changed.flatMap(({ ids }) => ids))
}

const lastOf = ({ offsets, from }: Listening) => offsets.at(-1) ?? from
