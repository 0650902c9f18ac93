import { ApiError } from '@evac/contract/client/client.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useOneAction } from '../lib/one-action.ts'
import { consoleSentence } from '../session/console-session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/popups/dialog.tsx'
import { toastDone } from './toast-done.ts'

interface FormDialogProps {
  title: string
  /** Text of the main button. */
  action: string
  /** False while something that the server needs is not chosen. */
  isReady?: boolean
  /** What the toast says. */
  done: string | (() => string)
  /** Fields that show what the server says of them. */
  fields: readonly string[]
  onSave: () => Promise<unknown>
  onClose: () => void
  /** Gets the reason of a field that the server refuses. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode
}

/** ORG-32: a small form. What the server says of a field stands below it, everything else above the buttons. */
export function FormDialog({
  title,
  action,
  isReady = true,
  done,
  fields,
  onSave,
  onClose,
  children,
}: FormDialogProps) {
  const [failure, setFailure] = useState<unknown>(null)
  const { running, run } = useOneAction<'save'>()
  const reasonOf = (name: string) => {
    if (!(failure instanceof ApiError)) return undefined
    const problem = failure.problems.find(({ field }) => field === name)
    return problem?.message ?? (failure.fields.includes(name) ? consoleSentence(failure) : undefined)
  }
  const isTold = fields.some((name) => reasonOf(name) !== undefined)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('save', async () => {
      setFailure(null)
      try {
        await onSave()
        toastDone(typeof done === 'string' ? done : done())
        onClose()
      } catch (error) {
        setFailure(error)
      }
    })
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
        {children(reasonOf)}
        <div role="alert" className="empty:hidden">
          {failure !== null && !isTold && <Notice variant="danger">{consoleSentence(failure)}</Notice>}
        </div>
        <div className="console-end">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={running !== null} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
