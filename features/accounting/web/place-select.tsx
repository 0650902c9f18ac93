import { useQuery } from '@tanstack/react-query'
import { areaFloorsQuery } from '#web/evacuees/area-floors.data.ts'
import { type Option, SelectField } from '#web/ui/fields/select-field.tsx'

const everywhere = 'all'

interface PlaceSelectProps {
  value: string | null
  /** A further choice, such as of what names no floor. */
  further?: Option
  onChange: (place: string) => void
}

/** A floor of the event, or a building for its people on no floor, where the board has led to it. */
export function PlaceSelect({ value, further, onChange }: PlaceSelectProps) {
  const { data = [] } = useQuery(areaFloorsQuery('everyone'))
  const places = data.flatMap(({ buildingId, name, floors }) => [
    ...(value === buildingId || floors.length === 0
      ? [{ value: buildingId as string, label: `${name} - No floor` }]
      : []),
    ...floors.map((floor) => ({ value: floor.id as string, label: `${name} - ${floor.name}` })),
  ])
  const options = [{ value: everywhere, label: 'Every floor' }, ...(further ? [further] : []), ...places]
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
