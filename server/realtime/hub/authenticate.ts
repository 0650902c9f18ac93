import { closeCodes, replyErrors, unsubscribeCodes } from './codes.ts'
import type { Connection } from './connection.ts'
import { encodeError, encodeReply, encodeUnsubscribe } from './frames.ts'
import type { HubContext } from './hub-context.ts'
import { type ConnectionClaims, ConnectionTokenExpired } from './token.ts'

/** Handles the first command. Nothing else is accepted before it. */
export async function connect(hub: HubContext, connection: Connection, id: number, token: string) {
  if (connection.claims) return connection.close(closeCodes.badRequest)
  const claims = await verified(hub, token)
  if (connection.isClosed) return
  if (claims === 'expired') return connection.send(encodeError(id, replyErrors.tokenExpired))
  if (claims === 'invalid') return connection.close(closeCodes.invalidToken)
  if (!hub.allowances.of(claims.sid).take()) return connection.close(closeCodes.tooManyRequests)

  hub.registry.add(connection, claims)
  connection.checkedAt = Date.now()
  if (await isRevokedAtConnect(hub, connection, claims)) return connection.close(closeCodes.invalidToken)
  if (connection.isClosed) return
  // a returning phone is never rejected because of its old sockets, which may be dead unnoticed
  for (const old of hub.registry.beyondLimits(claims)) old.close(closeCodes.connectionLimit)
  hub.wheel.add(connection)
  hub.metrics?.count('connected')
  hub.noteContact?.(claims.sub)
  const ping = { ping: hub.pingSeconds, pong: true }
  connection.send(encodeReply(id, 'connect', { client: connection.id, version: 'evac', ...ping, ...lifetime(claims) }))
}

/** Registers the connection under its participation before asking, so that a sign-out in between finds it. */
async function isRevokedAtConnect(hub: HubContext, connection: Connection, claims: ConnectionClaims) {
  try {
    return await hub.isRevoked(claims)
  } catch (error) {
    hub.registry.remove(connection)
    throw error
  }
}

/**
 * The last check is a minute old. Sign-outs since then have closed the socket, so a subscribe right after connect asks
 * nothing: 10,000 phones that return would ask three times each.
 */
export function isCheckDue({ recheckSeconds = 60 }: HubContext, { checkedAt }: Connection): boolean {
  return Date.now() - checkedAt >= recheckSeconds * 1000
}

/** Accepts a new token for the same participation. Unsubscribes from channels it no longer names. */
export async function refresh(hub: HubContext, connection: Connection, id: number, token: string) {
  const claims = await verified(hub, token)
  if (connection.isClosed) return
  if (claims === 'expired') return connection.send(encodeError(id, replyErrors.refreshExpired))
  if (claims === 'invalid' || claims.sub !== connection.claims?.sub) return connection.close(closeCodes.invalidToken)
  if (!hub.allowances.of(claims.sid).take()) return connection.send(encodeError(id, replyErrors.tooManyRequests))
  if (await hub.isRevoked(claims)) return connection.close(closeCodes.invalidToken)
  if (connection.isClosed) return

  const { channels } = connection.claims
  connection.claims = hub.registry.sharing(claims)
  for (const channel of channels) {
    if (claims.channels.includes(channel) || !hub.registry.subscriptionOf(connection, channel)) continue
    hub.registry.unsubscribe(connection, channel)
    connection.send(encodeUnsubscribe(channel, unsubscribeCodes.noLongerAllowed))
  }
  connection.send(encodeReply(id, 'refresh', { client: connection.id, version: 'evac', ...lifetime(claims) }))
}

/** Seconds since the token expired. Negative while it is valid. */
export function secondsExpired({ exp }: ConnectionClaims): number {
  return Date.now() / 1000 - exp
}

function lifetime(claims: ConnectionClaims) {
  return { expires: true, ttl: Math.max(1, Math.ceil(-secondsExpired(claims))) }
}

async function verified(hub: HubContext, token: string): Promise<ConnectionClaims | 'expired' | 'invalid'> {
  try {
    return await hub.verify(token)
  } catch (error) {
    return error instanceof ConnectionTokenExpired ? 'expired' : 'invalid'
  }
}
