import { CircleCheck, CircleQuestionMark, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { checklistAnswers, observationTones } from '../../kinds.ts'

export type Tone = (typeof observationTones)[number]
export type Answer = (typeof checklistAnswers)[number]

interface Look {
  icon: LucideIcon
  ink: string
}

const toneLook: Record<Tone, Look> = {
  'Went well': { icon: CircleCheck, ink: 'text-safe' },
  'To improve': { icon: TriangleAlert, ink: 'text-warning-ink' },
  Note: { icon: Info, ink: 'text-link' },
}

const answerLook: Record<Answer, Look> = {
  Yes: { icon: CircleCheck, ink: 'text-safe' },
  No: { icon: CircleX, ink: 'text-danger-ink' },
  'Not seen': { icon: CircleQuestionMark, ink: 'text-muted' },
}

/** What someone saw. */
export function Seen({ body, where }: { body: { tone: Tone; text: string }; where: string | undefined }) {
  const { icon: Icon, ink } = toneLook[body.tone]
  return (
    <>
      <p className="flex items-center gap-1.5 font-semibold">
        <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
        {body.tone}
        {where && `, ${where}`}
      </p>
      <p className="rec-words">{body.text}</p>
    </>
  )
}

/** What someone answered to an item of the checklist. */
export function Given({ body }: { body: { answer: Answer; note?: string } }) {
  const { icon: Icon, ink } = answerLook[body.answer]
  return (
    <p className="flex items-center gap-1.5">
      <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
      <strong>{body.answer}</strong>
      {body.note && <span className="min-w-0 wrap-anywhere">{body.note}</span>}
    </p>
  )
}
