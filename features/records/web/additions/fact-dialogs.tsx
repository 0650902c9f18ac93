import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { type RecordFact, recordExtents, recordOutcomes } from '../../kinds.ts'
import type { Body } from '../../standing.ts'
import { useAddition } from '../parts/records.data.ts'
import { AddDialog } from './add-dialog.tsx'

export const factName: Record<RecordFact, string> = {
  scenario: 'Scenario',
  how_it_began: 'How it began',
  extent: 'Extent',
  weather: 'Weather',
  fire_service_called: 'Fire service called',
  fire_service_arrived: 'Fire service arrived',
  fire_service_left: 'Fire service left',
  all_clear: 'All-clear time',
  head_count: 'Head count at assembly',
}
const isTime = (fact: RecordFact) => fact.startsWith('fire_service') || fact === 'all_clear'

interface FactFieldProps {
  fact: RecordFact
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** The field that fits what the fact is. */
function FactField({ fact, ...rest }: FactFieldProps) {
  const field = { ...rest, label: factName[fact] }
  if (fact === 'extent')
    return <SelectField {...field} options={recordExtents.map((extent) => ({ value: extent, label: extent }))} />
  if (isTime(fact)) return <TextField {...field} type="time" hint="By the clock of the site" />
  if (fact === 'head_count')
    return (
      <TextField
        {...field}
        inputMode="numeric"
        maxLength={6}
        onChange={(text) => rest.onChange(text.replace(/\D/g, ''))}
      />
    )
  return <TextArea {...field} maxLength={1000} />
}

export function FactDialog({ event, fact, onClose }: { event: EventUid; fact: RecordFact; onClose: () => void }) {
  const [value, setValue] = useState<string>(fact === 'extent' ? recordExtents[0] : '')
  const { add, busy } = useAddition(event)
  const save = () => add({ kind: 'fact', body: { fact, value: value.trim() } }, 'The fact has been added.')
  const problem = value.trim() === '' ? 'Write what you know of it.' : null
  return (
    <AddDialog title={factName[fact]} busy={busy} problem={problem} onSave={save} onClose={onClose}>
      {(error) => <FactField fact={fact} value={value} onChange={setValue} error={error} />}
    </AddDialog>
  )
}

type Outcome = Body<'outcome'>['outcome']
const outcomes = recordOutcomes.map((outcome) => ({ value: outcome, label: outcome }))

export function OutcomeDialog({ event, onClose }: { event: EventUid; onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>(recordOutcomes[0])
  const { add, busy } = useAddition(event)
  const save = () => add({ kind: 'outcome', body: { outcome } }, 'The outcome has been added.')
  return (
    <AddDialog title="Outcome" busy={busy} problem={null} onSave={save} onClose={onClose}>
      {() => <SelectField<Outcome> label="Outcome" value={outcome} options={outcomes} onChange={setOutcome} />}
    </AddDialog>
  )
}
