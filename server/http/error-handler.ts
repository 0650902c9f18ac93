import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody, ErrorCode } from '#kernel/errors.ts'
import { isDatabaseAway, sqlState } from '../platform/db/db.ts'
import { Overload, Refusal, sentence } from '../platform/errors.ts'

const byFastifyCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}
/** Text that the database cannot store: a zero byte, or an invalid uid. */
const unstorable = new Set(['22021', '22P05', '22P02'])
/** Raised by `refuse_while_moving` of the database. */
const onTheMove = 'EVMOV'

/** A restarted database or a lost connection is usually back by then. */
const retryAfterSeconds = 2

/** Delay of each rejection above the rate limit. A client could retry immediate rejections just as fast. */
const refusalDelayMs = 200

/**
 * Sends every error as `{error, message}`. A refusal gives its reason. A bug is logged once and reveals
 * nothing.
 */
export async function answerError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = await noteError(error, request, reply)
  const body: ErrorBody = { ...refusal.extra, error: refusal.code, message: refusal.message }
  if (refusal.fields) body.fields = [...refusal.fields]
  return reply.code(refusal.status).header('cache-control', 'no-store').send(body)
}

/** What the error means for its caller. Logs a bug, and delays what is above a limit. */
export async function noteError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error)
  // the pulse check logs once that the database is away, so requests rejected for that are not logged
  if (refusal.status >= 500 && refusal !== error) request.log.error({ err: error }, 'Request failed')
  request.server.noteFailure(error)
  if (refusal.code === 'unavailable')
    reply.header('retry-after', refusal instanceof Overload ? refusal.retryAfterSeconds : retryAfterSeconds)
  if (refusal.code === 'too_many_requests') await delay(refusalDelayMs)
  return refusal
}

function asRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (error.validation) {
    const fields = error.validation.map((problem) => `${error.validationContext}${problem.instancePath}`)
    return new Refusal('invalid_request', error.message, [...new Set(fields)])
  }
  const known = byFastifyCode[error.code]
  if (known) return new Refusal(known)
  if (sqlState(error) === onTheMove)
    return new Refusal('unavailable', 'This organisation is moving. Try again in a few minutes.')
  if (unstorable.has(sqlState(error) ?? '')) return new Refusal('invalid_request')
  if (error.statusCode === 429) return new Refusal('too_many_requests')
  if (isDatabaseAway(error)) return new Refusal('unavailable')
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal('malformed_request')
  return new Refusal('server_error')
}

/** Errors of the HTTP parser, for requests that never became one. */
const byHttpCode: Record<string, [number, ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'malformed_request'],
  // a phone that lost its signal mid-request should retry
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'unavailable'],
}

/** For input that is not HTTP: writes the error to the connection and closes it. */
export function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, error] = byHttpCode[code ?? ''] ?? [400, 'malformed_request']
  const body = JSON.stringify({ error, message: sentence[error] } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
