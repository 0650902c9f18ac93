import type { Publication } from '@evac/contract/realtime.ts'
import { Centrifuge, State, UnauthorizedError } from 'centrifuge'
import type { ConnectionState } from './connection-state.ts'

export interface SocketOptions {
  url: string
  token: string
  channels: readonly string[]
  /** A new token when the old one has run out; null when the server turns this warden down. */
  renewToken: () => Promise<string | null>
  onState: (state: ConnectionState) => void
  onPublication: (publication: Publication) => void
  /** Publications may have been missed: what is on screen must be read again. */
  onGap: () => void
  /** The server closed it for good. */
  onEnd: () => void
}

const stateOf: Record<State, ConnectionState> = {
  [State.Connecting]: 'Connecting',
  [State.Connected]: 'Connected',
  [State.Disconnected]: 'Disconnected',
}

/**
 * Opens the socket and subscribes to every channel (RT-13); it reconnects and renews its token by itself (RT-24). Answers
 * how to close it. Imports the client library and nothing of the app, which keeps its chunk apart from the first load.
 */
export function openSocket({ url, token, channels, renewToken, ...on }: SocketOptions): () => void {
  const client = new Centrifuge(socketAddress(url), {
    token,
    getToken: async () => {
      const renewed = await renewToken()
      if (renewed === null) throw new UnauthorizedError('turned down')
      return renewed
    },
    // Each phone waits its own while: thousands must not come back in the same second after a restart.
    minReconnectDelay: 500 + Math.random() * 2000,
    maxReconnectDelay: 20_000,
  })
  client.on('state', ({ newState }) => on.onState(stateOf[newState]))
  client.on('disconnected', on.onEnd)
  for (const channel of channels) subscribe(client, channel, on)
  client.connect()

  return function close() {
    client.removeAllListeners()
    client.disconnect()
  }
}

type Handlers = Pick<SocketOptions, 'onPublication' | 'onGap'>

function subscribe(client: Centrifuge, channel: string, { onPublication, onGap }: Handlers) {
  let lastSeen = 0
  const subscription = client.newSubscription(channel)
  subscription.on('subscribed', ({ recovered }) => {
    if (recovered) return
    // Nothing is repeated then, and the numbers may have begun anew: the database may have gone back.
    lastSeen = 0
    onGap()
  })
  subscription.on('publication', ({ data, offset }) => {
    // A recovery may repeat the last one.
    if (offset !== undefined && offset <= lastSeen) return
    lastSeen = offset ?? lastSeen
    onPublication(data)
  })
  subscription.subscribe()
}

/** The server may name a whole address or only a path at its own host. */
function socketAddress(url: string): string {
  const address = new URL(url, window.location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return address.href
}
