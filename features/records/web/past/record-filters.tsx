import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import type { RecordResult } from '../../calls/record.ts'
import type { RecordsFilter } from '../parts/records.data.ts'
import { resultLook } from '../parts/signs.tsx'

const shows = [
  { value: 'all', label: 'All' },
  { value: 'drill', label: 'Drills' },
  { value: 'live', label: 'Live events' },
  { value: 'open', label: 'Actions open' },
] as const
type Show = (typeof shows)[number]['value']
export type Narrow = Pick<RecordsFilter, 'site' | 'from' | 'to' | 'result'>

/** What is chosen on the page of past events, without the search. */
export interface Chosen {
  show: Show
  narrow: Narrow
}
export const nothingChosen: Chosen = { show: 'all', narrow: {} }

export const filterOf = ({ show, narrow }: Chosen, q: string): RecordsFilter => ({
  ...narrow,
  ...(q && { q }),
  ...((show === 'drill' || show === 'live') && { kind: show }),
  ...(show === 'open' && { open: 'yes' as const }),
})

interface RecordFiltersProps {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  sites: readonly { id: SiteUid; name: string }[]
  /** What stands beside the button. */
  children?: ReactNode
}

export function RecordFilters({ chosen, onChange, sites, children }: RecordFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(chosen.narrow).length
  return (
    <div className="rec-tools">
      <ToggleChoice
        legend="Show"
        options={shows}
        value={chosen.show}
        onChange={(show) => onChange({ ...chosen, show })}
      />
      <div className="rec-two-buttons">
        <Button
          variant={count > 0 ? 'blue' : 'outline'}
          icon={ListFilter}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Filter{count > 0 && `, ${count} set`}
        </Button>
        {children}
      </div>
      <BottomSheet open={isOpen} onClose={() => setOpen(false)} title="Filter">
        {isOpen && (
          <FilterForm
            narrow={chosen.narrow}
            sites={sites}
            onApply={(narrow) => {
              onChange({ ...chosen, narrow })
              setOpen(false)
            }}
          />
        )}
      </BottomSheet>
    </div>
  )
}

const any = { value: 'any', label: 'Any' } as const
const results = Object.entries(resultLook).map(([value, { filter }]) => ({
  value: value as RecordResult['word'],
  label: filter,
}))

interface FilterFormProps {
  narrow: Narrow
  sites: RecordFiltersProps['sites']
  onApply: (narrow: Narrow) => void
}

function FilterForm({ narrow, sites, onApply }: FilterFormProps) {
  const [wanted, setWanted] = useState(narrow)
  const set = (part: Narrow) =>
    setWanted((before) => Object.fromEntries(Object.entries({ ...before, ...part }).filter(([, value]) => value)))
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(wanted)
      }}
    >
      <SelectField<SiteUid | 'any'>
        label="Site"
        value={wanted.site ?? 'any'}
        options={[any, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(site) => set({ site: site === 'any' ? undefined : site })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Ended from"
          type="date"
          value={wanted.from ?? ''}
          {...(wanted.to && { max: wanted.to })}
          onChange={(from) => set({ from })}
        />
        <TextField
          label="Ended to"
          type="date"
          value={wanted.to ?? ''}
          {...(wanted.from && { min: wanted.from })}
          onChange={(to) => set({ to })}
        />
      </div>
      <SelectField<RecordResult['word'] | 'any'>
        label="Result"
        value={wanted.result ?? 'any'}
        options={[any, ...results]}
        onChange={(result) => set({ result: result === 'any' ? undefined : result })}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" className="flex-1" onClick={() => onApply({})}>
          Clear
        </Button>
        <Button type="submit" className="flex-1">
          Apply
        </Button>
      </div>
    </form>
  )
}
