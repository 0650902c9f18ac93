import { ApiError } from '#kernel/client/client.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { CouldNotLoad } from '#web/live/could-not-load.tsx'
import { NotOnDuty } from '#web/ui/not-on-duty.tsx'
import { Notice } from '#web/ui/notice.tsx'

export const Nothing = () => <p className="py-6 text-center text-muted">Nothing here.</p>

interface ReadProps {
  read: { isError: boolean; isFetching: boolean; error: unknown; refetch: () => unknown }
}

/** A failed read keeps the list before it. Without an event, or a floor that has left it, there is nothing to try again. */
export function NotRead({ read }: ReadProps) {
  const { isError, error } = read
  if (!isError) return null
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_on_duty') return <NotOnDuty reason={code} />
  if (code === 'no_event') return <p className="py-8 text-center text-lg text-muted">{sentenceFor(error)}</p>
  if (code === 'not_found') return <Notice variant="warning">This floor has left the event.</Notice>
  return <CouldNotLoad read={read} />
}
