import { useQuery } from '@tanstack/react-query'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { floorsQuery, peopleChoicesQuery } from './people.data.ts'

interface PlaceFieldsProps {
  building: string
  floor: string
  onChange: (place: { building: string; floor: string }) => void
  /** What stands for no floor. */
  none?: string
  /** Below the floor. */
  error?: string | undefined
}

/** Buildings within reach by site, and the floors of the chosen one. */
export function useBuildings() {
  const { data: choices } = useQuery(peopleChoicesQuery)
  const siteOf = new Map(choices?.sites.map(({ uid, name }) => [uid, name]))
  return (choices?.buildings ?? []).map(({ uid, name, site }) => ({
    value: uid as string,
    label: `${siteOf.get(site) ?? ''} - ${name}`,
  }))
}

export function useFloors(building: string) {
  const { data: floors = [] } = useQuery(floorsQuery(building))
  return floors.map(({ uid, name }) => ({ value: uid as string, label: name }))
}

/** A building and one of its floors. */
export function PlaceFields({ building, floor, onChange, none = 'None', error }: PlaceFieldsProps) {
  const [buildings, floors] = [useBuildings(), useFloors(building)]
  return (
    <div className="console-pair">
      <SelectField
        label="Building"
        value={building}
        options={[{ value: '', label: 'None' }, ...buildings]}
        onChange={(chosen: string) => onChange({ building: chosen, floor: '' })}
      />
      <SelectField
        label="Floor"
        value={floor}
        options={[{ value: '', label: none }, ...floors]}
        onChange={(chosen: string) => onChange({ building, floor: chosen })}
        disabled={building === ''}
        hint={error && <span className="text-danger-ink">{error}</span>}
      />
    </div>
  )
}
