import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordOf } from '#kernel/action-words.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { missingTypes, type TypeSet, typeSets, typeSetWords } from '../../type-sets.ts'
import { addTypeSet, eventTypesQuery } from './lists.data.ts'

const options = typeSets.map((value) => ({ value, label: typeSetWords[value] }))

/** Adds the event types of a kind of place. Those that the organisation has stay as they are. */
export function AddSet({ names }: { names: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        Add a set
      </Button>
      {isOpen && <SetDialog names={names} onClose={() => setOpen(false)} />}
    </>
  )
}

function SetDialog({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const client = useQueryClient()
  const [set, setSet] = useState<TypeSet | ''>('')
  const missing = set === '' ? [] : missingTypes(set, names)
  const save = async () => {
    if (set === '') return
    await addTypeSet(set)
    await client.invalidateQueries({ queryKey: eventTypesQuery.queryKey })
  }
  return (
    <FormDialog
      title="Add a set of event types"
      action={missing.length === 1 ? 'Add 1 event type' : `Add ${missing.length} event types`}
      isReady={missing.length > 0}
      done="Added."
      fields={[]}
      onSave={save}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField
            label="What kind of place is this?"
            placeholder="Choose"
            value={set}
            options={options}
            onChange={setSet}
          />
          {set !== '' && missing.length === 0 && <p>All event types of this set are there already.</p>}
          {missing.length > 0 && (
            <ul aria-label="Event types that are added" className="grid gap-1">
              {missing.map(({ type, action, where }) => (
                <li key={type}>
                  <b>{type}</b>: {wordOf(action)}
                  {where && `, ${where}`}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </FormDialog>
  )
}
