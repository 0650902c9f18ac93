import { Centrifuge, UnauthorizedError } from 'centrifuge'
import WebSocket from 'ws'
import type { History, Listening } from './evidence/history.ts'
import type { Who } from './session.ts'

interface SocketOptions {
  who: Who
  history: History
  url: string
  token: string
  channels: readonly string[]
  /** Undefined: the server turns this warden down. */
  renewToken: () => Promise<string | undefined>
  /** The server closed it for good. */
  onEnd: () => void
}

export interface OpenSocket {
  /** Whether every channel is being heard at this moment. */
  isListening(): boolean
  /** All has come to rest: what has been heard by now is everything. */
  complete(): void
  close(): void
}

/** The official client, with the settings and the reading rules of the web app. */
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
  const ears = channels.map((channel) => listen(client, who, channel, history))
  client.on('disconnected', () => {
    client.removeAllListeners()
    onEnd()
  })
  client.connect()
  return {
    isListening: () => ears.every((ear) => ear.isOpen()),
    complete: () => {
      for (const ear of ears) ear.complete()
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
    listening = { who: name, organisation, channel, from, since: Date.now(), offsets: [], isComplete: false }
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
    // a recovery may repeat the last one, and a snapshot has no place of its own
    if (!listening || offset === undefined || offset <= lastOf(listening)) return
    listening.offsets.push(offset)
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

const lastOf = ({ offsets, from }: Listening) => offsets.at(-1) ?? from
