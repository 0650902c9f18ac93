import { useEffect } from 'react'
import { forgetNotices } from '../session/event-notices.ts'
import { SideMenu } from './menu/side-menu.tsx'
import { BlockingPopup } from './notices/blocking-popup.tsx'
import { ConclusionNotice } from './notices/conclusion-notice.tsx'
import { RealTime } from './notices/real-time.tsx'
import { WaitingRecords } from './notices/waiting-records.tsx'
import { usePrefetch } from './prefetch.ts'

/** What a signed-in warden needs around every page: menu, real-time feed and its notices, the outbox. In a chunk of its own, because the first sight of a page does without. */
export function Duty() {
  usePrefetch()
  useEffect(() => forgetNotices, [])
  return (
    <>
      <SideMenu />
      <RealTime />
      <WaitingRecords />
      <ConclusionNotice />
      <BlockingPopup />
    </>
  )
}
