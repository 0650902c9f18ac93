import type { ReactNode } from 'react'

/** A part of the person's page beside the form. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card grid grid-cols-1 gap-2">
      <h2 className="font-bold">{title}</h2>
      {children}
    </section>
  )
}
