import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { EventUid, PlaceUid } from '#kernel/ids.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { Link } from '#web/ui/link.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { observationTones } from '../../kinds.ts'
import { ofKind } from '../../standing.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { Seen, type Tone } from '../parts/notes.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { useAddition } from '../parts/records.data.ts'
import { Adds } from '../parts/warden-or-console.tsx'
import { type NotedEvent, useSeenAt, WhenFields } from '../parts/when-fields.tsx'
import { AddDialog } from './add-dialog.tsx'
import { AddedList, type AdditionsProps } from './added.tsx'
import { Checklist } from './checklist.tsx'

interface ObservationsProps extends AdditionsProps {
  event: EventUid
  record: EventRecord
  /** The items of the checklist that are asked now. */
  asked: readonly string[]
  /** The reader reaches all buildings of the event. */
  mayAdd: boolean
}

/** What people saw, and the answers to the checklist. */
export function Observations({ event, record, asked, additions, times, mayAdd }: ObservationsProps) {
  const [isOpen, setOpen] = useState(false)
  const observations = ofKind(additions, 'observation')
  const places = placesOf(record)
  return (
    <RecordSection id="observations" title="Observations">
      {observations.length === 0 && <p className="text-muted">No one has noted anything yet.</p>}
      <AddedList label="Observations" of={observations} additions={additions}>
        {(observation) => (
          <>
            <Seen body={observation.body} where={places.find(({ value }) => value === observation.body.place)?.label} />
            <AddedBy addition={observation} times={times} />
          </>
        )}
      </AddedList>
      <Adds>
        <Button variant="outline" icon={Plus} onClick={() => setOpen(true)}>
          Add an observation
        </Button>
        {mayAdd && (
          <Link to={`/event/records/${event}/observers`} className={`${buttonClass('outline')} print:hidden`}>
            <UserPlus aria-hidden className="shrink-0" />
            Observers
          </Link>
        )}
      </Adds>
      {isOpen && (
        <ObservationDialog event={event} span={spanOf(record)} places={places} onClose={() => setOpen(false)} />
      )}
      <Checklist {...{ event, asked, additions, times }} />
    </RecordSection>
  )
}

const spanOf = ({ site, timezone, started_at, ended_at }: EventRecord): NotedEvent => ({
  site: site.name,
  timezone,
  started_at,
  ended_at,
})

interface Place {
  value: PlaceUid
  label: string
}

/** The buildings, then the floors as people count. */
const placesOf = ({ buildings, floors }: EventRecord): Place[] => [
  ...buildings.map(({ id, name }) => ({ value: id, label: name })),
  ...floors.rows
    .map(({ id, name, building_name }) => ({ value: id, label: `${building_name}, ${name}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-AU', { numeric: true })),
]

const tones = observationTones.map((tone) => ({ value: tone, label: tone }))

interface ObservationDialogProps {
  event: EventUid
  span: NotedEvent
  places: readonly Place[]
  onClose: () => void
}

function ObservationDialog({ event, span, places, onClose }: ObservationDialogProps) {
  const [tone, setTone] = useState<Tone>('Note')
  const [place, setPlace] = useState<PlaceUid | 'none'>('none')
  const [text, setText] = useState('')
  const seen = useSeenAt(span)
  const { add, busy } = useAddition(event)
  const body = { tone, text: text.trim(), ...(place !== 'none' && { place }) }
  const save = () =>
    add({ kind: 'observation', body, ...(seen.at && { observed_at: seen.at }) }, 'The observation has been added.')
  const isEmpty = text.trim() === '' ? 'Write what you saw.' : undefined
  const problem = isEmpty ?? seen.problems.day ?? seen.problems.time ?? null
  return (
    <AddDialog title="Observation" busy={busy} problem={problem} onSave={save} onClose={onClose}>
      {(tried) => (
        <>
          <ToggleChoice legend="Kind" options={tones} value={tone} onChange={setTone} />
          <SelectField<PlaceUid | 'none'>
            label="Place"
            value={place}
            options={[{ value: 'none', label: 'No place' }, ...places]}
            onChange={setPlace}
          />
          <TextArea
            label="What you saw"
            value={text}
            maxLength={1000}
            rows={4}
            onChange={setText}
            error={tried && isEmpty}
          />
          <WhenFields event={span} seen={seen} isTried={tried !== undefined} />
        </>
      )}
    </AddDialog>
  )
}
