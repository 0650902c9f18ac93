import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { KeptRecords } from '../../outbox/unsent-records.tsx'
import { blockingStore } from '../../session/event-notices.ts'
import { signOutRegardless } from '../../session/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFoot } from '../../ui/popups/dialog.tsx'

const stay = () => undefined

/** Only Logout leads out. */
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
