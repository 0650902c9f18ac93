import { useState } from 'react'
import { useOneAction } from '../lib/one-action.ts'
import { signOut } from '../session/sign-out.ts'
import { ConfirmDialog } from '../ui/popups/confirm-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { setBackCountStore } from './set-back-count.ts'
import { LogoutOnceSent, UnsentRecords } from './unsent-records.tsx'
import { waitingCountStore } from './waiting-count.ts'

/** For the buttons that sign out at once: asks first while safety records wait, or were not taken. `check` is drawn beside them. */
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
  const start = () => (waitingCountStore.get() + setBackCountStore.get() > 0 ? setAsking(true) : void leave())

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
