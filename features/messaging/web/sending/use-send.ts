import * as limits from '#kernel/limits.ts'
import { type Extras, useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import type { Message, SendReply } from '../../calls/messaging.ts'

const briefly = { variant: 'danger', delay: limits.messageToast } as const

export interface Outgoing {
  text: string
  automatedResponse: 0 | 1
}
export const wordsOf = ({ text }: Outgoing) => text

/** Into one thread. */
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
