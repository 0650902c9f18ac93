import { limits } from '@evac/contract/limits.ts'
import { useEffect, useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import { MessageBox, smsNotActivated } from './message-box.tsx'
import type { RecipientType } from './templates.data.ts'
import { type Outgoing, useKeyedSend, wordsOf } from './use-send.ts'

interface GroupMessageBoxProps {
  to: RecipientType
  disabled: boolean
  /** False: nothing can be sent, and the box says so (MSG-20). */
  smsAllowed: boolean
  bySms: boolean
  send: (
    outgoing: Outgoing,
    extras: { headers: Record<string, string> },
  ) => Promise<{ status: string; message?: string }>
}

const delay = limits.messageToast
const failure = 'Failed to send message'

/** EGRP-04..06, GRP-07, GRP-11..16: idle → sending → told. */
export function GroupMessageBox({ to, disabled, smsAllowed, bySms, send }: GroupMessageBoxProps) {
  const { mutateAsync, isPending } = useKeyedSend(wordsOf, send)
  const [isHeld, hold] = useHold()

  const onSend = async (text: string, automatedResponse: 0 | 1): Promise<boolean> => {
    try {
      const { status, message } = await mutateAsync({ text, automatedResponse })
      const isSent = status === 'message_sent'
      toast(message ?? failure, { variant: isSent ? 'success' : 'danger', delay })
      if (!isSent) hold()
      return isSent
    } catch {
      toast(failure, { variant: 'danger', delay })
      return false
    }
  }
  return (
    <MessageBox
      to={to}
      disabled={disabled || !smsAllowed}
      bySms={bySms}
      notice={smsAllowed ? undefined : smsNotActivated}
      busy={isPending || isHeld}
      onSend={onSend}
    />
  )
}

/** GRP-15, AMB-139: a success with another status leaves loading on, for as long as its toast stays. */
function useHold() {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setHeld(false), delay)
    return () => clearTimeout(timer)
  }, [isHeld])
  return [isHeld, () => setHeld(true)] as const
}
