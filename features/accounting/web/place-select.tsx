import { useQuery } from '@tanstack/react-query'
import { areaFloorsQuery } from '#web/evacuees/area-floors.data.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'

const everywhere = 'all'

/** A floor of the event, or a building for its people on no floor, where the board has led to it. */
export function PlaceSelect({ value, onChange }: { value: string | null; onChange: (place: string) => void }) {
  const { data = [] } = useQuery(areaFloorsQuery('everyone'))
  const places = data.flatMap(({ buildingId, name, floors }) => [
    ...(value === buildingId || floors.length === 0
      ? [{ value: buildingId as string, label: `${name} - No floor` }]
      : []),
    ...floors.map((floor) => ({ value: floor.id as string, label: `${name} - ${floor.name}` })),
  ])
  const options = [{ value: everywhere, label: 'Every floor' }, ...places]
  return (
    <SelectField
      compact
      label="Place"
      value={options.some((option) => option.value === value) ? (value ?? everywhere) : everywhere}
      options={options}
      onChange={(next) => onChange(next === everywhere ? '' : next)}
    />
  )
}
