import { sentenceFor } from '../lib/messages.ts'
import { Notice } from './notice.tsx'
import { TryAgain } from './try-again.tsx'

interface ReadFailedProps {
  error: Error
  onRetry: () => unknown
  busy: boolean
}

/** Stands where the data of a whole screen would, with the reason and a way on. */
export function ReadFailed({ error, onRetry, busy }: ReadFailedProps) {
  return (
    <>
      <Notice variant="danger">{sentenceFor(error)}</Notice>
      <TryAgain onPress={() => void onRetry()} busy={busy} />
    </>
  )
}
