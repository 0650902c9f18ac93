import { kept, lateNotice } from '../lib/tab-state.ts'
import { toast } from '../ui/toast.tsx'

/** Stays until it is dismissed, although the notice of the end loads the page anew. */
export function noticeKept() {
  toast('Added to the record of the event.', {
    variant: 'success',
    slot: 'kept',
    lasts: true,
    onDismiss: () => kept.set(lateNotice, undefined),
  })
}
