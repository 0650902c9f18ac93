import { browser } from '../../lib/browser.ts'
import { useStore } from '../../lib/store.ts'
import { conclusionStore } from '../../session/event-notices.ts'
import { AlertModal } from '../../ui/popups/alert-modal.tsx'

const notice = {
  variant: 'warn',
  text: 'The event has been concluded. All wardens will be signed out.',
} as const

/** The event has been concluded. Closing it reloads the report-in list. */
export function ConclusionNotice() {
  const concluded = useStore(conclusionStore)
  return <AlertModal alert={concluded ? notice : null} onClose={() => browser.load('/reportinlist')} />
}
