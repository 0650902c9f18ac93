import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { countOf } from './state-words.ts'
import { apply, drop, type Upload, uploadQuery } from './uploads.data.ts'

/** Applying what is shown, or giving it up. Many ends ask for their number. */
export function ApplyButtons({ upload }: { upload: Upload }) {
  const { uid, must_type, may_apply } = upload
  const { running, run } = useOneAction<'apply' | 'drop'>()
  const [isAsking, setIsAsking] = useState(false)
  const client = useQueryClient()
  const read = () => client.invalidateQueries({ queryKey: uploadQuery(uid).queryKey })
  const handle = (name: 'apply' | 'drop', act: () => Promise<unknown>) =>
    void run(name, async () => {
      try {
        await act()
        await read()
      } catch (error) {
        toast(consoleSentence(error), { variant: 'danger' })
      }
    })
  const handleDrop = () =>
    handle('drop', async () => {
      await drop(uid)
      navigate('/console/tables')
    })
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="outline" busy={running === 'drop'} onClick={handleDrop}>
        Discard
      </Button>
      {may_apply && (
        <Button
          busy={running === 'apply'}
          onClick={() => (must_type === null ? handle('apply', () => apply(uid, null)) : setIsAsking(true))}
        >
          Apply
        </Button>
      )}
      {isAsking && (
        <TypeEnds
          upload={upload}
          onClose={() => setIsAsking(false)}
          onApply={async (ends) => {
            await apply(uid, ends)
            await read()
          }}
        />
      )}
    </div>
  )
}

interface TypeEndsProps {
  upload: Upload
  onClose: () => void
  onApply: (ends: number) => Promise<void>
}

function TypeEnds({ upload: { ends, must_type }, onClose, onApply }: TypeEndsProps) {
  const [text, setText] = useState('')
  const { people, assignments } = ends
  return (
    <FormDialog
      title="End this many?"
      action="Apply"
      isReady={Number(text) === must_type}
      done="Being applied."
      fields={['ends']}
      onSave={() => onApply(Number(text))}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <p>
            This ends {countOf(people.number)} of {countOf(people.of)} people and {countOf(assignments.number)} of{' '}
            {countOf(assignments.of)} assignments.
          </p>
          <TextField
            label={`Type ${must_type} to continue`}
            inputMode="numeric"
            data-autofocus
            value={text}
            error={errorOf('ends')}
            onChange={setText}
          />
        </>
      )}
    </FormDialog>
  )
}
