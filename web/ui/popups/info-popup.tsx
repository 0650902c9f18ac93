import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

interface InfoPopupProps {
  open: boolean
  title: string
  children: ReactNode
  onClose: () => void
  button?: string
}

export function InfoPopup({ open, title, children, onClose, button = 'Ok' }: InfoPopupProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} alert>
      <div className="text-lg">{children}</div>
      <DialogFoot>
        <Button block data-autofocus onClick={onClose}>
          {button}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
