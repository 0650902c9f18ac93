import type { ReactNode } from 'react'

interface CheckboxProps {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** Some but not all of the boxes below are ticked. */
  indeterminate?: boolean
  disabled?: boolean
}

/** A native checkbox in a row 52 px high. */
export function Checkbox({ label, checked, onChange, indeterminate = false, disabled }: CheckboxProps) {
  return (
    <label className={`flex min-h-13 items-center gap-3 px-2 ${disabled ? 'text-muted' : 'cursor-pointer'}`}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = indeterminate
        }}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        className="size-6 shrink-0 accent-link"
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 flex-1">{label}</span>
    </label>
  )
}
