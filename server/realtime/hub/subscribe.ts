import { isCheckDue, secondsExpired } from './authenticate.ts'
import { closeCodes, replyErrors } from './codes.ts'
import type { Command, StreamPosition } from './commands.ts'
import type { Connection } from './connection.ts'
import { encodeError, encodePublication, encodeReply, encodeReplyWith, type StoredPublication } from './frames.ts'
import type { HubContext } from './hub-context.ts'
import type { ConnectionClaims } from './token.ts'

/** A client further behind than this refetches everything, because that is faster. */
const recoveryLimit = 500

type Subscribe = Extract<Command, { method: 'subscribe' }>

/** Subscribes to a channel of the token, if the participation is still valid. */
export async function subscribe(hub: HubContext, connection: Connection, command: Subscribe) {
  const { id, channel } = command
  const { claims } = connection
  if (!claims?.channels.includes(channel)) return connection.send(encodeError(id, replyErrors.permissionDenied))
  if (hub.registry.subscriptionOf(connection, channel))
    return connection.send(encodeError(id, replyErrors.alreadySubscribed))
  if (secondsExpired(claims) > 0) return connection.send(encodeError(id, replyErrors.connectionExpired))
  if (!hub.allowances.of(claims.sid).take()) return connection.send(encodeError(id, replyErrors.tooManyRequests))
  if (isCheckDue(hub, connection) && (await hub.isRevoked(claims))) return connection.close(closeCodes.invalidToken)
  if (connection.isClosed) return

  try {
    await join(hub, connection, claims, command)
  } catch (error) {
    hub.registry.unsubscribe(connection, channel)
    throw error
  }
}

/** Subscribes first and reads the history second, so that nothing is lost in between. */
async function join(hub: HubContext, connection: Connection, claims: ConnectionClaims, command: Subscribe) {
  const { id, channel, recover, rejectUnrecovered } = command
  const start = hub.history.position()
  const subscription = hub.registry.subscribe(connection, channel)
  const missed = recover && (await findMissed(hub, claims, channel, recover))
  if (connection.isClosed) return
  if (hub.registry.subscriptionOf(connection, channel) !== subscription)
    throw new Error('The epoch changed during a subscribe')

  if (recover && missed) {
    hub.metrics?.count('recovered')
    const body = { ...place(hub, recover.offset), was_recovering: true, recovered: true }
    connection.send(encodeReplyWith(id, 'subscribe', body, missed))
    return subscription.goLive(missed.at(-1)?.offset ?? recover.offset)
  }

  if (recover) hub.metrics?.count('not_recovered')
  if (recover && rejectUnrecovered) {
    hub.registry.unsubscribe(connection, channel)
    return connection.send(encodeError(id, replyErrors.unrecoverablePosition))
  }
  const outcome = recover ? { was_recovering: true, recovered: false } : {}
  connection.send(encodeReply(id, 'subscribe', { ...place(hub, start), ...outcome }))
  const snapshot = await findSnapshot(hub, channel)
  if (snapshot !== null) connection.send(encodePublication(channel, snapshot))
  subscription.goLive(start)
}

/** Null if the position has another epoch, is unknown, or is too far behind. */
async function findMissed(
  hub: HubContext,
  { sid }: ConnectionClaims,
  channel: string,
  from: StreamPosition,
): Promise<StoredPublication[] | null> {
  if (from.epoch !== hub.epoch()) return null
  const read = () => hub.history.since(channel, from.offset, recoveryLimit)
  const { publications, isComplete } = await hub.allowances.of(sid).read(read)
  return isComplete ? publications : null
}

/** The live feed continues without a snapshot: the client's own first read repairs the gap. */
async function findSnapshot(hub: HubContext, channel: string): Promise<string | null> {
  try {
    return (await hub.snapshot?.(channel)) ?? null
  } catch (error) {
    hub.log.warn({ err: error, channel }, 'No snapshot for a new subscription')
    return null
  }
}

function place(hub: HubContext, offset: number) {
  return { recoverable: true, positioned: true, epoch: hub.epoch(), offset }
}

type ReadHistory = Extract<Command, { method: 'history' }>

/** Only for a channel to which the connection is subscribed. */
export async function readHistory(hub: HubContext, connection: Connection, { id, channel, limit, since }: ReadHistory) {
  const { claims } = connection
  if (!claims || !hub.registry.subscriptionOf(connection, channel))
    return connection.send(encodeError(id, replyErrors.permissionDenied))
  const allowance = hub.allowances.of(claims.sid)
  if (!allowance.take()) return connection.send(encodeError(id, replyErrors.tooManyRequests))
  const epoch = hub.epoch()
  if (since?.epoch && since.epoch !== epoch) return connection.send(encodeError(id, replyErrors.unrecoverablePosition))
  const count = Math.min(limit, recoveryLimit)
  const read = () => hub.history.since(channel, since?.offset ?? 0, count)
  const { publications } = count > 0 ? await allowance.read(read) : { publications: [] }
  const body = { epoch, offset: hub.history.position() }
  connection.send(encodeReplyWith(id, 'history', body, publications))
}
