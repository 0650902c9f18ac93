import { type FormEvent, useState } from 'react'
import type { PlaceUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { Noting } from '../../calls/observing.ts'
import { observationTones } from '../../kinds.ts'
import type { Tone } from '../parts/notes.tsx'
import { type NotedEvent, useSeenAt, WhenFields } from '../parts/when-fields.tsx'
import type { NewNote } from './noting.data.ts'

/** Keeps a note on the phone, which sends it. */
export type Keep = (note: NewNote) => Promise<unknown>

const tones = observationTones.map((tone) => ({ value: tone, label: tone }))

interface NoteFormProps {
  event: NotedEvent
  places: Noting['places']
  onKeep: Keep
}

/** What someone saw, where and when. */
export function NoteForm({ event, places, onKeep }: NoteFormProps) {
  const [tone, setTone] = useState<Tone>('Note')
  const [place, setPlace] = useState<PlaceUid | 'none'>('none')
  const [text, setText] = useState('')
  const seen = useSeenAt(event)
  const [isTried, setTried] = useState(false)
  const problem = text.trim() === '' ? 'Write what you saw.' : undefined
  const save = async (submitted: FormEvent) => {
    submitted.preventDefault()
    setTried(true)
    if (problem || seen.problems.day || seen.problems.time) return
    const body = { tone, text: text.trim(), ...(place !== 'none' && { place }) }
    await onKeep({ kind: 'observation', body, ...(seen.at && { observed_at: seen.at }) })
    setText('')
    seen.clear()
    setTried(false)
  }
  return (
    <form noValidate className="card grid grid-cols-1 gap-4" onSubmit={(submitted) => void save(submitted)}>
      <ToggleChoice legend="Kind" options={tones} value={tone} onChange={setTone} />
      <SelectField<PlaceUid | 'none'>
        label="Place"
        value={place}
        options={[{ value: 'none', label: 'No place' }, ...places.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={setPlace}
      />
      <TextArea
        label="What you saw"
        value={text}
        maxLength={1000}
        rows={4}
        onChange={setText}
        error={isTried ? problem : undefined}
      />
      <WhenFields event={event} seen={seen} isTried={isTried} />
      <Button type="submit" block>
        Save
      </Button>
    </form>
  )
}
