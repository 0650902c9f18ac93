import { useState } from 'react'
import { useOneAction } from '../lib/one-action.ts'
import { signOut } from '../session/sign-out.ts'
import { getAuth } from '../session/stored-auth.ts'
import { ConfirmDialog } from '../ui/popups/confirm-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { pendingCountStore, rejectedCountStore } from './record-counts.ts'
import { LogoutOnceSent, UnsentRecords } from './unsent-records.tsx'

const questions = {
  'off-duty': {
    title: 'Go Off Duty?',
    text: 'You will be reported as Off Duty and signed out of the current event. You can sign in again if necessary.',
  },
  unsent: { title: 'Not everything is recorded', text: null },
}
type Question = keyof typeof questions

function questionToAsk(): Question | null {
  if (getAuth()?.on_duty) return 'off-duty'
  return pendingCountStore.get() + rejectedCountStore.get() > 0 ? 'unsent' : null
}

/**
 * For buttons that sign out. Asks first if the warden is on duty, or if a safety record is pending or rejected.
 * Render `check` beside the button.
 */
export function useSignOut(onRefused?: () => void) {
  const { running, run } = useOneAction<'sign-out'>()
  const [asked, setAsked] = useState<Question>('unsent')
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
  const start = () => {
    const question = questionToAsk()
    if (!question) return void leave()
    setAsked(question)
    setAsking(true)
  }

  const { title, text } = questions[asked]
  const check = (
    <ConfirmDialog
      open={asking}
      title={title}
      confirm="Logout"
      busy={isLeaving}
      onConfirm={leave}
      onCancel={() => setAsking(false)}
      instead={<LogoutOnceSent onSent={leave} />}
    >
      {text}
      <UnsentRecords />
    </ConfirmDialog>
  )
  return { isLeaving, start, check }
}
