import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

interface SectionProps {
  title: string
  /** Number of items inside. Undefined while unknown. */
  count?: number | undefined
  children: ReactNode
  defaultOpen?: boolean
  onToggle?: (open: boolean) => void
}

/** A heading that opens and closes the part below it. */
export function Section({ title, count, children, defaultOpen = false, onToggle }: SectionProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const toggle = () => {
    setOpen(!open)
    onToggle?.(!open)
  }
  return (
    <section className="rounded-2xl border border-hairline">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          className="btn w-full justify-between gap-3 rounded-2xl text-left text-lg"
          onClick={toggle}
        >
          <span className="min-w-0 flex-1">{title}</span>
          {count !== undefined && <Count value={count} />}
          <ChevronDown aria-hidden className={`shrink-0 transition-transform ${open ? 'rotate-180' : ''}`} />
        </button>
      </h2>
      {open && (
        <div id={bodyId} className="grid grid-cols-1 gap-3 p-2 pt-1">
          {children}
        </div>
      )}
    </section>
  )
}

/** A number in a pill. */
function Count({ value }: { value: number }) {
  return <span className="shrink-0 rounded-full bg-raised px-3 py-0.5 text-base tabular-nums">{value}</span>
}
