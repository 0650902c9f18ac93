import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { type Country, countries } from './countries.ts'
import { Flag } from './flag.tsx'

interface CountrySelectProps {
  value: Country
  disabled: boolean
  onChange: (country: Country) => void
}

/** Shows flag and '+61'; the list, which is the phone's own, tells the countries in words. */
export function CountrySelect({ value, disabled, onChange }: CountrySelectProps) {
  const id = useId()
  const choose = (dialling: string) => onChange(countries.find((country) => country.dialling === dialling) ?? value)
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        Country
      </label>
      <div className="relative rounded-xl outline-offset-2 has-focus-visible:outline-3 has-focus-visible:outline-link">
        <div aria-hidden className="field flex items-center gap-1.5 px-2.5">
          <Flag name={value.flag} />
          <span className="whitespace-nowrap tabular-nums">+{value.dialling}</span>
          <ChevronDown size={18} className="ml-auto shrink-0 text-muted" />
        </div>
        {/* Over it and invisible: the browser would show the chosen line's whole text. */}
        <select
          id={id}
          value={value.dialling}
          disabled={disabled}
          className="absolute inset-0 size-full opacity-0"
          onChange={(event) => choose(event.target.value)}
        >
          {countries.map(({ label, dialling }) => (
            <option key={dialling} value={dialling}>
              {label} +{dialling}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
