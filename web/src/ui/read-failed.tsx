import { sentenceFor } from '../lib/messages.ts'
import { Notice } from './notice.tsx'
import { TryAgain } from './try-again.tsx'

interface ReadFailedProps {
  error: Error
  onRetry: () => unknown
  busy: boolean
}

/** Shown in place of a whole screen's data, with the reason and a retry button. */
export function ReadFailed({ error, onRetry, busy }: ReadFailedProps) {
  return (
    <>
      <Notice variant="danger">{sentenceFor(error)}</Notice>
      <TryAgain onPress={() => void onRetry()} busy={busy} />
    </>
  )
}
