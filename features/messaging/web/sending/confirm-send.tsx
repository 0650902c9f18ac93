import { formatCount } from '#web/lib/counts.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmSheet } from '#web/ui/popups/confirm-sheet.tsx'
import { useSmsCount } from './sms-count.ts'
import type { Outgoing } from './use-send.ts'

/** What a group is asked with before a message goes to it. */
export interface Question {
  count: number
  /** 'Text 68 people?' */
  title: string
  /** The audience in words. */
  audience: string
  /** Who of the people counted on the page before gets no text, in words. */
  left?: string
}
export interface Asked extends Outgoing {
  question: Question
  /** The number of the first question, when the answer to it came too late. */
  before?: number
}

interface ConfirmSendProps {
  asked: Asked | null
  bySms: boolean
  onConfirm: (asked: Asked) => void
  onCancel: () => void
}

export function ConfirmSend({ asked, bySms, onConfirm, onCancel }: ConfirmSendProps) {
  return (
    <ConfirmSheet
      open={asked !== null}
      title={asked?.question.title}
      confirm={`Send to ${asked ? formatCount(asked.question.count) : ''}`}
      onConfirm={() => asked && onConfirm(asked)}
      onCancel={onCancel}
    >
      {asked && <Summary asked={asked} bySms={bySms} />}
    </ConfirmSheet>
  )
}

function Summary({ asked: { text, automatedResponse, question, before }, bySms }: { asked: Asked; bySms: boolean }) {
  const count = useSmsCount(text)
  const facts = [bySms && `${count} SMS each`, automatedResponse === 1 && 'replies set the status, unverified'].filter(
    Boolean,
  )
  return (
    <>
      {before !== undefined && (
        <Notice variant="warning">
          Not sent: it was {formatCount(before)}, and is {formatCount(question.count)} now.
        </Notice>
      )}
      <p className="text-pretty text-muted">{question.audience}</p>
      {question.left && <p className="text-pretty font-semibold">{question.left}</p>}
      <p className="rounded-xl bg-raised p-3 whitespace-pre-wrap wrap-anywhere">{text}</p>
      {facts.length > 0 && <p className="text-sm text-muted">{facts.join(' · ')}</p>}
    </>
  )
}
