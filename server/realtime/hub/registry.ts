import type { Connection } from './connection.ts'
import { Subscription } from './subscription.ts'
import type { ConnectionClaims } from './token.ts'

/**
 * Most sockets of one session (one per tab), and of one participation (the warden's phone and others that opened the
 * same link).
 */
const mostSockets = { ofSession: 8, ofSignIn: 16 }

interface Subscribers {
  /** The channel. */
  name: string
  all: Map<Connection, Subscription>
}

/** The open connections, by participation and by channel. A connection subscribes only to channels of its claims. */
export class Registry {
  readonly connections = new Set<Connection>()
  readonly #bySub = new Map<string, Connection[]>()
  readonly #byChannel = new Map<string, Subscribers>()

  add(connection: Connection, claims: ConnectionClaims) {
    const { sub } = claims
    connection.claims = this.sharing(claims)
    this.connections.add(connection)
    const others = this.#bySub.get(sub)
    if (others) others.push(connection)
    else this.#bySub.set(sub, [connection])
  }

  remove(connection: Connection) {
    const { sub = '', channels = [] } = connection.claims ?? {}
    for (const channel of channels) this.unsubscribe(connection, channel)
    this.connections.delete(connection)
    const others = this.ofSub(sub).filter((other) => other !== connection)
    if (others.length > 0) this.#bySub.set(sub, others)
    else this.#bySub.delete(sub)
    connection.claims = null
  }

  subscribe(connection: Connection, channel: string): Subscription {
    const subscription = new Subscription(connection)
    const others = this.#byChannel.get(channel)
    if (others) others.all.set(connection, subscription)
    else this.#byChannel.set(channel, { name: channel, all: new Map([[connection, subscription]]) })
    return subscription
  }

  unsubscribe(connection: Connection, channel: string) {
    const others = this.#byChannel.get(channel)?.all
    others?.delete(connection)
    if (others?.size === 0) this.#byChannel.delete(channel)
  }

  subscriptionOf(connection: Connection, channel: string): Subscription | undefined {
    return this.#byChannel.get(channel)?.all.get(connection)
  }

  /** The claims with one text for each channel, because thousands follow the same. */
  sharing(claims: ConnectionClaims): ConnectionClaims {
    return { ...claims, channels: claims.channels.map((name) => this.#byChannel.get(name)?.name ?? name) }
  }

  /** The participations with a socket. A live view: iterate over it at once. */
  subs(): Iterable<string> {
    return this.#bySub.keys()
  }

  ofSub(sub: string): Connection[] {
    return [...(this.#bySub.get(sub) ?? [])]
  }

  /**
   * Returns the sockets that must close because of the newest one of this session and participation, oldest
   * first.
   */
  beyondLimits({ sub, sid }: ConnectionClaims): Connection[] {
    const ofSignIn = this.ofSub(sub)
    const ofSession = ofSignIn.filter(({ claims }) => claims?.sid === sid)
    return [...ofSession.slice(0, -mostSockets.ofSession), ...ofSignIn.slice(0, -mostSockets.ofSignIn)]
  }

  /** A live set: iterate over it at once, and copy it before closing its members. */
  ofChannel(channel: string): ReadonlyMap<Connection, Subscription> {
    return this.#byChannel.get(channel)?.all ?? nobody
  }

  channels(): string[] {
    return [...this.#byChannel.keys()]
  }
}

const nobody: ReadonlyMap<Connection, Subscription> = new Map()
