import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { wordOfInstruction } from '../../instruction-word.ts'
import { understandMs } from '../../kinds.ts'
import { whereOf } from './chosen-floors.ts'
import { instructionIcon } from './instruction-look.ts'
import type { Places, Sent } from './instructions.data.ts'
import { NotYetList } from './not-yet-list.tsx'

/** What was sent, the newest first, and how many have understood it. */
export function SentList({ sent, places }: { sent: readonly Sent[]; places: Places }) {
  return (
    <section aria-label="Sent" className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Sent</h2>
      {sent.length === 0 && <p className="text-muted">Nothing here.</p>}
      <ul className="cards items-start gap-3">
        {sent.map((one) => (
          <SentCard key={one.uid} sent={one} where={whereOf(one.floors, places)} />
        ))}
      </ul>
    </section>
  )
}

function SentCard({ sent: { uid, kind, message, by, at, understood, meant }, where }: { sent: Sent; where: string }) {
  const [isOpen, setOpen] = useState(false)
  const now = useNow(5_000)
  const Icon = instructionIcon[kind]
  const missing = meant - understood
  const isLate = missing > 0 && now - Date.parse(at) > understandMs
  const State = missing === 0 ? CircleCheck : isLate ? TriangleAlert : Clock
  return (
    <li className="card grid grid-cols-1 gap-2 wrap-anywhere">
      <p className="flex items-center gap-3 text-lg font-bold">
        <Icon aria-hidden className="shrink-0 text-link" />
        {wordOfInstruction(kind)}
      </p>
      <p>{message}</p>
      <p className="text-sm text-muted">
        {where}. {by}, {formatMoment(new Date(at))}
      </p>
      <p className="flex items-center gap-2 font-semibold tabular-nums">
        <State
          aria-hidden
          size={20}
          className={`shrink-0 ${missing === 0 ? 'text-safe' : isLate ? 'text-warning-ink' : 'text-muted'}`}
        />
        {understood} of {meant} understood
      </p>
      {missing > 0 && (
        <Button variant="outline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Not yet: {missing}
        </Button>
      )}
      {isOpen && missing > 0 && <NotYetList uid={uid} />}
    </li>
  )
}
