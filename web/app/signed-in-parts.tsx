import '../evacuees/peep-popup.tsx'
import '../evacuees/search/fold-names.ts'
import '#features/evacuation/web/ask-status.tsx'
import { useEffect } from 'react'
import { CommandLine } from '#features/command/web/command-line.tsx'
import { CoverageNotices } from '#features/coverage/web/coverage-notices.tsx'
import { browser } from '../lib/browser.ts'
import { useStore } from '../lib/store.ts'
import { conclusionStore, forgetNotices } from '../session/event-notices.ts'
import { proveByTouch } from '../session/sign-in-link/touch.ts'
import { useAuth } from '../session/stored-auth.ts'
import { AlertModal } from '../ui/popups/alert-modal.tsx'
import { belowHeaderStore } from './menu/below-header.ts'
import { SideMenu } from './menu/side-menu.tsx'
import { UnreadBanner } from './menu/unread-banner.tsx'
import { BlockingPopup } from './notices/blocking-popup.tsx'
import { DrillBanner } from './notices/drill-banner.tsx'
import { EventSheets } from './notices/event-sheets.tsx'
import { MadeLive } from './notices/made-live.tsx'
import { Vigil } from './notices/on-duty-effects.tsx'
import { PendingRecords } from './notices/pending-records.tsx'
import { RealTime } from './notices/real-time.tsx'
import { Responding } from './notices/responding.tsx'
import { useCloseByBack } from './place/close-by-back.ts'
import { useKeptScroll } from './place/kept-scroll.ts'
import { useUndoKeys } from './place/undo-keys.ts'
import { usePrefetch } from './prefetch.ts'

/** In a drill the line stands in its bar. */
function BelowHeader() {
  const isDrill = useAuth()?.event_kind === 'drill'
  return (
    <>
      {!isDrill && <CommandLine className="column border-t border-hairline px-3 wide:max-w-none wide:px-6" />}
      <Responding />
      <UnreadBanner className="border-t-2" />
      <CoverageNotices />
    </>
  )
}

/** Menu, real-time feed, notices and outbox for every page of a signed-in warden. A separate chunk, not needed for the first paint. */
export function SignedInParts() {
  usePrefetch()
  useKeptScroll()
  useCloseByBack()
  useUndoKeys()
  useEffect(() => forgetNotices, [])
  useEffect(proveByTouch, [])
  useEffect(() => {
    belowHeaderStore.set(<BelowHeader />)
    return () => belowHeaderStore.set(null)
  }, [])
  return (
    <>
      <SideMenu />
      <RealTime />
      <Vigil />
      <PendingRecords />
      <DrillBar />
      <MadeLive />
      <EventSheets />
      <ConclusionNotice />
      <BlockingPopup />
    </>
  )
}

const notice = {
  variant: 'warn',
  text: 'The event has been concluded. All wardens will be signed out.',
} as const

/** The event has been concluded. Closing it reloads the report-in list. */
function ConclusionNotice() {
  const concluded = useStore(conclusionStore)
  return <AlertModal alert={concluded ? notice : null} onClose={() => browser.load('/reportinlist')} />
}

/** While a drill runs, on every page of everyone in it, with the line of who is in command. */
const DrillBar = () => (
  <DrillBanner isDrill={useAuth()?.event_kind === 'drill'}>
    <div aria-live="off" className="contents">
      <CommandLine className="drill-command" />
    </div>
  </DrillBanner>
)
