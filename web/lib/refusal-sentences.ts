import { commonRefusals, type OtherRefusals } from '#features/sentences.ts'
import { ApiError } from '#kernel/client/client.ts'

/** What the browser says in other words than the API. A new code without a sentence does not compile. */
const forWardens: OtherRefusals<'unreachable'> = {
  malformed_request: 'Something in this form is not right. Please check it and try again.',
  not_signed_in: 'Your sign-in has ended. Please sign in again.',
  not_found: 'This is no longer available. Please refresh.',
  not_on_duty: 'You are not on duty in this event. Please report in first.',
  on_duty: 'You are on duty in this event. Use Go Off Duty first.',
  invalid_transition: 'This has changed in the meantime. Please refresh.',
  audience_changed: 'The number of people has changed. Please look again.',
  idempotency_conflict: 'This was sent before with other details. Please try again.',
  body_too_large: 'This is too long. Please shorten it.',
  unsupported_media_type: 'This could not be read. Please refresh the page.',
  invalid_request: 'Something in this form is not right. Please check it and try again.',
  too_many_attempts: 'Too many failed attempts. Please wait and try again.',
  too_many_requests: 'Too many requests. Please wait a moment and try again.',
  server_error: 'Something went wrong. Please try again.',
  unavailable: 'The service is busy. Please try again in a moment.',
  unreachable: 'No connection. Please check your signal and try again.',
}
/** What a warden reads for each refusal; a new code without a sentence does not compile. */
const sentences: Partial<Record<ApiError['code'], string>> = { ...commonRefusals, ...forWardens }

export function sentenceFor(error: unknown): string {
  return (error instanceof ApiError && sentences[error.code]) || forWardens.server_error
}
