import { Ban, CircleAlert, CircleCheck, Clock, Hourglass, type LucideIcon, Send, TimerOff } from 'lucide-react'
import type { TextState } from '#kernel/kinds.ts'

/** What each state is called, with a sign of its own. */
export const stateLook: Record<TextState, { icon: LucideIcon; word: string; ink: string }> = {
  queued: { icon: Clock, word: 'Waiting to be sent', ink: 'text-muted' },
  handed_over: { icon: Send, word: 'Sent, no receipt yet', ink: 'text-link' },
  delivered: { icon: CircleCheck, word: 'Delivered', ink: 'text-link' },
  unconfirmed: { icon: Hourglass, word: 'Not confirmed', ink: 'text-warning-ink' },
  failed: { icon: CircleAlert, word: 'Failed', ink: 'text-danger-ink' },
  expired: { icon: TimerOff, word: 'Too late to send', ink: 'text-danger-ink' },
  skipped: { icon: Ban, word: 'Not sent', ink: 'text-warning-ink' },
}
