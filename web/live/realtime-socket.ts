import { Centrifuge, State, UnauthorizedError } from 'centrifuge'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import type { ConnectionState } from './connection-state.ts'

export interface SocketOptions {
  url: string
  token: string
  channels: readonly string[]
  /** Fetches a new token after the old one has expired. Null if the server rejects this warden. */
  renewToken: () => Promise<string | null>
  onState: (state: ConnectionState) => void
  onPublication: (publication: Publication, offset?: number) => void
  /** Publications may have been missed: everything on screen must be refetched. `offset` is where the channel stands. */
  onGap: (offset?: number) => void
  /** The server has closed the socket because it can tell nothing new. The socket opens again by itself. */
  onBlind: () => void
  /** The server has closed the socket for good. */
  onEnd: () => void
}

/** The code with which the hub closes all sockets while it cannot publish. */
const blind = 3011

const stateOf: Record<State, ConnectionState> = {
  [State.Connecting]: 'Connecting',
  [State.Connected]: 'Connected',
  [State.Disconnected]: 'Disconnected',
}

/**
 * Opens the socket and subscribes to every channel. Reconnects and renews its token by itself. Returns
 * a function that closes it. Imports the client library and nothing of the app, which keeps its chunk out of the first
 * load.
 */
export function openSocket({ url, token, channels, renewToken, ...on }: SocketOptions): () => void {
  const client = new Centrifuge(socketAddress(url), {
    token,
    getToken: async () => {
      const renewed = await renewToken()
      if (renewed === null) throw new UnauthorizedError('turned down')
      return renewed
    },
    // A random delay per phone: thousands must not return in the same second after a restart.
    minReconnectDelay: 500 + Math.random() * 2000,
    maxReconnectDelay: 20_000,
  })
  client.on('state', ({ newState }) => on.onState(stateOf[newState]))
  client.on('connecting', ({ code }) => code === blind && on.onBlind())
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
  subscription.on('subscribed', ({ recovered, streamPosition }) => {
    if (recovered) return
    // Without recovery nothing repeats, and offsets may restart because the database was restored.
    lastSeen = 0
    onGap(streamPosition?.offset)
  })
  subscription.on('publication', ({ data, offset }) => {
    // A recovery may repeat the last publication.
    if (offset !== undefined && offset <= lastSeen) return
    lastSeen = offset ?? lastSeen
    onPublication(data, offset)
  })
  subscription.subscribe()
}

/** The server may give a full address or only a path on its own host. */
function socketAddress(url: string): string {
  const address = new URL(url, window.location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return address.href
}
