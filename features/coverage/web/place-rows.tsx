import { CircleCheck, Hand, type LucideIcon, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { actionRefusals } from '#features/events/words.ts'
import { useStore } from '#web/lib/store.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { responseStore } from '#web/live/response.ts'
import { Button } from '#web/ui/button.tsx'
import { askTheNext } from './asked-words.ts'
import { type Claim, type Gap, useGiveBack, useTake } from './coverage.data.ts'

/** Each state has an icon and a word. */
const states = {
  covered: { icon: CircleCheck, word: 'Covered', badge: 'bg-safe text-on-safe' },
  asked: { icon: Hand, word: 'Asked', badge: 'bg-unknown text-on-unknown' },
  none: { icon: UserX, word: 'No warden', badge: 'bg-ink text-canvas' },
} satisfies Record<string, { icon: LucideIcon; word: string; badge: string }>

function Badge({ state }: { state: keyof typeof states }) {
  const { icon: Icon, word, badge } = states[state]
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-3 py-1 text-sm font-bold ${badge}`}>
      <Icon aria-hidden size={18} className="shrink-0" />
      {word}
    </span>
  )
}

interface RowProps {
  name: string
  state: keyof typeof states
  about: string
  children: ReactNode
}

const Row = ({ name, state, about, children }: RowProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-hairline py-3 first:border-t-0 first:pt-0 last:pb-0">
    <div className="min-w-0 grow basis-52">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-lg leading-snug font-bold">{name}</h3>
        <Badge state={state} />
      </div>
      <p className="text-muted">{about}</p>
    </div>
    <div className="flex grow flex-wrap gap-2 sm:grow-0">{children}</div>
  </li>
)

/** One tap, no dialog. */
export function GapRow({ gap, onAsk }: { gap: Gap; onAsk: (() => void) | undefined }) {
  const take = useTake()
  const isQuiet = useStore(responseStore)?.quiet.has(gap.building.id) === true
  const { name, since, asked, asked_before: before, whole_building } = gap
  const about = [
    `Since ${formatMoment(new Date(since))}`,
    asked && `${asked.name} was asked.`,
    !asked && before && onAsk && askTheNext(before),
  ].filter(Boolean)
  if (isQuiet)
    return (
      <Row name={name} state="none" about={about.join('. ')}>
        <p className="font-semibold">{actionRefusals.quiet_building}</p>
      </Row>
    )
  return (
    <Row name={name} state={asked ? 'asked' : 'none'} about={about.join('. ')}>
      <Button variant="blue" className="grow" busy={take.isPending} onClick={() => take.mutate(gap)}>
        {whole_building ? 'Take this building' : 'Take this floor'}
        <span className="sr-only">: {name}</span>
      </Button>
      {onAsk && (
        <Button variant="outline" className="grow" onClick={onAsk}>
          Ask<span className="sr-only"> someone to take {name}</span>
        </Button>
      )}
    </Row>
  )
}

export function ClaimRow({ claim }: { claim: Claim }) {
  const giveBack = useGiveBack()
  const { name, building, since, own_warden, whole_building } = claim
  const place = whole_building ? name : `${building.name} - ${name}`
  const about = `Taken at ${formatMoment(new Date(since))}`
  return (
    <Row name={place} state="covered" about={own_warden ? `${about}. ${own_warden} is now on ${name}.` : about}>
      <Button variant="outline" className="grow" busy={giveBack.isPending} onClick={() => giveBack.mutate(claim)}>
        Give back<span className="sr-only">: {place}</span>
      </Button>
    </Row>
  )
}
