import { useId } from 'react'
import type { Option } from './select-field.tsx'

interface ToggleChoiceProps<T extends string> {
  legend: string
  options: readonly Option<T>[]
  value: T
  onChange: (value: T) => void
  /** Shows the choice without allowing changes (confirmation modals). */
  readOnly?: boolean
}

/** A few choices side by side, of which exactly one is selected. */
export function ToggleChoice<T extends string>(props: ToggleChoiceProps<T>) {
  const { legend, options, value, onChange, readOnly = false } = props
  const name = useId()
  return (
    <fieldset disabled={readOnly} className="min-w-0">
      <legend className="mb-1 font-semibold">{legend}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.5rem),1fr))] gap-1 rounded-xl border-[1.5px] border-line p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={`relative flex min-h-12 items-center justify-center rounded-lg px-2 text-center font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-link ${
              option.value === value ? 'bg-link text-canvas forced-colors:bg-[Highlight]' : 'text-muted'
            } ${readOnly ? '' : 'cursor-pointer'}`}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
