import type { ErrorBody, ErrorCode } from '@evac/contract/errors.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from './db.ts'
import { Refusal } from './errors.ts'

const byFastifyCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}
/** Text the database cannot hold: a zero byte, or something that is no uid after all. */
const unstorable = new Set(['22021', '22P05', '22P02'])
/** The database is away or going away: the caller should try again, nothing was lost. */
const away = /^(57P0|53300|08|ECONN|ENOENT|EPIPE)/

/** Every error answer is `{error, message}` (API-72). A refusal says why; a bug is logged once and says nothing. */
export function answerError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed')
  const body: ErrorBody = { ...refusal.extra, error: refusal.code, message: refusal.message }
  if (refusal.fields) body.fields = [...refusal.fields]
  return reply.code(refusal.status).header('cache-control', 'no-store').send(body)
}

function asRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (error.validation) {
    const fields = error.validation.map((problem) => `${error.validationContext}${problem.instancePath}`)
    return new Refusal('invalid_request', error.message, [...new Set(fields)])
  }
  const known = byFastifyCode[error.code]
  if (known) return new Refusal(known)
  if (unstorable.has(sqlState(error) ?? '')) return new Refusal('invalid_request')
  if (error.statusCode === 429) return new Refusal('too_many_requests')
  if (away.test(sqlState(error) ?? error.code ?? '') || error.message === 'timeout exceeded when trying to connect')
    return new Refusal('unavailable')
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal('malformed_request')
  return new Refusal('server_error')
}
