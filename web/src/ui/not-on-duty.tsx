import { ApiError } from '@evac/contract/client.ts'
import { sentenceFor } from '../lib/messages.ts'
import { Notice } from './notice.tsx'

/** AMB-149: who is not on duty is shown no event though one may run, and must not take that for the all-clear. */
export function NotOnDuty({ reason }: { reason: string | undefined }) {
  if (reason !== 'not_on_duty') return null
  return <Notice variant="warning">{sentenceFor(new ApiError(reason, ''))}</Notice>
}
