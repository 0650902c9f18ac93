import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useOneAction } from '../lib/one-action.ts'
import { consoleSentence } from '../session/console-session.ts'
import { ConfirmDialog } from '../ui/popups/confirm-dialog.tsx'
import { Failure } from './failure.tsx'
import { toastDone } from './toast-done.ts'

interface ConfirmActProps extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'confirm' | 'variant'> {
  open?: boolean
  act: () => Promise<unknown>
  /** What the toast says, unless the act says it itself. */
  done?: string
  /** What is read again afterwards, whether it worked or not. */
  again: readonly QueryKey[]
  onClose: () => void
  children: ReactNode
}

/** Asks before an act. Why it is refused stands below the question. */
export function ConfirmAct({ open = true, act, done, again, onClose, children, ...dialog }: ConfirmActProps) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'act'>()
  const close = () => {
    setError(null)
    onClose()
  }
  const handleConfirm = () =>
    void run('act', async () => {
      setError(null)
      try {
        await act()
        if (done) toastDone(done)
        close()
      } catch (failure) {
        setError(consoleSentence(failure))
      }
      await Promise.all(again.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    })
  return (
    <ConfirmDialog {...dialog} open={open} busy={running !== null} onConfirm={handleConfirm} onCancel={close}>
      {children}
      <Failure of={error} className="mt-3" />
    </ConfirmDialog>
  )
}
