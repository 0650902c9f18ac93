import { Siren } from 'lucide-react'

/** The name of the event on screen, or 'NO EVENT' (AMB-019). */
export function EventName({ name }: { name: string | undefined }) {
  return (
    <h2 className="flex items-center gap-2 text-lg leading-tight font-bold">
      <Siren aria-hidden className={`shrink-0 ${name === undefined ? 'text-muted' : 'text-danger-ink'}`} />
      {name ?? 'NO EVENT'}
    </h2>
  )
}
