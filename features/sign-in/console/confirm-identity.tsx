import { type FormEvent, useState } from 'react'
import { useOneAction } from '#web/lib/one-action.ts'
import { useStore } from '#web/lib/store.ts'
import { confirmationStore, consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { CodeField } from './code-field.tsx'
import { confirmIdentity } from './console-sign-in.data.ts'

/** A confirmed call waits behind this dialog, and goes on once the code is right. */
export function ConfirmIdentity() {
  const waiting = useStore(confirmationStore)
  return (
    <Dialog open={waiting !== null} onClose={() => waiting?.done(false)} title="Confirm that it is you">
      {waiting && <CodeForm onDone={waiting.done} />}
    </Dialog>
  )
}

function CodeForm({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { running, run } = useOneAction<'confirm'>()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('confirm', async () => {
      setError(undefined)
      if (!code.trim()) return setError('Enter the code.')
      try {
        await confirmIdentity(code)
        onDone(true)
      } catch (failure) {
        setError(consoleSentence(failure))
      }
    })
  }
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
      <p>Enter the code that your authenticator app shows. It is valid for ten minutes.</p>
      <CodeField value={code} onChange={setCode} error={error} />
      <div className="console-end">
        <Button variant="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
        <Button type="submit" busy={running !== null}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
