import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { waitingCountStore } from '../lib/waiting-count.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

const counted = (count: number) =>
  count === 1 ? '1 safety record waits to be sent.' : `${count} safety records wait to be sent.`

/** Before a sign-out: what would stay behind on this phone, and a way to leave as soon as it has been sent. */
export function UnsentRecords({ onSent }: { onSent: () => void }) {
  const count = useStore(waitingCountStore)
  const [waits, setWaits] = useState(false)

  useEffect(() => {
    if (!waits || count > 0) return
    setWaits(false)
    onSent()
  }, [waits, count, onSent])

  if (count === 0) return null
  return (
    <div className="mt-3 grid gap-3">
      <Notice variant="warning">
        {counted(count)} Nobody else can see {count === 1 ? 'it' : 'them'} yet, and none is sent while you are signed
        out.
      </Notice>
      <Button icon={Send} busy={waits} block onClick={() => setWaits(true)}>
        {waits ? 'Waiting for signal...' : 'Logout once sent'}
      </Button>
    </div>
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
