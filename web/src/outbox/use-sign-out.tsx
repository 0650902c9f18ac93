import { useState } from 'react'
import { useOneAction } from '../lib/one-action.ts'
import { signOut } from '../session/sign-out.ts'
import { ConfirmDialog } from '../ui/popups/confirm-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { pendingCountStore } from './pending-count.ts'
import { rejectedCountStore } from './rejected-count.ts'
import { LogoutOnceSent, UnsentRecords } from './unsent-records.tsx'

/** For buttons that sign out. Asks first if a safety record is pending or rejected. Render `check` beside the button. */
export function useSignOut(onRefused?: () => void) {
  const { running, run } = useOneAction<'sign-out'>()
  const [asking, setAsking] = useState(false)
  const isLeaving = running !== null

  const leave = () =>
    run('sign-out', async () => {
      const refusal = await signOut()
      if (refusal === null) return
      setAsking(false)
      onRefused?.()
      toast(refusal, { variant: 'danger' })
    })
  const start = () => (pendingCountStore.get() + rejectedCountStore.get() > 0 ? setAsking(true) : void leave())

  const check = (
    <ConfirmDialog
      open={asking}
      title="Not everything is recorded"
      confirm="Logout"
      busy={isLeaving}
      onConfirm={leave}
      onCancel={() => setAsking(false)}
      instead={<LogoutOnceSent onSent={leave} />}
    >
      <UnsentRecords />
    </ConfirmDialog>
  )
  return { isLeaving, start, check }
}
