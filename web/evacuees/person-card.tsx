import { Accessibility, ChevronDown, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { statusLook } from './status-look.ts'

interface PersonCardProps {
  name: string
  status: SafetyStatus
  /** What the screen calls that status. */
  word: string
  /** The status shown has not reached the server. */
  isPending: boolean
  onStatus: () => void
  onPeep?: (() => void) | undefined
  /** Below the name. */
  note?: ReactNode
  /** Beside the status button. */
  actions?: ReactNode
}

/** Name and plan above, the wide status button below: one job, one thumb. */
export function PersonCard({ name, status, word, isPending, onStatus, onPeep, note, actions }: PersonCardProps) {
  const { icon: Icon, className, edge } = statusLook[status]
  // A tick would say it is recorded; a clock says it is on its way.
  const Shown = isPending ? Clock : Icon
  return (
    <div className={`card py-2 ${edge}`}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="text-lg leading-snug font-bold">{name}</h3>
          {note}
        </div>
        {onPeep && (
          <button
            type="button"
            aria-label={`PEEP of ${name}`}
            aria-haspopup="dialog"
            className="btn -mt-1 -mr-1 min-h-12 shrink-0 border-line px-3 text-link"
            onClick={onPeep}
          >
            <Accessibility aria-hidden size={20} />
            PEEP
          </button>
        )}
      </div>
      <div className="mt-2 flex flex-wrap gap-2 max-[360px]:gap-1">
        <button
          type="button"
          aria-haspopup="dialog"
          data-status={status}
          className={`btn min-w-min grow basis-30 justify-start px-3 py-1 max-[360px]:gap-1 max-[360px]:px-2 text-left ${className} ${isPending ? 'pending' : ''}`}
          onClick={onStatus}
        >
          <Shown aria-hidden className="shrink-0" />
          <span className="min-w-0 flex-1">
            <span className="sr-only">{`${name}: `}</span>
            <span>{word}</span>
            {/* A line of its own within the height of the button: the card must not jump under the thumb. */}
            {isPending && <span className="block text-sm leading-4"> (waiting)</span>}
          </span>
          <ChevronDown aria-hidden className="shrink-0 max-[360px]:hidden" />
        </button>
        {actions}
      </div>
    </div>
  )
}
