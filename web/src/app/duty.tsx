import { useEffect } from 'react'
import { forgetNotices } from '../session/event-notices.ts'
import { BlockingPopup } from './blocking-popup.tsx'
import { ConclusionNotice } from './conclusion-notice.tsx'
import { usePrefetch } from './prefetch.ts'
import { RealTime } from './real-time.tsx'
import type { ScreenTable } from './screen-table.tsx'
import { SideMenu } from './side-menu.tsx'
import { WaitingRecords } from './waiting-records.tsx'

/** What a signed-in warden needs around every page: menu, real-time feed and its notices, the outbox. In a chunk of its own, because the first sight of a page does without. */
export function Duty({ screens }: { screens: ScreenTable }) {
  usePrefetch(screens)
  useEffect(() => forgetNotices, [])
  return (
    <>
      <SideMenu screens={screens} />
      <RealTime />
      <WaitingRecords />
      <ConclusionNotice />
      <BlockingPopup />
    </>
  )
}
