import type { Message, SendReply } from '@evac/contract/calls/messaging.ts'
import { ApiError } from '@evac/contract/client/client.ts'
import { limits } from '@evac/contract/limits.ts'
import { idempotencyKeyHeader } from '@evac/contract/write-headers.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { newKey } from '../../../lib/new-key.ts'
import { toast } from '../../../ui/toast.tsx'

const briefly = { variant: 'danger', delay: limits.messageToast } as const

export interface Outgoing {
  text: string
  automatedResponse: 0 | 1
}
type Extras = { headers: Record<string, string> }
export const wordsOf = ({ text }: Outgoing) => text

/** UX-04: nothing was sent, because the audience is no longer of the size that was shown. */
export const isOtherAudience = (error: unknown) => error instanceof ApiError && error.code === 'audience_changed'

/**
 * A press of Send. What is the same (`what`) keeps its key and its request until it is sent: when only the answer was lost,
 * the next press brings that answer instead of sending twice.
 */
export function useKeyedSend<Sent, Reply>(
  what: (sent: Sent) => string,
  send: (sent: Sent, extras: Extras) => Promise<Reply>,
) {
  const attempt = useRef<{ what: string; key: string; sent: Sent } | null>(null)
  return useMutation({
    mutationFn: (sent: Sent) => {
      if (attempt.current?.what !== what(sent)) attempt.current = { what: what(sent), key: newKey(), sent }
      return send(attempt.current.sent, { headers: { [idempotencyKeyHeader]: attempt.current.key } })
    },
    onError: (error) => {
      if (isOtherAudience(error)) attempt.current = null
    },
    onSuccess: () => {
      attempt.current = null
    },
  })
}

/** MSG-23..27: into one thread. */
export function useSendToThread(
  send: (outgoing: Outgoing, extras: Extras) => Promise<SendReply>,
  onSent: (messages: readonly Message[]) => void,
) {
  const { mutateAsync, isPending } = useKeyedSend(wordsOf, send)
  const onSend = async (text: string, automatedResponse: 0 | 1): Promise<boolean> => {
    try {
      const reply = await mutateAsync({ text, automatedResponse })
      if (reply.status === 'message_sent') onSent(reply.newMessages)
      else toast(reply.message, briefly)
      return reply.status === 'message_sent'
    } catch {
      toast('Error while sending message. Please refresh.', briefly)
      return false
    }
  }
  return { onSend, busy: isPending }
}
