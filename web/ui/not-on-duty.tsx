import { ApiError } from '#kernel/client/client.ts'
import { sentenceFor } from '../lib/refusal-sentences.ts'
import { Notice } from './notice.tsx'

/**
 * A warden who is not on duty sees no event even if one is running, and must not mistake that for the
 * all-clear.
 */
export function NotOnDuty({ reason }: { reason: string | undefined }) {
  if (reason !== 'not_on_duty') return null
  return <Notice variant="warning">{sentenceFor(new ApiError(reason, ''))}</Notice>
}
