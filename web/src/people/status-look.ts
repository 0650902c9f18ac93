import type { Attendance, SafetyStatus } from '@evac/contract/vocabulary.ts'
import { Ban, CircleAlert, CircleCheck, CircleQuestionMark, type LucideIcon, UserX } from 'lucide-react'

export type Status = SafetyStatus | Attendance

interface StatusLook {
  icon: LucideIcon
  /** Fill and text, for badges and wide status buttons. */
  className: string
  /** The 8 px edge of a card, for scanning a list. */
  edge: string
}

const good = { className: 'bg-safe text-on-safe', edge: 'border-l-8 border-l-safe' }
const open = { className: 'bg-unknown text-on-unknown', edge: 'border-l-8 border-l-unknown' }
const bad = { className: 'bg-danger text-on-danger', edge: 'border-l-8 border-l-danger' }

/** Colour and icon of each status; the word is the third sign. Off duty and not available are red too, so each has an icon of its own. */
export const statusLook: Record<Status, StatusLook> = {
  safe: { icon: CircleCheck, ...good },
  unknown: { icon: CircleQuestionMark, ...open },
  danger: { icon: CircleAlert, ...bad },
  on_duty: { icon: CircleCheck, ...good },
  off_duty: { icon: UserX, ...bad },
  not_available: { icon: Ban, ...bad },
}
