import { CircleCheck, CircleQuestionMark, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { checklistAnswers, observationTones } from '../../kinds.ts'

export type Tone = (typeof observationTones)[number]
export type Answer = (typeof checklistAnswers)[number]

interface Look {
  icon: LucideIcon
  ink: string
}

export const toneLook: Record<Tone, Look> = {
  'Went well': { icon: CircleCheck, ink: 'text-safe' },
  'To improve': { icon: TriangleAlert, ink: 'text-warning-ink' },
  Note: { icon: Info, ink: 'text-link' },
}

export const answerLook: Record<Answer, Look> = {
  Yes: { icon: CircleCheck, ink: 'text-safe' },
  No: { icon: CircleX, ink: 'text-danger-ink' },
  'Not seen': { icon: CircleQuestionMark, ink: 'text-muted' },
}
