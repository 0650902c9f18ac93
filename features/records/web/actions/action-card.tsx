import { CalendarClock, CircleAlert, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ShownAction } from '../parts/bodies.ts'
import { dueWords, isOverdue, stateLook } from './action-states.ts'

interface ActionCardProps {
  action: ShownAction
  /** Where it comes from. */
  from?: string
  onOpen: () => void
  children?: ReactNode
}

/** What is to be done, by whom and until when. A press opens its steps. */
export function ActionCard({ action, from, onOpen, children }: ActionCardProps) {
  const { no, what, why, priority, owner, state } = action
  const { icon: Icon, ink, word } = stateLook[state]
  const isLate = isOverdue(action)
  const Due = isLate ? CircleAlert : CalendarClock
  return (
    <div className={`card grid grid-cols-1 gap-1 ${isLate ? 'border-l-8 border-l-danger' : ''}`}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="flex items-center gap-1.5 font-semibold">
          <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
          {word}
        </span>
        {no !== null && <span>No. {no}</span>}
        <span>Priority {priority.toLowerCase()}</span>
        {from && <span className="text-muted">{from}</span>}
      </p>
      <button type="button" className="rec-open" aria-haspopup="dialog" onClick={onOpen}>
        {what}
      </button>
      <p className="rec-print text-lg font-bold">{what}</p>
      {why && <p className="rec-words">{why}</p>}
      <p className={`flex items-center gap-1.5 ${isLate ? 'font-semibold text-danger-ink' : ''}`}>
        <Due aria-hidden size={16} className="shrink-0" />
        {dueWords(action)}
      </p>
      <p className="flex items-center gap-1.5 text-muted">
        <UserRound aria-hidden size={16} className="shrink-0" />
        {owner.name}
        {action.mine && ' (you)'}
      </p>
      {children}
    </div>
  )
}
