import { Centrifuge, State, UnauthorizedError } from 'centrifuge'
import type { getChannelToken, Publication } from '#features/live-updates/calls/realtime.ts'
import type { CallReply } from '#kernel/route.ts'
import type { ConnectionState } from './connection-state.ts'

type ChannelToken = CallReply<typeof getChannelToken>

export interface SocketOptions {
  first: ChannelToken
  channels: readonly string[]
  /** Fetches a new token after the old one has expired. Null if the server rejects this warden. */
  renew: () => Promise<ChannelToken | null>
  /** The state with which a channel begins. The own hub sends it by itself, Centrifugo does not know it. */
  readState: () => Promise<Publication>
  onState: (state: ConnectionState) => void
  onPublication: (publication: Publication) => void
  /** Publications may have been missed: everything on screen must be refetched. `at` is where the journal stands. */
  onGap: (at?: number) => void
  /** Live updates are late: the server has closed the socket, which opens again by itself, or says so. */
  onBlind: () => void
  /** The server has closed the socket for good. */
  onEnd: () => void
}

/** The code with which the hub closes all sockets while it cannot publish. */
const blind = 3011
/** Both channels are subscribed by then. */
const beginMs = 100
/** Thousands of phones are told at once to read everything. */
const spreadMs = 2000
/** Both channels and the connection want a new token at the same time. */
const sharedMs = 10_000

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
export function openSocket({ first, channels, renew, ...on }: SocketOptions): () => void {
  const renewed = shared(renew)
  const client = new Centrifuge(socketAddress(first.url), {
    token: first.token,
    getToken: async () => (await renewed()).token,
    // A random delay per phone: thousands must not return in the same second after a restart.
    minReconnectDelay: 500 + Math.random() * 2000,
    maxReconnectDelay: 20_000,
  })
  client.on('state', ({ newState }) => on.onState(stateOf[newState]))
  client.on('connecting', ({ code }) => code === blind && on.onBlind())
  client.on('disconnected', on.onEnd)
  const { channel_tokens: tokens } = first
  /** By channel: the newest transaction. */
  const lastSeen = new Map<string, number>()
  const begin = createBeginning(on, lastSeen)
  const follow = createFollower(on, lastSeen, tokens ? begin.request : undefined)
  for (const channel of channels) {
    const own = tokens && {
      token: tokens[channel] ?? '',
      getToken: async () => (await renewed()).channel_tokens?.[channel] ?? '',
    }
    follow(client.newSubscription(channel, own))
  }
  client.connect()

  return function close() {
    begin.stop()
    client.removeAllListeners()
    client.disconnect()
  }
}

type Subscription = ReturnType<Centrifuge['newSubscription']>
type Handlers = Pick<SocketOptions, 'readState' | 'onPublication' | 'onGap' | 'onBlind'>
type Begin = ReturnType<typeof createBeginning>['request']

/** Hears channels. `begin`: where the server sends no beginning, it is asked for. */
function createFollower({ onPublication, onGap }: Handlers, lastSeen: Map<string, number>, begin: Begin | undefined) {
  return function follow(subscription: Subscription) {
    const { channel } = subscription
    subscription.on('subscribed', ({ recovered, streamPosition }) => {
      if (recovered) return
      // Without recovery nothing repeats, and transactions may restart because the database was restored.
      lastSeen.delete(channel)
      if (begin) begin(beginMs)
      else onGap(streamPosition?.offset)
    })
    subscription.on('publication', ({ data }) => {
      if (data.refetch) {
        lastSeen.clear()
        return begin?.(Math.random() * spreadMs, 'late')
      }
      // A recovery, and another server that publishes, may repeat the last publication.
      if (data.at !== undefined && data.at <= (lastSeen.get(channel) ?? 0)) return
      if (data.at !== undefined) lastSeen.set(channel, data.at)
      onPublication(data)
    })
    subscription.subscribe()
  }
}

/** Reads the state with which the channels begin. What was published meanwhile is in the reading of the screens that follows. */
function createBeginning(
  { readState, onPublication, onGap, onBlind }: Handlers,
  lastSeen: ReadonlyMap<string, number>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLate = false
  let isStopped = false
  const read = async () => {
    timer = undefined
    if (isLate) onBlind()
    isLate = false
    const state = await readState().catch(() => undefined)
    if (isStopped) return
    if (state) onPublication(state)
    // what was published meanwhile may be newer
    const heard = [state?.at, ...lastSeen.values()].filter((at) => at !== undefined)
    onGap(heard.length > 0 ? Math.max(...heard) : undefined)
  }
  return {
    /** `late`: live updates may be, which the channel list says. */
    request(afterMs: number, why?: 'late') {
      isLate ||= why === 'late'
      timer ??= setTimeout(read, afterMs)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Everyone who asks within some seconds gets the same answer. */
function shared(renew: SocketOptions['renew']) {
  let latest: Promise<ChannelToken | null> | undefined
  return async () => {
    if (!latest) {
      latest = renew()
      const forget = () => {
        latest = undefined
      }
      latest.then(() => setTimeout(forget, sharedMs), forget)
    }
    const renewed = await latest
    if (renewed === null) throw new UnauthorizedError('turned down')
    return renewed
  }
}

/** The server may give a full address or only a path on its own host. */
function socketAddress(url: string): string {
  const address = new URL(url, window.location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return address.href
}
