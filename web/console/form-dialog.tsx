import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { useOneAction } from '../lib/one-action.ts'
import { consoleSentence } from '../session/console-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/popups/dialog.tsx'
import { Failure } from './failure.tsx'
import { toastDone } from './toast-done.ts'

export interface FormDialogProps {
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
  /** A second button that saves and stays. `onSaved` clears the fields for the next one. */
  another?: { label: string; onSaved: () => void }
  onClose: () => void
  /** Gets the reason of a field that the server refuses. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode
}

/** A small form. What the server says of a field stands below it, everything else above the buttons. */
export function FormDialog({
  title,
  action,
  isReady = true,
  done,
  fields,
  onSave,
  another,
  onClose,
  children,
}: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const { running, run } = useOneAction<'save' | 'another'>()
  const reasonOf = (name: string) => {
    if (!(failure instanceof ApiError)) return undefined
    const problem = failure.problems.find(({ field }) => field === name)
    return problem?.message ?? (failure.fields.includes(name) ? consoleSentence(failure) : undefined)
  }
  const isTold = fields.some((name) => reasonOf(name) !== undefined)
  const save = (name: 'save' | 'another', onSaved: () => void) =>
    void run(name, async () => {
      setFailure(null)
      try {
        await onSave()
        toastDone(typeof done === 'string' ? done : done())
        onSaved()
      } catch (error) {
        setFailure(error)
      }
    })
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        ref={form}
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save('save', onClose)
        }}
      >
        {children(reasonOf)}
        <Failure of={failure === null || isTold ? null : consoleSentence(failure)} />
        <div className="console-end">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          {another && (
            <Button
              variant="outline"
              busy={running === 'another'}
              disabled={!isReady}
              onClick={() =>
                save('another', () => {
                  another.onSaved()
                  form.current?.querySelector('input')?.focus()
                })
              }
            >
              {another.label}
            </Button>
          )}
          <Button type="submit" busy={running === 'save'} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
