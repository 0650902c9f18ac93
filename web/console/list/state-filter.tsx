import { SelectField } from '../../ui/fields/select-field.tsx'
import type { useListAddress } from './list-address.ts'

interface StateFilterProps {
  address: ReturnType<typeof useListAddress<'state'>>
  /** The first one is that of an address without a state. */
  options: readonly { value: string; label: string }[]
}

/** The only filter of a list: by a state. */
export function StateFilter({ address, options }: StateFilterProps) {
  return (
    <div className="console-filters">
      <SelectField
        compact
        label="State"
        value={address.query.state ?? ''}
        options={options}
        onChange={(state: string) => address.filter({ state })}
      />
    </div>
  )
}
