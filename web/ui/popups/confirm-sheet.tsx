import { SendHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmSheetProps {
  open: boolean
  title: ReactNode
  children: ReactNode
  confirm: string
  /** Something must be ticked first. */
  disabled?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * What goes to many people is asked for first. Rises from the bottom; Cancel has the focus, and the second tap of a
 * double tap hits nothing.
 */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { open, title, children, confirm, disabled = false, onConfirm, onCancel } = props
  return (
    <Dialog kind="bottom" alert open={open} onClose={onCancel} title={title}>
      {children}
      <div className="fade-above sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 bg-surface px-4 pt-1 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <Button variant="quiet" data-autofocus className="min-h-15 grow" onClick={onCancel}>
          Cancel
        </Button>
        <Button icon={SendHorizontal} disabled={disabled} className="arming min-h-15 grow-[1.4]" onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
