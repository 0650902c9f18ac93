import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

export type AlertVariant = 'error' | 'warn' | 'success'
export interface AlertText {
  variant: AlertVariant
  text: string
}

/** Red, yellow, green, each with an icon and a word, never by colour alone. */
const looks = {
  error: { icon: CircleAlert, word: 'Error', className: 'bg-red text-on-red' },
  warn: { icon: TriangleAlert, word: 'Warning', className: 'bg-yellow text-on-yellow' },
  success: { icon: CircleCheck, word: 'Success', className: 'bg-green text-on-green' },
}

interface AlertModalProps {
  /** The alert to show. Null closes it. */
  alert: AlertText | null
  onClose: () => void
  /** Label of the button, 'OK' by default. May be a countdown. */
  button?: string
  /** While true nothing closes the alert (the lock of the mobile form). */
  locked?: boolean
}

/** The countdown on the disabled button must stay readable. */
const readableWhenLocked = 'tabular-nums disabled:opacity-100'

/** An alert of 377 by 304 px. */
export function AlertModal({ alert, onClose, button = 'OK', locked = false }: AlertModalProps) {
  const { icon: Icon, word, className } = looks[alert?.variant ?? 'error']
  return (
    <Dialog open={alert !== null} onClose={onClose} title={word} kind="alert" alert blocking={locked} hideHeading>
      <div
        data-variant={alert?.variant}
        className={`flex shrink-0 items-center gap-3 rounded-t-[calc(1rem-1px)] px-5 py-4 text-xl font-bold ${className}`}
      >
        <Icon aria-hidden size={28} className="shrink-0" />
        <span aria-hidden>{word}</span>
      </div>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard too
        tabIndex={0}
        className="grid min-h-0 flex-1 items-center overflow-y-auto px-5 pt-3 pb-4 text-lg leading-snug -outline-offset-3"
      >
        <p>{alert?.text}</p>
      </div>
      <div className="fade-above relative shrink-0 bg-surface p-4 pt-1.5">
        <Button variant="quiet" block data-autofocus disabled={locked} className={readableWhenLocked} onClick={onClose}>
          {button}
        </Button>
      </div>
    </Dialog>
  )
}
