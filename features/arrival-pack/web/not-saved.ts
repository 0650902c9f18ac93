import { recordRefusals } from '#features/records/words.ts'
import { ApiError } from '#kernel/client/client.ts'

/** And the server's own words where they say what to do first. */
export function notSaved(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Not saved. Try again.'
  if (error.code === 'too_many_links') return recordRefusals.too_many_links
  return ['invalid_transition', 'invalid_request'].includes(error.code) ? error.message : 'Not saved. Try again.'
}
