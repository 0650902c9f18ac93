import type { ReactNode } from 'react'

interface FloorCellProps {
  nth: number
  isSelected: boolean
  /** What it says to who does not see it. */
  label: string
  title: string
  className: string
  children: ReactNode
}

/** A line of the grid with its one cell, which has the focus and takes the press (use-roving.ts). */
export const FloorCell = ({ nth, isSelected, label, title, className, children }: FloorCellProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: its cell takes the focus
  // biome-ignore lint/a11y/useSemanticElements: a thousand table rows would be laid out together
  <div role="row" className="bd-line">
    {/* biome-ignore lint/a11y/useSemanticElements: as above */}
    <div role="gridcell" tabIndex={-1} data-nth={nth} aria-selected={isSelected} title={title} className={className}>
      <span className="bd-said">{label}</span>
      <span aria-hidden className="bd-shown">
        {children}
      </span>
    </div>
  </div>
)
