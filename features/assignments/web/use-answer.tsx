import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import type { AssignmentUid } from '#kernel/ids.ts'
import { newKey } from '#web/lib/new-key.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { AlertModal } from '#web/ui/popups/alert-modal.tsx'
import type { AssignmentAnswer } from '../calls/assignments.ts'
import { sendAnswer } from './assignment.data.ts'

const texts: Record<AssignmentAnswer, string> = {
  Accepted: 'You have accepted the Warden assignment.',
  Declined: 'You have declined the Warden assignment.',
  Withdrawn: 'You have withdrawn from the Warden assignment.',
}

/** The assignment no longer is what this page shows. */
const hasChanged = (error: unknown) => error instanceof ApiError && error.code === 'invalid_transition'

/** Sends the warden's answer, says so, and leads back to the list. A failed call only stops the loader. */
export function useAnswer(assignment: AssignmentUid) {
  const queryClient = useQueryClient()
  const { running, run } = useOneAction<AssignmentAnswer>()
  const [done, setDone] = useState<AssignmentAnswer | null>(null)
  const keys = useRef(new Map<string, string>())
  const unheard = useRef<AssignmentAnswer>(undefined)

  /** One key per answer: pressed again after a lost reply, it hears that it was done. */
  const keyOf = (answer: string) => {
    const key = keys.current.get(answer) ?? newKey()
    keys.current.set(answer, key)
    return key
  }
  const send = (status: AssignmentAnswer, reason?: string) =>
    void run(status, async () => {
      const answer = { assignment, status, ...(reason !== undefined && { reason }) }
      const outcome = await sendAnswer(answer, keyOf(JSON.stringify(answer))).catch((error) => {
        if (hasChanged(error)) return 'changed'
        unheard.current = status
        throw error
      })
      // With another reason, say, it is another request: the answer of before has been taken, though no one heard.
      if (outcome !== 'changed' || unheard.current === status) setDone(status)
      else close()
    })
  const close = () => {
    // The list is read anew, however fresh it is.
    void queryClient.invalidateQueries({ queryKey: ['assignment'], refetchType: 'none' })
    navigate('/reportinlist', { replace: true })
  }

  const alert = done && ({ variant: 'success', text: texts[done] } as const)
  return { running, send, success: <AlertModal alert={alert} onClose={close} /> }
}
