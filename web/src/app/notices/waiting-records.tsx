import { useEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../../lib/store.ts'
import type { OutboxRecord } from '../../outbox/core/record.ts'
import { outbox } from '../../outbox/outbox.ts'
import { isKept } from '../../outbox/outbox-box.ts'
import { setBackCountStore } from '../../outbox/set-back-count.ts'
import { notTaken, reasonOf, SetBackRecords } from '../../outbox/set-back-records.tsx'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { waitingCountStore } from '../../outbox/waiting-count.ts'
import { findPage } from '../../pages/find-page.ts'
import { toast } from '../../ui/toast.tsx'

/**
 * Sends what waits on this phone, whichever page is open, and tells the bar and the ways out how much it is. What was
 * turned down stays in sight on every page: the end of an event leads away from the list it was noted on.
 */
export function WaitingRecords() {
  const { waiting, setBack } = useOutbox()
  const pathname = usePathname()
  useAnnounce(setBack)
  useHoldPage()
  useEffect(() => {
    setBackCountStore.set(setBack.length)
    waitingCountStore.set(waiting.length)
  }, [waiting, setBack])
  if (findPage(pathname)?.showsRecords) return null
  return (
    // In the flow, so that the page can be scrolled clear of it: a message box has its buttons there.
    <div className="column sticky bottom-2 z-10">
      <SetBackRecords records={setBack} />
    </div>
  )
}

/** F31: the browser asks before a page goes that holds what the phone could not write down. */
function useHoldPage() {
  const isUnkept = useStore(outbox.records).some((record) => !isKept(record))
  useEffect(() => {
    if (!isUnkept) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isUnkept])
}

/** Each said once, at once, above the toast that still offers to undo the tap. */
function useAnnounce(records: readonly OutboxRecord[]) {
  const known = useRef(new Set<number>())
  useEffect(() => {
    const [first, ...more] = records.filter(({ seq }) => !known.current.has(seq))
    known.current = new Set(records.map(({ seq }) => seq))
    if (!first) return
    const text = more.length ? notTaken(more.length + 1) : `${first.about.name}: ${reasonOf(first.setback)}`
    toast(text, { variant: 'danger' })
  }, [records])
}
