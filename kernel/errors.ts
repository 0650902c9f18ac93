import { type Static, Type } from 'typebox'

/** All refusals of the server with their HTTP status. */
export const errorStatus = {
  malformed_request: 400,
  invalid_credentials: 400,
  wrong_code: 400,
  not_signed_in: 401,
  forbidden: 403,
  unauthorized_access: 403,
  link_ended: 403,
  not_an_administrator: 403,
  confirm_identity: 403,
  beyond_reach: 403,
  use_link: 403,
  not_found: 404,
  no_event: 409,
  not_on_duty: 409,
  on_duty: 409,
  invalid_transition: 409,
  idempotency_conflict: 409,
  sms_not_allowed: 409,
  audience_changed: 409,
  other_event: 409,
  already_set_up: 409,
  last_administrator: 409,
  taken: 409,
  in_event: 409,
  in_use: 409,
  changed_since: 409,
  command_changed: 409,
  action_changed: 409,
  quiet_building: 409,
  floor_taken: 409,
  floor_covered: 409,
  already_offered: 409,
  record_not_ready: 409,
  record_changed: 409,
  busy: 409,
  elsewhere: 409,
  too_many_links: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_request: 422,
  too_many_attempts: 429,
  too_many_requests: 429,
  server_error: 500,
  unavailable: 503,
  pdf_unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus
export const errorCodes = Object.keys(errorStatus) as ErrorCode[]

/** The body of every error. `fields` names the rejected parts of the input. */
export type ErrorBody = Static<typeof ErrorBody>
export const ErrorBody = Type.Object({
  error: Type.Enum(errorCodes),
  message: Type.String(),
  fields: Type.Optional(Type.Array(Type.String())),
  /** Only for `in_use`: what still needs it, and how many of it. */
  uses: Type.Optional(Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() }))),
  /** Of a form of the console: the reason of each field, in the importer's words. `row` counts from 1. */
  problems: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), row: Type.Integer(), message: Type.String() })),
  ),
  /** Seconds, as in the header `Retry-After`: only for `unavailable` because too much was asked. */
  retry_after: Type.Optional(Type.Integer()),
  /** Only for `elsewhere`: where to go, without a path. */
  address: Type.Optional(Type.String()),
  /** Only for a refused request for a sign-in link, which has the same form as its other replies. */
  mobile: Type.Optional(Type.Literal('invalid')),
  popup_text: Type.Optional(Type.String()),
})
