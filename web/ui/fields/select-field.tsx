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
  /** First line, which cannot be chosen, shown while nothing is chosen. */
  placeholder?: string
  hint?: ReactNode
  disabled?: boolean
  /** The label stands inside the field, so that several fit in one row. */
  compact?: boolean
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange, placeholder, hint, disabled, compact } = props
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className={compact ? 'relative min-w-0 grow basis-[6rem]' : 'min-w-0'}>
      <label htmlFor={id} className={compact ? 'absolute top-1 left-2.5 text-xs text-muted' : 'block font-semibold'}>
        {label}
      </label>
      <select
        id={id}
        className={compact ? 'field truncate pt-[1.375rem] pr-0 pb-1 pl-1.5 font-semibold' : 'field mt-1'}
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
        <div id={hintId} className="mt-1 text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  )
}
