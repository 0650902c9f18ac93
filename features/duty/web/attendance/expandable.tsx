import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

interface ExpandableProps {
  /** Of the button, so that a link elsewhere can lead to it. */
  id?: string
  heading: 'h2' | 'h3'
  title: string
  /** Below the title. */
  summary: ReactNode
  /** The coloured edge of the card. */
  edge?: string
  open: boolean
  onToggle: () => void
  children: ReactNode
}

/** A card of a list that opens. */
export function Expandable(props: ExpandableProps) {
  const { id, heading: Heading, title, summary, edge = '', open, onToggle, children } = props
  return (
    <li className={`card p-0 ${edge}`}>
      <Heading>
        <button
          type="button"
          id={id}
          aria-expanded={open}
          className="btn w-full scroll-mt-24 justify-between gap-3 text-left font-normal"
          onClick={onToggle}
        >
          <span className="grid min-w-0 flex-1 gap-1">
            <span className="text-lg leading-snug font-bold">{title}</span>
            {summary}
          </span>
          <ChevronDown aria-hidden className={`shrink-0 transition-transform ${open ? 'rotate-180' : ''}`} />
        </button>
      </Heading>
      {open && <div className="grid grid-cols-1 gap-3 p-3 pt-1">{children}</div>}
    </li>
  )
}
