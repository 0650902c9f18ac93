import { useEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../../lib/store.ts'
import type { OutboxRecord } from '../../outbox/core/safety-record.ts'
import { outbox } from '../../outbox/outbox.ts'
import { isSaved } from '../../outbox/outbox-storage.ts'
import { pendingCountStore, rejectedCountStore } from '../../outbox/record-counts.ts'
import { RejectedRecords, reasonOf, rejectedText } from '../../outbox/rejected-records.tsx'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { findPage } from '../../pages/find-page.ts'
import { toast } from '../../ui/toast.tsx'

/**
 * Sends pending records on every page, and counts them for the live bar and the sign-out. Rejected records stay visible on
 * every page, because the end of an event leads away from the list where they were recorded.
 */
export function PendingRecords() {
  const { pending, rejected } = useOutbox()
  const pathname = usePathname()
  useAnnounce(rejected)
  useHoldPage()
  useEffect(() => {
    rejectedCountStore.set(rejected.length)
    pendingCountStore.set(pending.length)
  }, [pending, rejected])
  if (findPage(pathname)?.showsRecords) return null
  return (
    // In the flow, so that the page can be scrolled past it to the buttons of a message box.
    <div className="column sticky bottom-2 z-10">
      <RejectedRecords records={rejected} />
    </div>
  )
}

/** The browser asks before it closes a page with records that the phone could not store. */
function useHoldPage() {
  const isUnsaved = useStore(outbox.records).some((record) => !isSaved(record))
  useEffect(() => {
    if (!isUnsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isUnsaved])
}

/** Announces each rejected record once, above the toast that offers to undo the tap. */
function useAnnounce(records: readonly OutboxRecord[]) {
  const known = useRef(new Set<number>())
  useEffect(() => {
    const [first, ...more] = records.filter(({ seq }) => !known.current.has(seq))
    known.current = new Set(records.map(({ seq }) => seq))
    if (!first) return
    const text = more.length ? rejectedText(more.length + 1) : `${first.about.name}: ${reasonOf(first.setback)}`
    toast(text, { variant: 'danger' })
  }, [records])
}
