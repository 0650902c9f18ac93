import { type Static, Type } from 'typebox'

/** Every refusal the server can answer with, and the HTTP status it travels under (AMB-147). */
export const errorStatus = {
  malformed_request: 400,
  invalid_credentials: 400,
  not_signed_in: 401,
  forbidden: 403,
  unauthorized_access: 403,
  not_found: 404,
  no_event: 409,
  not_on_duty: 409,
  on_duty: 409,
  invalid_transition: 409,
  idempotency_conflict: 409,
  sms_not_allowed: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_request: 422,
  too_many_attempts: 429,
  too_many_requests: 429,
  server_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus
export const errorCodes = Object.keys(errorStatus) as ErrorCode[]

/** Envelope of every error answer (API-72). `fields` names the parts of the input that were turned down. */
export type ErrorBody = Static<typeof ErrorBody>
export const ErrorBody = Type.Object({
  error: Type.Enum(errorCodes),
  message: Type.String(),
  fields: Type.Optional(Type.Array(Type.String())),
  /** Only where a request for a sign-in link is refused: the shape its other answers have (AMB-032). */
  mobile: Type.Optional(Type.Literal('invalid')),
  popup_text: Type.Optional(Type.String()),
})
