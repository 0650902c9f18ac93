import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { blockingStore } from '../lib/event-notices.ts'
import { signOutRegardless } from '../lib/sign-out.ts'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogFoot } from '../ui/dialog.tsx'
import { KeptRecords } from '../ui/unsent-records.tsx'

const stay = () => undefined

/** RT-05, RT-06: only Logout leads out. */
export function BlockingPopup() {
  const message = useStore(blockingStore)
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOutRegardless()
  }
  return (
    <Dialog open={message !== null} onClose={stay} title="Notice" alert blocking>
      <p className="text-lg">{message}</p>
      <KeptRecords />
      <DialogFoot>
        <Button variant="red" icon={LogOut} busy={leaving} block data-autofocus onClick={leave}>
          Logout
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
