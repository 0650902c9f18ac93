import { type ReactNode, useId } from 'react'

export interface Option<T extends string = string> {
  value: T
  label: string
}
interface SelectFieldProps<T extends string> {
  label: string
  value: T | ''
  options: readonly Option<T>[]
  onChange: (value: T) => void
  /** First, unchoosable line while nothing is chosen. */
  placeholder?: string
  hint?: ReactNode
  disabled?: boolean
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange, placeholder, hint, disabled } = props
  const hintId = useId()
  return (
    <label className="block min-w-0 font-semibold">
      {label}
      <select
        className="field mt-1 font-normal"
        value={value}
        disabled={disabled}
        aria-describedby={hint ? hintId : undefined}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint && (
        <span id={hintId} className="mt-1 block text-sm font-normal text-muted">
          {hint}
        </span>
      )}
    </label>
  )
}
