import type { Connection } from './connection.ts'
import { Subscription } from './subscription.ts'
import type { ConnectionClaims } from './token.ts'

/**
 * Most sockets of one session (one per tab), and of one participation (the warden's phone and others that opened the
 * same link).
 */
const mostSockets = { ofSession: 8, ofSignIn: 16 }

/** The open connections, by participation and by channel. */
export class Registry {
  readonly connections = new Set<Connection>()
  readonly #bySub = new Map<string, Set<Connection>>()
  readonly #byChannel = new Map<string, Map<Connection, Subscription>>()

  add(connection: Connection, claims: ConnectionClaims) {
    const { sub } = claims
    connection.claims = claims
    this.connections.add(connection)
    const others = this.#bySub.get(sub)
    if (others) others.add(connection)
    else this.#bySub.set(sub, new Set([connection]))
  }

  remove(connection: Connection) {
    for (const channel of [...connection.subscriptions.keys()]) this.unsubscribe(connection, channel)
    this.connections.delete(connection)
    const sub = connection.claims?.sub ?? ''
    const others = this.#bySub.get(sub)
    others?.delete(connection)
    if (others?.size === 0) this.#bySub.delete(sub)
    connection.claims = null
  }

  subscribe(connection: Connection, channel: string): Subscription {
    const subscription = new Subscription(connection)
    connection.subscriptions.set(channel, subscription)
    const others = this.#byChannel.get(channel)
    if (others) others.set(connection, subscription)
    else this.#byChannel.set(channel, new Map([[connection, subscription]]))
    return subscription
  }

  unsubscribe(connection: Connection, channel: string) {
    connection.subscriptions.delete(channel)
    const others = this.#byChannel.get(channel)
    others?.delete(connection)
    if (others?.size === 0) this.#byChannel.delete(channel)
  }

  ofSub(sub: string): Connection[] {
    return [...(this.#bySub.get(sub) ?? [])]
  }

  /**
   * HUB-34: returns the sockets that must close because of the newest one of this session and participation, oldest
   * first.
   */
  beyondLimits({ sub, sid }: ConnectionClaims): Connection[] {
    const ofSignIn = this.ofSub(sub)
    const ofSession = ofSignIn.filter(({ claims }) => claims?.sid === sid)
    return [...ofSession.slice(0, -mostSockets.ofSession), ...ofSignIn.slice(0, -mostSockets.ofSignIn)]
  }

  /** A live set: iterate over it at once, and copy it before closing its members. */
  ofChannel(channel: string): ReadonlyMap<Connection, Subscription> {
    return this.#byChannel.get(channel) ?? nobody
  }

  channels(): string[] {
    return [...this.#byChannel.keys()]
  }
}

const nobody: ReadonlyMap<Connection, Subscription> = new Map()
