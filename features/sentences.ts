import type { boardRefusals } from '#features/board/words.ts'
import type { commandRefusals } from '#features/command/words.ts'
import type { coverageRefusals } from '#features/coverage/words.ts'
import type { actionRefusals } from '#features/events/words.ts'
import type { recordRefusals } from '#features/records/words.ts'
import type { consoleRefusals } from '#kernel/console-words.ts'
import type { ErrorCode } from '#kernel/errors.ts'

/** Sentences of refusals that are the same for every caller. */
export const commonRefusals = {
  invalid_credentials: 'Incorrect email / username and password.',
  forbidden: 'Your role does not allow this.',
  unauthorized_access: 'All Wardens is only available to authorised Wardens.',
  no_event: 'No Current Events',
  sms_not_allowed: 'ALL WARDENS SMS messaging is not activated.',
  other_event: 'The event that is running is not the one shown. Refresh the page.',
} as const

type Common =
  | keyof typeof commonRefusals
  | keyof typeof consoleRefusals
  | keyof typeof recordRefusals
  | keyof typeof boardRefusals
  | keyof typeof commandRefusals
  | keyof typeof coverageRefusals
  | keyof typeof actionRefusals
/** Codes whose sentences differ between callers. */
export type OtherRefusals<More extends string = never> = Record<Exclude<ErrorCode, Common> | More, string>

/** The API's sentences. The browser has its own for wardens (`web/lib/refusal-sentences.ts`). */
export const apiRefusals: OtherRefusals = {
  malformed_request: 'The request could not be read.',
  not_signed_in: 'Please sign in.',
  not_found: 'Not found.',
  not_on_duty: 'You are not on duty in this event.',
  on_duty: 'You are on duty in an active event. Go off duty first.',
  invalid_transition: 'This assignment can no longer be changed that way.',
  audience_changed: 'The number of recipients has changed by more than 10%. Count again.',
  idempotency_conflict: 'This idempotency key was used for another request.',
  body_too_large: 'The request is too large for this call.',
  unsupported_media_type: 'Send JSON.',
  invalid_request: 'The request is not valid.',
  too_many_attempts: 'Too many failed attempts. Try again later.',
  too_many_requests: 'Too many requests. Try again in a minute.',
  server_error: 'Something went wrong on our side.',
  unavailable: 'The service is not ready. Try again.',
}
