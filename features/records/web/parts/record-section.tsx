import type { ReactNode } from 'react'

interface RecordSectionProps {
  /** What 'Evidence' and the contents lead to. */
  id: string
  title: string
  children: ReactNode
}

/** A part of a record, with a heading that a link of the page leads to. */
export function RecordSection({ id, title, children }: RecordSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="rec-section card grid grid-cols-1 gap-3">
      <h2 id={`${id}-title`} className="text-lg font-bold">
        {title}
      </h2>
      {children}
    </section>
  )
}
