import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { setBackCountStore } from './set-back-count.ts'
import { waitingCountStore } from './waiting-count.ts'

const counted = (count: number) =>
  count === 1 ? '1 safety record waits to be sent.' : `${count} safety records wait to be sent.`

/** Before a sign-out: what would stay behind on this phone. */
export function UnsentRecords() {
  const count = useStore(waitingCountStore)
  const setBack = useStore(setBackCountStore)
  if (count === 0 && setBack === 0) return null
  return (
    <div className="mt-3 grid gap-3">
      {setBack > 0 && (
        <Notice variant="danger">
          {setBack === 1 ? '1 record was' : `${setBack} records were`} not taken. Press Cancel and open the red bar to
          see why.
        </Notice>
      )}
      {count > 0 && (
        <Notice variant="warning">
          {counted(count)} Nobody else can see {count === 1 ? 'it' : 'them'} yet, and none is sent while you are signed
          out.
        </Notice>
      )}
    </div>
  )
}

/** A way to leave as soon as what waits has been taken. */
export function LogoutOnceSent({ onSent }: { onSent: () => void }) {
  const count = useStore(waitingCountStore)
  const setBack = useStore(setBackCountStore)
  /** While it waits: how many the warden had been told were not taken. One more must be read before leaving. */
  const [known, setKnown] = useState<number | null>(null)

  useEffect(() => {
    if (known === null || count > 0) return
    setKnown(null)
    if (setBack <= known) onSent()
  }, [known, count, setBack, onSent])

  if (count === 0) return null
  return (
    <Button icon={Send} busy={known !== null} block onClick={() => setKnown(setBack)}>
      {known !== null ? 'Waiting for signal...' : 'Logout once sent'}
    </Button>
  )
}

/** Where the warden has no choice: what does not go with the sign-out. */
export function KeptRecords() {
  const count = useStore(waitingCountStore)
  if (count === 0) return null
  const [they, them] = count === 1 ? ['It stays', 'it'] : ['They stay', 'them']
  return (
    <Notice variant="warning">
      {count === 1 ? '1 safety record was not sent.' : `${count} safety records were not sent.`} {they} on this phone,
      where nobody else can see {them}: tell somebody yourself.
    </Notice>
  )
}
