/** A client's position in a channel: the last offset it saw, and the epoch of that offset. */
export interface StreamPosition {
  offset: number
  epoch: string
}

export type Command =
  | { method: 'pong' }
  | { method: 'connect' | 'refresh'; id: number; token: string }
  | { method: 'subscribe'; id: number; channel: string; recover: StreamPosition | null; rejectUnrecovered: boolean }
  | { method: 'unsubscribe'; id: number; channel: string }
  | { method: 'history'; id: number; channel: string; limit: number; since: StreamPosition | null }
  | { method: 'ping'; id: number }
  | { method: 'publish'; id: number }
  | { method: 'unknown'; id: number }

const rejectUnrecoveredFlag = 2

/**
 * Parses a websocket message, which may contain several commands, one JSON object per line. Throws on anything else.
 */
export function parseCommands(text: string): Command[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseCommand(asObject(JSON.parse(line))))
}

function parseCommand(frame: Fields): Command {
  if (Object.keys(frame).length === 0) return { method: 'pong' }
  const id = asOffset(frame.id)
  if (id === 0) throw new TypeError('A command needs an id')

  if (frame.connect !== undefined) return { method: 'connect', id, token: asText(asObject(frame.connect).token) }
  if (frame.refresh !== undefined) return { method: 'refresh', id, token: asText(asObject(frame.refresh).token) }
  if (frame.subscribe !== undefined) return parseSubscribe(id, asObject(frame.subscribe))
  if (frame.unsubscribe !== undefined) {
    return { method: 'unsubscribe', id, channel: asText(asObject(frame.unsubscribe).channel) }
  }
  if (frame.history !== undefined) return parseHistory(id, asObject(frame.history))
  if (frame.ping !== undefined) return { method: 'ping', id }
  if (frame.publish !== undefined) return { method: 'publish', id }
  return { method: 'unknown', id }
}

function parseSubscribe(id: number, body: Fields): Command {
  return {
    method: 'subscribe',
    id,
    channel: asText(body.channel),
    recover: body.recover === true ? asPosition(body) : null,
    rejectUnrecovered: (asOffset(body.flag) & rejectUnrecoveredFlag) !== 0,
  }
}

/** A `limit` of 0 asks for the position only. A negative one asks for everything, which the hub caps. */
function parseHistory(id: number, body: Fields): Command {
  const limit = body.limit ?? 0
  if (typeof limit !== 'number') throw new TypeError('A limit is a number')
  return {
    method: 'history',
    id,
    channel: asText(body.channel),
    limit: limit < 0 ? Number.POSITIVE_INFINITY : limit,
    since: body.since === undefined ? null : asPosition(asObject(body.since)),
  }
}

type Fields = Record<string, unknown>

/** The client leaves out an offset of 0 and an empty epoch. */
function asPosition(body: Fields): StreamPosition {
  return { offset: asOffset(body.offset), epoch: asText(body.epoch) }
}

function asObject(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('Expected an object')
  return value as Fields
}

function asText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw new TypeError('Expected a text')
  return value
}

function asOffset(value: unknown): number {
  if (value === undefined) return 0
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('Expected a whole number')
  return value as number
}
