import { Ban, CircleAlert, CircleCheck, CircleQuestionMark, type LucideIcon, UserX } from 'lucide-react'
import { type Attendance, eachStatus, type SafetyStatus, safetyLabel } from '#kernel/vocabulary.ts'
import { attendanceLabel } from '#kernel/words.ts'

export type Status = SafetyStatus | Attendance

interface StatusLook {
  icon: LucideIcon
  /** Fill and text, for badges and wide status buttons. */
  className: string
  /** The 8 px edge of a card, for scanning a list. */
  edge: string
  /** The fill alone, for bars. */
  fill: string
  /** An icon on the card itself. */
  ink: string
}

const good = {
  className: 'bg-safe text-on-safe',
  edge: 'border-l-8 border-l-safe',
  fill: 'bg-safe',
  ink: 'text-safe',
}
const open = {
  className: 'bg-unknown text-on-unknown',
  edge: 'border-l-8 border-l-unknown',
  fill: 'bg-unknown',
  ink: 'text-warning-ink',
}
const bad = {
  className: 'bg-danger text-on-danger',
  edge: 'border-l-8 border-l-danger',
  fill: 'bg-danger',
  ink: 'text-danger-ink',
}

/** Colour and icon of each status; the word is the third sign. Off duty and not available are red too, so each has an icon of its own. */
export const statusLook: Record<Status, StatusLook> = {
  safe: { icon: CircleCheck, ...good },
  unknown: { icon: CircleQuestionMark, ...open },
  danger: { icon: CircleAlert, ...bad },
  on_duty: { icon: CircleCheck, ...good },
  off_duty: { icon: UserX, ...bad },
  not_available: { icon: Ban, ...bad },
}

/** The word of each status outside the floor screens. */
export const statusWord: Record<Status, string> = {
  ...attendanceLabel,
  ...eachStatus((status) => safetyLabel(status, false)),
}
