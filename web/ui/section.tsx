import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

interface SectionProps {
  title: string
  /** Number of items inside. Undefined while unknown. */
  count?: number | undefined
  children: ReactNode
  defaultOpen?: boolean
  onToggle?: (open: boolean) => void
  /** Without a frame: headings of several sections stand in the row around them. The classes of this one's share of it. */
  flat?: string
}

/** A heading that opens and closes the part below it. */
export function Section({ title, count, children, defaultOpen = false, onToggle, flat }: SectionProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const toggle = () => {
    setOpen(!open)
    onToggle?.(!open)
  }
  return (
    <section className={flat ? 'contents' : 'rounded-2xl border border-hairline'}>
      <h2 className={flat && `grow rounded-xl border border-hairline ${flat}`}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          className={`btn w-full justify-between text-left ${flat ? 'h-full min-h-12 gap-1 px-2 py-1 text-xs' : 'gap-3 rounded-2xl text-lg'}`}
          onClick={toggle}
        >
          <span className="min-w-0 flex-1">{title}</span>
          {count !== undefined && <span className={`text-base tabular-nums ${flat ? '' : pill}`}>{count}</span>}
          <ChevronDown aria-hidden className={`shrink-0 transition-transform ${open ? 'rotate-180' : ''}`} />
        </button>
      </h2>
      {open && (
        <div id={bodyId} className={`grid grid-cols-1 ${flat ? 'w-full gap-1.5' : 'gap-3 p-2 pt-1'}`}>
          {children}
        </div>
      )}
    </section>
  )
}

const pill = 'shrink-0 rounded-full bg-raised px-3 py-0.5'
