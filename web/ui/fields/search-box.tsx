import { RefreshCw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { IconButton } from '../icon-button.tsx'

interface SearchBoxProps {
  /** Used as placeholder and as name, for example 'Search Occupants'. */
  label: string
  value: string
  onChange: (value: string) => void
  /** If set, there is a refresh button next to the field. */
  onRefresh?: () => void
}

export function SearchBox({ label, value, onChange, onRefresh }: SearchBoxProps) {
  return (
    <div className="flex gap-2">
      <div className="relative min-w-0 flex-1">
        <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted" />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={value}
          maxLength={limits.searchLength}
          enterKeyHint="search"
          autoComplete="off"
          className="field pl-11"
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      {onRefresh && <RefreshButton onRefresh={onRefresh} />}
    </div>
  )
}

/** Spins for one second after each press, whether or not the answer has arrived. */
export function RefreshButton({ onRefresh }: { onRefresh: () => void }) {
  const [presses, setPresses] = useState(0)
  const spinning = presses > 0

  useEffect(() => {
    if (presses === 0) return
    const timer = setTimeout(() => setPresses(0), limits.refreshAnimation)
    return () => clearTimeout(timer)
  }, [presses])

  const press = () => {
    setPresses(presses + 1)
    onRefresh()
  }
  return (
    <IconButton
      icon={RefreshCw}
      label="Refresh"
      aria-busy={spinning}
      iconClassName={spinning ? 'animate-spin' : ''}
      onClick={press}
    />
  )
}
