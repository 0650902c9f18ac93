import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { isOtherAudience, useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import { smsNotActivated } from '../../words.ts'
import { Bubble, BubbleLine } from './bubble.tsx'
import { type Asked, ConfirmSend, type Question } from './confirm-send.tsx'
import { MessageBox } from './message-box.tsx'
import type { RecipientType } from './templates.data.ts'
import { type Outgoing, wordsOf } from './use-send.ts'

interface GroupMessageBoxProps {
  to: RecipientType
  disabled: boolean
  /** False: nothing can be sent, and the box says so. */
  smsAllowed: boolean
  bySms: boolean
  /** What is asked before it goes. Undefined while the audience is not known. */
  question: Question | undefined
  /** Reads the audience again, after it was found to be another. */
  askAnew?: () => Promise<Question | undefined>
  /** `count` is the number that was confirmed. */
  send: (
    outgoing: Outgoing & { count: number },
    extras: { headers: Record<string, string> },
  ) => Promise<{ status: string; message?: string }>
}

const delay = limits.messageToast
const failure = 'Failed to send message'
const fail = () => toast(failure, { variant: 'danger', delay })

/** Idle → asked → sending → told. */
export function GroupMessageBox({ to, disabled, smsAllowed, bySms, question, askAnew, send }: GroupMessageBoxProps) {
  const { mutateAsync, isPending } = useKeyedSend(wordsOf, send)
  const [isHeld, hold] = useHold()
  const { asked, ask, answer } = useAsked()
  const [sent, setSent] = useState<readonly Sent[]>([])
  /** What was confirmed and got no answer: sent again it is the same request, so it is asked with the same number. */
  const lost = useRef<Asked>(undefined)

  const deliver = async (confirmed: Asked): Promise<boolean> => {
    const { text, automatedResponse } = confirmed
    try {
      const { status, message } = await mutateAsync({ text, automatedResponse, count: confirmed.question.count })
      const isSent = status === 'message_sent'
      lost.current = undefined
      toast(message ?? failure, { variant: isSent ? 'success' : 'danger', delay })
      if (isSent) setSent((before) => [...before, { text, audience: confirmed.question.audience, at: new Date() }])
      else hold()
      return isSent
    } catch (error) {
      lost.current = isOtherAudience(error) ? undefined : confirmed
      const anew = isOtherAudience(error) ? await askAnew?.() : undefined
      if (anew && anew.count > 0) return begin({ ...confirmed, question: anew, before: confirmed.question.count })
      fail()
      return false
    }
  }
  const begin = async (start: Asked): Promise<boolean> => {
    const confirmed = await ask(start)
    return confirmed ? deliver(confirmed) : false
  }
  const onSend = async (text: string, automatedResponse: 0 | 1): Promise<boolean> => {
    if (lost.current?.text === text) return begin(lost.current)
    return question ? begin({ text, automatedResponse, question }) : false
  }
  return (
    <>
      <SentList sent={sent} />
      <MessageBox
        to={to}
        disabled={disabled || !smsAllowed}
        bySms={bySms}
        notice={smsAllowed ? undefined : smsNotActivated}
        busy={isPending || isHeld}
        onSend={onSend}
      />
      <ConfirmSend asked={asked} bySms={bySms} onConfirm={answer} onCancel={() => answer(null)} />
    </>
  )
}

interface Sent {
  text: string
  /** In words, as it was asked. */
  audience: string
  at: Date
}

/** Messages sent from this page. They stay when the toast has gone, so that no one in doubt sends one twice. */
function SentList({ sent }: { sent: readonly Sent[] }) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (sent.length > 0) list.current?.lastElementChild?.scrollIntoView({ block: 'center' })
  }, [sent.length])
  if (sent.length === 0) return null
  return (
    <ol ref={list} aria-label="Sent" className="grid grid-cols-1 gap-3">
      {sent.map(({ text, audience, at }) => (
        <Bubble key={at.getTime()} by="You" at={at} text={text} isOwn>
          <BubbleLine icon={Check} text={`Sent: ${audience}`} />
        </Bubble>
      ))}
    </ol>
  )
}

/** One question at a time; `ask` resolves with what was confirmed, or null. */
function useAsked() {
  const [asked, setAsked] = useState<Asked | null>(null)
  const resolve = useRef<(answer: Asked | null) => void>(undefined)
  const ask = (next: Asked) => {
    setAsked(next)
    return new Promise<Asked | null>((done) => {
      resolve.current = done
    })
  }
  const answer = (given: Asked | null) => {
    setAsked(null)
    resolve.current?.(given)
    resolve.current = undefined
  }
  return { asked, ask, answer }
}

/** A success with another status leaves loading on, for as long as its toast stays. */
function useHold() {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setHeld(false), delay)
    return () => clearTimeout(timer)
  }, [isHeld])
  return [isHeld, () => setHeld(true)] as const
}
