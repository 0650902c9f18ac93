import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { LogoutOnceSent, UnsentRecords } from '../../outbox/unsent-records.tsx'
import { signOut } from '../../session/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/popups/confirm-dialog.tsx'
import { toast } from '../../ui/toast.tsx'

/** MENU-11..15, SESSION-16..19. */
export function GoOffDuty() {
  const [asking, setAsking] = useState(false)
  const [leaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    const refusal = await signOut()
    setLeaving(false)
    if (refusal === null) return
    setAsking(false)
    toast(refusal, { variant: 'danger' })
  }

  return (
    <>
      <Button variant="red" icon={LogOut} block onClick={() => setAsking(true)}>
        Go Off Duty
      </Button>
      <ConfirmDialog
        open={asking}
        title="Go Off Duty?"
        confirm="Logout"
        busy={leaving}
        onConfirm={leave}
        onCancel={() => setAsking(false)}
        instead={<LogoutOnceSent onSent={leave} />}
      >
        You will be reported as Off Duty and signed out of the current event. You can sign in again if necessary.
        <UnsentRecords />
      </ConfirmDialog>
    </>
  )
}
