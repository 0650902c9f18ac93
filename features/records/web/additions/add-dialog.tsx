import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFoot } from '#web/ui/popups/dialog.tsx'

interface AddDialogProps {
  title: string
  /** Text of the main button. */
  action?: string
  busy: boolean
  /** Why it cannot be saved yet. Null: it can. */
  problem: string | null
  /** True if it was saved: the dialog closes. */
  onSave: () => Promise<boolean>
  onClose: () => void
  /** Gets what is missing, once saving was tried. */
  children: (problem: string | undefined) => ReactNode
}

/** A form for something that is added to a record. */
export function AddDialog({ title, action = 'Save', busy, problem, onSave, onClose, children }: AddDialogProps) {
  const [isTried, setTried] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem === null && !busy && (await onSave())) onClose()
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
        {children(isTried ? (problem ?? undefined) : undefined)}
        <DialogFoot>
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" className="flex-1" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" busy={busy} className="flex-1">
              {action}
            </Button>
          </div>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
