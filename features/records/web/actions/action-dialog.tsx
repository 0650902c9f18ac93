import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { nameOf, useAuth, useStoredProfile } from '#web/session/stored-auth.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { ActionOwner } from '../../calls/additions.ts'
import { actionPriorities } from '../../kinds.ts'
import type { Addition, Body } from '../../standing.ts'
import { isoDayAt } from '../../times.ts'
import { AddDialog } from '../additions/add-dialog.tsx'
import { useAddition } from '../parts/records.data.ts'
import { OwnerSearch } from './owner-search.tsx'

const priorities = actionPriorities.map((priority) => ({ value: priority, label: priority }))
const owners = [
  { value: 'me', label: 'Me' },
  { value: 'person', label: 'A person' },
  { value: 'other', label: 'A name' },
] as const

interface ActionDialogProps {
  event: EventUid
  /** The zone of the site, whose day today is. */
  timezone: string
  observations: readonly Addition<'observation'>[]
  onClose: () => void
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** The form's values, and what it adds. */
function useActionForm(timezone: string) {
  const me = useAuth()?.Person_UID
  const profile = useStoredProfile()
  const [form, setForm] = useState({
    what: '',
    why: '',
    priority: 'Medium' as Body<'action'>['priority'],
    owner: 'me' as (typeof owners)[number]['value'],
    person: null as ActionOwner | null,
    name: '',
    due: '',
    from: 'none',
  })
  const set = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }))
  const { what, why, name, due } = form
  const myName = profile ? nameOf(profile) : 'Me'
  const chosen = {
    me: me ? { person: me, name: myName } : { name: myName },
    person: form.person ? { person: form.person.person, name: form.person.name.slice(0, 120) } : { name: '' },
    other: { name: name.trim() },
  }
  const body: Body<'action'> = {
    what: what.trim(),
    priority: form.priority,
    due,
    owner: chosen[form.owner],
    ...(why.trim() && { why: why.trim() }),
    ...(form.from !== 'none' && { from: form.from }),
  }
  const problems = {
    what: body.what.length < 5 ? 'Write at least 5 characters.' : undefined,
    name: body.owner.name !== '' ? undefined : form.owner === 'person' ? 'Choose a person.' : 'Write a name.',
    due:
      due === '' ? 'Choose a day.' : due < isoDayAt(Date.now(), timezone) ? 'Choose today or a later day.' : undefined,
  }
  return { form, set, body, problems }
}

export function ActionDialog({ event, timezone, observations, onClose }: ActionDialogProps) {
  const { form, set, body, problems } = useActionForm(timezone)
  const { add, busy } = useAddition(event)
  const problem = Object.values(problems).find(Boolean) ?? null
  return (
    <AddDialog
      title="Action"
      busy={busy}
      problem={problem}
      onSave={() => add({ kind: 'action', body }, 'The action has been added.')}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <TextField
            label="What is to be done"
            value={form.what}
            maxLength={200}
            onChange={(what) => set({ what })}
            error={tried && problems.what}
          />
          <TextArea label="Why" value={form.why} maxLength={1000} rows={2} onChange={(why) => set({ why })} />
          <ToggleChoice
            legend="Priority"
            options={priorities}
            value={form.priority}
            onChange={(priority) => set({ priority })}
          />
          <ToggleChoice legend="Owner" options={owners} value={form.owner} onChange={(owner) => set({ owner })} />
          {form.owner === 'person' && (
            <OwnerSearch owner={form.person} onChange={(person) => set({ person })} error={tried && problems.name} />
          )}
          {form.owner === 'other' && (
            <TextField
              label="Name of the owner"
              value={form.name}
              maxLength={120}
              onChange={(name) => set({ name })}
              error={tried && problems.name}
            />
          )}
          <TextField
            label="Due"
            type="date"
            value={form.due}
            onChange={(due) => set({ due })}
            error={tried && problems.due}
          />
          {observations.length > 0 && (
            <SelectField
              label="From the observation"
              value={form.from}
              options={[
                { value: 'none', label: 'None' },
                ...observations.map(({ uid, body: { text } }) => ({ value: uid, label: shortened(text) })),
              ]}
              onChange={(from) => set({ from })}
            />
          )}
        </>
      )}
    </AddDialog>
  )
}
