import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from '../button.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  /** A better alternative, above the other two buttons. */
  instead?: ReactNode
  confirm: string
  onConfirm: () => void
  onCancel: () => void
  variant?: ButtonVariant
  busy?: boolean
}

/** For irreversible actions. Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, instead, confirm, onConfirm, onCancel, variant = 'red', busy } = props
  return (
    <Dialog open={open} onClose={onCancel} title={title} alert>
      <div className="text-lg">{children}</div>
      <DialogFoot>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3">
          {instead && <div className="col-span-full empty:hidden">{instead}</div>}
          <Button variant={variant} busy={busy ?? false} onClick={onConfirm}>
            {confirm}
          </Button>
          <Button variant="quiet" data-autofocus onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </DialogFoot>
    </Dialog>
  )
}
