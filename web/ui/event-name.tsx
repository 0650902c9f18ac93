import { Siren } from 'lucide-react'
import type { EventName as Event } from '#kernel/event-name.ts'

/** Names the event on screen, or says 'NO EVENT'. */
export function EventName({ event }: { event: Event | undefined }) {
  return (
    <h2 className="flex items-center gap-2 text-lg leading-tight font-bold">
      <Siren aria-hidden className={`shrink-0 ${event === undefined ? 'text-muted' : 'text-danger-ink'}`} />
      <span>{event?.type ?? 'NO EVENT'}</span>
    </h2>
  )
}
