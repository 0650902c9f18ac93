import { type ErrorBody, type ErrorCode, errorStatus } from '@evac/contract/errors.ts'

/** The default sentence of each refusal. The browser shows its own sentences; these are for other callers. */
export const sentence: Record<ErrorCode, string> = {
  malformed_request: 'The request could not be read.',
  invalid_credentials: 'Incorrect email / username and password.',
  not_signed_in: 'Please sign in.',
  forbidden: 'Your role does not allow this.',
  unauthorized_access: 'All Wardens is only available to authorised Wardens.',
  not_found: 'Not found.',
  no_event: 'No Current Events',
  not_on_duty: 'You are not on duty in this event.',
  on_duty: 'You are on duty in an active event. Go off duty first.',
  invalid_transition: 'This assignment can no longer be changed that way.',
  idempotency_conflict: 'This idempotency key was used for another request.',
  sms_not_allowed: 'ALL WARDENS SMS messaging is not activated.',
  body_too_large: 'The request is larger than any of this call.',
  unsupported_media_type: 'Send JSON.',
  invalid_request: 'The request is not valid.',
  too_many_attempts: 'Too many failed attempts. Try again later.',
  too_many_requests: 'Too many requests. Try again in a minute.',
  server_error: 'Something went wrong on our side.',
  unavailable: 'The service is not ready. Try again.',
}

/** A request that a domain rule rejects. Any other exception is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: readonly string[] | undefined
  /** Further fields of the reply, where the call's contract requires them even in an error. */
  readonly extra: Partial<ErrorBody> | undefined
  constructor(
    code: ErrorCode,
    message: string = sentence[code],
    fields?: readonly string[],
    extra?: Partial<ErrorBody>,
  ) {
    super(message)
    this.code = code
    this.status = errorStatus[code]
    this.fields = fields
    this.extra = extra
  }
}
