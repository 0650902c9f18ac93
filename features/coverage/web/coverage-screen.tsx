import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { offerSeconds } from '../kinds.ts'
import { CandidatesSheet } from './candidates-sheet.tsx'
import { type Coverage, coverageQuery, type Gap } from './coverage.data.ts'
import { ClaimRow, GapRow } from './place-rows.tsx'

/** Floors of the event without a warden, and those that this warden has taken. */
export function CoverageScreen() {
  const coverage = useQuery(coverageQuery)
  return (
    <Page>
      <WhenRead read={coverage} parts={['line', 'line', 'line']}>
        {(data) => <Places data={data} asOf={coverage.dataUpdatedAt} />}
      </WhenRead>
    </Page>
  )
}

function Places({ data: { gaps, claims, floors_named }, asOf }: { data: Coverage; asOf: number }) {
  const stale = useConnectionHealth().trouble !== null
  const canAsk = useAuth()?.module_access.Module_Floor_Warden_Status === true
  const [asking, setAsking] = useState<Gap | null>(null)
  useLapseOf(gaps, asOf)
  return (
    <>
      <AsOf at={asOf} stale={stale} />
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        {claims.length > 0 && (
          <Section title="Taken by you" className="wide:order-first">
            {claims.map((claim) => (
              <ClaimRow key={claim.id} claim={claim} />
            ))}
          </Section>
        )}
        <div className={`grid grid-cols-1 gap-4 ${claims.length > 0 ? '' : 'wide:col-span-2'}`}>
          {gaps.length === 0 && <Empty floorsNamed={floors_named} />}
          {[...Map.groupBy(gaps, ({ building }) => building.id).values()].map((places) => (
            <Section key={places[0]?.building.id} title={places[0]?.building.name ?? ''}>
              {places.map((gap) => (
                <GapRow key={gap.id} gap={gap} onAsk={canAsk ? () => setAsking(gap) : undefined} />
              ))}
            </Section>
          ))}
        </div>
      </div>
      <CandidatesSheet gap={asking} now={gaps.find(({ id }) => id === asking?.id)} onClose={() => setAsking(null)} />
    </>
  )
}

/** No one publishes that an offer has lapsed, so the gaps are read again at that moment. */
function useLapseOf(gaps: readonly Gap[], readAt: number): void {
  const client = useQueryClient()
  const oldest = Math.max(...gaps.map(({ asked }) => asked?.seconds_ago ?? -1))
  useEffect(() => {
    if (oldest < 0) return
    const left = readAt + (offerSeconds - oldest) * 1000 - Date.now()
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['coverage'] }), Math.max(1000, left))
    return () => clearTimeout(timer)
  }, [client, oldest, readAt])
}

interface SectionProps {
  title: string
  className?: string
  children: ReactNode
}

const Section = ({ title, className = '', children }: SectionProps) => (
  <section aria-label={title} className={`card grid grid-cols-1 gap-3 ${className}`}>
    <h2 className="text-lg font-bold">{title}</h2>
    <ul className="grid grid-cols-1">{children}</ul>
  </section>
)

const Empty = ({ floorsNamed }: { floorsNamed: boolean }) => (
  <p role="status" className="card flex items-center gap-3 text-lg font-bold">
    <CircleCheck aria-hidden className="shrink-0 text-safe" />
    {floorsNamed ? 'Every floor has a warden.' : 'No floor has a warden of its own.'}
  </p>
)
