import type { CloseCode, ReplyError } from './codes.ts'

/** A publication as history and feed pass it on. Its data is JSON text. */
export interface StoredPublication {
  offset: number
  json: string
}

/** A complete unmasked text frame (RFC 6455 §5.2), so that one encoding serves every subscriber. */
function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerLength + length)
  frame[0] = 0x81 // final frame, text
  if (headerLength === 2) frame[1] = length
  else if (headerLength === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, headerLength)
  return frame
}

export const pingFrame = encodeFrame('{}')

export function encodeReply(id: number, method: string, body: object = {}): Buffer {
  return encodeFrame(JSON.stringify({ id, [method]: body }))
}

export function encodeError(id: number, error: ReplyError): Buffer {
  return encodeFrame(JSON.stringify({ id, error }))
}

/** Without an offset, the client shows the publication but keeps its position in the channel. */
export function encodePublication(channel: string, json: string, offset?: number): Buffer {
  const position = offset === undefined ? '' : `"offset":${offset},`
  return encodeFrame(`{"push":{"channel":${JSON.stringify(channel)},"pub":{${position}"data":${json}}}}`)
}

export function encodeUnsubscribe(channel: string, unsubscribe: CloseCode): Buffer {
  return encodeFrame(JSON.stringify({ push: { channel, unsubscribe } }))
}

/** A reply that ends in stored publications. Their JSON is copied unchanged. */
export function encodeReplyWith(
  id: number,
  method: string,
  body: object,
  publications: readonly StoredPublication[],
): Buffer {
  const list = publications.map(({ offset, json }) => `{"offset":${offset},"data":${json}}`).join(',')
  const open = JSON.stringify(body).slice(0, -1)
  return encodeFrame(`{"id":${id},"${method}":${open},"publications":[${list}]}}`)
}
