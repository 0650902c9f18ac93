import { type FormEvent, useState } from 'react'
import type { PlaceUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { Noting } from '../../calls/observing.ts'
import { observationTones } from '../../kinds.ts'
import type { Tone } from '../parts/notes.tsx'
import type { NewNote } from './noting.data.ts'

/** Keeps a note on the phone, which sends it. `seenAt`: milliseconds of this phone's clock, if not just now. */
export type Keep = (note: NewNote, seenAt?: number) => Promise<unknown>

const tones = observationTones.map((tone) => ({ value: tone, label: tone }))

/** What someone saw, where and when. */
export function NoteForm({ places, onKeep }: { places: Noting['places']; onKeep: Keep }) {
  const [tone, setTone] = useState<Tone>('Note')
  const [place, setPlace] = useState<PlaceUid | 'none'>('none')
  const [text, setText] = useState('')
  const [time, setTime] = useState('')
  const [isTried, setTried] = useState(false)
  const problem = text.trim() === '' ? 'Write what you saw.' : undefined
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem) return
    const body = { tone, text: text.trim(), ...(place !== 'none' && { place }) }
    await onKeep({ kind: 'observation', body }, momentOf(time))
    setText('')
    setTime('')
    setTried(false)
  }
  return (
    <form noValidate className="card grid grid-cols-1 gap-4" onSubmit={(event) => void save(event)}>
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
      <TextField label="Time" type="time" value={time} hint="If empty, the time is now." onChange={setTime} />
      <Button type="submit" block>
        Save
      </Button>
    </form>
  )
}

/** '09:41' of today, or of yesterday if that is still to come. Undefined: just now. */
function momentOf(time: string): number | undefined {
  const [hours, minutes] = time.split(':').map(Number)
  if (hours === undefined || minutes === undefined) return undefined
  const moment = new Date()
  moment.setHours(hours, minutes, 0, 0)
  if (moment.getTime() > Date.now()) moment.setDate(moment.getDate() - 1)
  return moment.getTime()
}
