import { X } from 'lucide-react'
import type { FloorUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { entryKinds } from '../../journal-words.ts'
import type { TimelineFilter } from '../parts/records.data.ts'

const shows = [
  { value: 'moments', label: 'Key moments' },
  { value: 'all', label: 'Everything' },
] as const
const kinds = [{ value: 'any', label: 'Any' }, ...entryKinds]

interface TimelineFiltersProps {
  filter: TimelineFilter
  onChange: (filter: TimelineFilter) => void
  /** Undefined until the record is read. */
  record: EventRecord | undefined
}

/** Key moments or everything, by kind, place, lateness and the person that a list of names led here for. */
export function TimelineFilters({ filter, onChange, record }: TimelineFiltersProps) {
  const set = (part: Partial<TimelineFilter>) => onChange({ ...filter, ...part })
  const floors = (record?.floors.rows ?? [])
    .map(({ id, name, building_name }) => ({ value: id as string, label: `${building_name}, ${name}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-AU', { numeric: true }))
  return (
    <div className="rec-filters">
      <ToggleChoice legend="Show" options={shows} value={filter.show ?? 'moments'} onChange={(show) => set({ show })} />
      <SelectField
        compact
        label="Kind"
        value={filter.action ?? 'any'}
        options={kinds}
        onChange={(action) => set({ action: action === 'any' ? undefined : action })}
      />
      {floors.length > 0 && (
        <SelectField
          compact
          label="Floor"
          value={filter.floor ?? 'any'}
          options={[{ value: 'any', label: 'Any' }, ...floors]}
          onChange={(floor) => set({ floor: floor === 'any' ? undefined : (floor as FloorUid) })}
        />
      )}
      <Checkbox
        label="Only late records"
        checked={filter.late === 'yes'}
        onChange={(isLate) => set({ late: isLate ? 'yes' : undefined })}
      />
      {filter.person && (
        <Button variant="outline" icon={X} onClick={() => set({ person: undefined })}>
          Only one person: show all
        </Button>
      )}
    </div>
  )
}
