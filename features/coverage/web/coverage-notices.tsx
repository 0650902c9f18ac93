import { CircleCheck, ShieldAlert, X } from 'lucide-react'
import { formatCount } from '#web/lib/counts.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { isAllowed } from '#web/pages/access.ts'
import { type Brief, useBrief } from '#web/reads/brief.data.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Link } from '#web/ui/link.tsx'
import { useGiveBack } from './coverage.data.ts'

const look = 'flex flex-wrap items-center gap-x-3 gap-y-1 border-t-2 border-unknown bg-surface px-3 py-2 text-ink'

/**
 * Below the header of every page of the event. A closed notice stays closed on the next page. Regions stand empty from
 * the start, so that they are read out.
 */
export function CoverageNotices() {
  const brief = useBrief()?.brief
  return (
    <>
      <OwnHasCome claims={brief?.claims ?? []} />
      <Overdue gaps={brief?.gaps ?? null} />
    </>
  )
}

/** The warden of a floor that this one has taken is there now. */
function OwnHasCome({ claims }: { claims: Brief['claims'] }) {
  const [stays, setStays] = useKept<readonly string[]>('coverage stays', [])
  const giveBack = useGiveBack()
  const claim = claims.find(({ id, own_warden }) => own_warden !== null && !stays.includes(id))
  return (
    <div role="status">
      {claim && (
        <div className={look}>
          <CircleCheck aria-hidden className="shrink-0 text-safe" />
          <p className="min-w-0 grow basis-48 font-semibold">
            {claim.own_warden} is now on {claim.name}.
          </p>
          <span className="flex gap-2">
            <Button variant="outline" busy={giveBack.isPending} onClick={() => giveBack.mutate(claim)}>
              Give back
            </Button>
            <Button variant="quiet" onClick={() => setStays([...stays, claim.id])}>
              Stay
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

/** Milliseconds between two of them. */
const pause = 5 * 60_000

/** Event managers alone are sent these gaps. */
function Overdue({ gaps }: { gaps: Brief['gaps'] }) {
  const [closedAt, setClosedAt] = useKept('coverage closed', 0)
  const auth = useAuth()
  const isQuiet = Date.now() - closedAt < pause
  const canSee = auth !== null && isAllowed(auth, 'Module_Floor_Evacuation')
  return (
    <div role="status">
      {gaps && !isQuiet && (
        <div className={look}>
          <ShieldAlert aria-hidden className="shrink-0 text-danger-ink" />
          <p className="min-w-0 grow basis-48 font-semibold">{sentenceOf(gaps)}</p>
          <span className="flex max-w-full items-center gap-1">
            {canSee && (
              <Link to="/event/coverage" className="btn min-w-0 border-line px-3 text-link">
                See who can take them
              </Link>
            )}
            <IconButton icon={X} label="Close" plain onClick={() => setClosedAt(Date.now())} />
          </span>
        </div>
      )}
    </div>
  )
}

function sentenceOf({ count, minutes }: NonNullable<Brief['gaps']>): string {
  const over = `over ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  if (count === 1) return `1 floor has had no warden for ${over}.`
  return `${formatCount(count)} floors have had no warden for ${over}.`
}
