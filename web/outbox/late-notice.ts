import { kept, lateNotice } from '../lib/tab-state.ts'
import { toast } from '../ui/toast.tsx'

/** AAR-22: stays until it is dismissed, although the notice of the end loads the page anew (RT-04). */
export function noticeKept() {
  toast('Kept in the record of the event.', {
    ...{ variant: 'success', slot: 'kept', lasts: true },
    onDismiss: () => kept.set(lateNotice, undefined),
  })
}
