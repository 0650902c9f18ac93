import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment } from '#web/lib/time/server-clock.ts'

interface BubbleProps {
  by: string
  role?: string | undefined
  at: Date
  text: string
  /** The reader's own stand on the right. */
  isOwn: boolean
  bySms?: boolean | undefined
  /** Below the text: what became of it. */
  children: ReactNode
}

/** An entry in a list of messages: who, when, the text. */
export function Bubble({ by, role, at, text, isOwn, bySms, children }: BubbleProps) {
  return (
    <li
      data-own={isOwn}
      className={`max-w-[85%] min-w-0 rounded-2xl border border-hairline px-3 py-2 ${isOwn ? 'justify-self-end bg-raised' : 'justify-self-start bg-surface'}`}
    >
      <p className="text-sm text-muted">
        <span className="font-bold text-ink">{by}</span>
        {role !== undefined && ` · ${role}`}
        {' · '}
        <time dateTime={at.toISOString()} className="tabular-nums">
          {formatMoment(at)}
        </time>
        {bySms && ' · by SMS'}
      </p>
      <p className="whitespace-pre-wrap">{text}</p>
      {children}
    </li>
  )
}

interface BubbleLineProps {
  icon: LucideIcon
  text: string
  isBad?: boolean
}

/** What became of a message. */
export function BubbleLine({ icon: Icon, text, isBad = false }: BubbleLineProps) {
  return (
    <p className={`mt-1 flex items-start gap-1.5 text-sm ${isBad ? 'font-bold text-danger-ink' : 'text-muted'}`}>
      <Icon aria-hidden size={18} className="mt-px shrink-0" />
      {text}
    </p>
  )
}
