import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { pendingCountStore, rejectedCountStore } from './record-counts.ts'

const counted = (count: number) =>
  count === 1 ? '1 safety record waits to be sent.' : `${count} safety records wait to be sent.`

/** Shown before a sign-out: the records that would stay on this phone. */
export function UnsentRecords() {
  const count = useStore(pendingCountStore)
  const rejected = useStore(rejectedCountStore)
  if (count === 0 && rejected === 0) return null
  return (
    <div className="mt-3 grid gap-3">
      {rejected > 0 && (
        <Notice variant="danger">
          {rejected === 1 ? '1 record was' : `${rejected} records were`} not accepted. Press Cancel and open the red bar
          to see why.
        </Notice>
      )}
      {count > 0 && (
        <Notice variant="warning">
          {counted(count)} No one else can see {count === 1 ? 'it' : 'them'} yet, and nothing is sent while you are
          signed out.
        </Notice>
      )}
    </div>
  )
}

/** Signs out as soon as no record is pending. */
export function LogoutOnceSent({ onSent }: { onSent: () => void }) {
  const count = useStore(pendingCountStore)
  const rejected = useStore(rejectedCountStore)
  /** The number of rejected records when the button was pressed. A further one must be read before the sign-out. */
  const [known, setKnown] = useState<number | null>(null)

  useEffect(() => {
    if (known === null || count > 0) return
    setKnown(null)
    if (rejected <= known) onSent()
  }, [known, count, rejected, onSent])

  if (count === 0) return null
  return (
    <Button icon={Send} busy={known !== null} block onClick={() => setKnown(rejected)}>
      {known !== null ? 'Waiting for signal...' : 'Logout once sent'}
    </Button>
  )
}

/** Shown after a forced sign-out: the records that stay on this phone. */
export function KeptRecords() {
  const count = useStore(pendingCountStore)
  if (count === 0) return null
  const [they, them] = count === 1 ? ['It stays', 'it'] : ['They stay', 'them']
  return (
    <Notice variant="warning">
      {count === 1 ? '1 safety record was not sent.' : `${count} safety records were not sent.`} {they} on this phone,
      where no one else can see {them}: tell someone yourself.
    </Notice>
  )
}
