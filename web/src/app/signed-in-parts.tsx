import { useEffect } from 'react'
import { forgetNotices } from '../session/event-notices.ts'
import { SideMenu } from './menu/side-menu.tsx'
import { BlockingPopup } from './notices/blocking-popup.tsx'
import { ConclusionNotice } from './notices/conclusion-notice.tsx'
import { DrillBar } from './notices/drill-bar.tsx'
import { PendingRecords } from './notices/pending-records.tsx'
import { RealTime } from './notices/real-time.tsx'
import { Vigil } from './notices/vigil.tsx'
import { useCloseByBack } from './place/close-by-back.ts'
import { useKeptScroll } from './place/kept-scroll.ts'
import { useUndoKeys } from './place/undo-keys.ts'
import { usePrefetch } from './prefetch.ts'

/** Menu, real-time feed, notices and outbox for every page of a signed-in warden. A separate chunk, not needed for the first paint. */
export function SignedInParts() {
  usePrefetch()
  useKeptScroll()
  useCloseByBack()
  useUndoKeys()
  useEffect(() => forgetNotices, [])
  return (
    <>
      <SideMenu />
      <RealTime />
      <Vigil />
      <PendingRecords />
      <DrillBar />
      <ConclusionNotice />
      <BlockingPopup />
    </>
  )
}
