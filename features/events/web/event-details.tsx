import type { EventTypeUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { EventType } from '../calls/events.ts'
import type { EventForm, YesNo } from './event-form.ts'

/** The words of the two toggles, also in the confirmation. */
const broadcastChoices: { value: YesNo; label: string }[] = [
  { value: 'yes', label: 'Everyone' },
  { value: 'no', label: 'No one' },
]
const alertChoices: { value: YesNo; label: string }[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const kindChoices: { value: EventKind; label: string }[] = [
  { value: 'live', label: 'Live event' },
  { value: 'drill', label: 'Drill' },
]
const announcedChoices: { value: YesNo; label: string }[] = [
  { value: 'yes', label: 'Announced' },
  { value: 'no', label: 'Unannounced' },
]
const ignore = () => undefined

interface ToggleProps<T = YesNo> {
  value: T
  /** Without it the toggle only shows what is chosen. */
  onChange?: (value: T) => void
}
type Choices<T> = readonly { value: T; label: string }[]
const toggle =
  <T extends string>(legend: string, options: Choices<T>) =>
  ({ value, onChange }: ToggleProps<T>) => (
    <ToggleChoice {...{ legend, options, value }} onChange={onChange ?? ignore} readOnly={!onChange} />
  )
export const BroadcastToggle = toggle('Broadcast message to', broadcastChoices)
export const AlertToggle = toggle('SMS alert to wardens', alertChoices)
export const KindToggle = toggle('This is', kindChoices)
export const CountAgainToggle = toggle('Count everyone again', alertChoices)
export const AnnouncedToggle = toggle('People were told in advance', announcedChoices)

/** Type, message and the toggles. */
export function EventDetails({ form, eventTypes }: { form: EventForm; eventTypes: readonly EventType[] }) {
  return (
    <div className="grid content-start gap-4">
      <div>
        <SelectField<EventTypeUid>
          label="Event type"
          placeholder="Select event type"
          value={form.type?.id ?? ''}
          options={eventTypes.map(({ id, type }) => ({ value: id, label: type }))}
          disabled={form.eventRuns}
          onChange={(eventType) => form.change({ eventType })}
        />
        {form.type && !form.eventRuns && <p className="mt-1 text-sm text-muted">{form.type.description}</p>}
      </div>
      <TextArea
        label="Broadcast message"
        rows={4}
        value={form.message}
        onChange={form.write}
        hint={
          <span className="ml-auto tabular-nums">
            {form.message.length}/{limits.messageLength}
          </span>
        }
      />
      {!form.eventRuns && <KindToggle value={form.kind} onChange={(kind) => form.change({ kind })} />}
      {!form.eventRuns && form.kind === 'drill' && (
        <AnnouncedToggle value={form.announced} onChange={(announced) => form.change({ announced })} />
      )}
      <BroadcastToggle
        value={form.broadcastMessage}
        onChange={(broadcastMessage) => form.change({ broadcastMessage })}
      />
      {!form.eventRuns && (
        <AlertToggle value={form.alertToWarden} onChange={(alertToWarden) => form.change({ alertToWarden })} />
      )}
    </div>
  )
}
