import { segmentsOf } from '@evac/contract/sms-segments.ts'
import { SendHorizontal } from 'lucide-react'
import { formatCount } from '../../../lib/counts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/popups/dialog.tsx'
import type { Outgoing } from './use-send.ts'

/** UX-04: what a group is asked with before a message goes to it. */
export interface Question {
  count: number
  /** 'Text 68 people?' */
  title: string
  /** The audience in words. */
  audience: string
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

/** Rises from the bottom; Cancel has the focus, and the second tap of a double tap on Send hits nothing. */
export function ConfirmSend({ asked, bySms, onConfirm, onCancel }: ConfirmSendProps) {
  return (
    <Dialog kind="bottom" alert open={asked !== null} onClose={onCancel} title={asked?.question.title}>
      {asked && (
        <>
          <Summary asked={asked} bySms={bySms} />
          <div className="fade-above sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 bg-surface px-4 pt-1 pb-[max(1rem,env(safe-area-inset-bottom))]">
            <Button variant="quiet" data-autofocus className="min-h-15 grow" onClick={onCancel}>
              Cancel
            </Button>
            <Button icon={SendHorizontal} className="arming min-h-15 grow-[1.4]" onClick={() => onConfirm(asked)}>
              Send to {formatCount(asked.question.count)}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Summary({ asked: { text, automatedResponse, question, before }, bySms }: { asked: Asked; bySms: boolean }) {
  const facts = [
    bySms && `${segmentsOf(text).segments.length} SMS each`,
    automatedResponse === 1 && 'replies set the status, unverified',
  ].filter(Boolean)
  return (
    <>
      {before !== undefined && (
        <Notice variant="warning">
          Not sent: it was {formatCount(before)}, and is {formatCount(question.count)} now.
        </Notice>
      )}
      <p className="text-pretty text-muted">{question.audience}</p>
      <p className="rounded-xl bg-raised p-3 whitespace-pre-wrap wrap-anywhere">{text}</p>
      {facts.length > 0 && <p className="text-sm text-muted">{facts.join(' · ')}</p>}
    </>
  )
}
