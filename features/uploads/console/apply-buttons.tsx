import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { goodRowsOf, rowsOf } from './state-words.ts'
import { apply, drop, type Upload, uploadQuery } from './uploads.data.ts'

/** Applying what is shown, or giving it up. */
export function ApplyButtons({ upload }: { upload: Upload }) {
  const { uid, must_type, may_apply, bad_rows } = upload
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
        toastFailure(error)
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
          onClick={() =>
            must_type === null && bad_rows === 0 ? handle('apply', () => apply(upload, null)) : setIsAsking(true)
          }
        >
          {actionOf(upload)}
        </Button>
      )}
      {isAsking && (
        <BeforeApplying
          upload={upload}
          onClose={() => setIsAsking(false)}
          onApply={async (ends) => {
            await apply(upload, ends)
            await read()
          }}
        />
      )}
    </div>
  )
}

interface BeforeApplyingProps {
  upload: Upload
  onClose: () => void
  onApply: (ends: number | null) => Promise<void>
}

/** Says which rows are left out, and has the number of many ends typed. */
function BeforeApplying({ upload, onClose, onApply }: BeforeApplyingProps) {
  const { ends, must_type, bad_rows, good_rows } = upload
  const [text, setText] = useState('')
  const { people, assignments } = ends
  return (
    <FormDialog
      title={bad_rows > 0 ? `Leave out ${rowsOf(bad_rows)}?` : 'End this many?'}
      action={actionOf(upload)}
      isReady={must_type === null || Number(text) === must_type}
      done="Being applied."
      fields={['ends']}
      onSave={() => onApply(must_type === null ? null : Number(text))}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {bad_rows > 0 && (
            <p>
              This brings in {goodRowsOf(good_rows)} and leaves out {rowsOf(bad_rows)}. For a week you can download the
              rows that are left out on this page, with what is wrong. Correct that file and upload it.
            </p>
          )}
          {must_type !== null && (
            <>
              <p>
                This ends {formatCount(people.number)} of {formatCount(people.of)} people and{' '}
                {formatCount(assignments.number)} of {formatCount(assignments.of)} assignments.
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
        </>
      )}
    </FormDialog>
  )
}

const actionOf = ({ bad_rows, good_rows }: Upload) => (bad_rows > 0 ? `Bring in the ${goodRowsOf(good_rows)}` : 'Apply')
