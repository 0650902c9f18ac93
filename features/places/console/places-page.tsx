import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { count } from '#web/console/count.ts'
import { useZone } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { AddDialog } from './place-dialogs.tsx'
import { type SitePlace, sitesQuery } from './places.data.ts'
import { Retired } from './retired.tsx'

const purpose = 'Sites, buildings and floors: where people are counted, and who looks after them.'

/** The sites within reach. */
export function PlacesPage({ mayAdd }: { mayAdd: boolean }) {
  const { data, error, refetch, isFetching } = useQuery(sitesQuery)
  const zone = useZone()
  const [isAdding, setIsAdding] = useState(false)
  const button = mayAdd && <Button onClick={() => setIsAdding(true)}>Add a site</Button>
  const sites = data?.sites.filter(({ retired_at }) => retired_at === null)
  return (
    <PageFrame title="Places" purpose={purpose} button={button}>
      {error && (
        <>
          <Notice variant="danger">The list could not be loaded.</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
      {!data && !error && <Skeleton parts={['line', 'line', 'line']} />}
      {sites?.length === 0 && <p className="console-none">There are no sites yet.</p>}
      <ul className="grid gap-3 empty:hidden">
        {sites?.map((site) => (
          <Site key={site.uid} site={site} />
        ))}
      </ul>
      {data && mayAdd && <Retired places={data.sites} />}
      {isAdding && <AddDialog within={null} zone={zone} onClose={() => setIsAdding(false)} />}
    </PageFrame>
  )
}

function Site({ site }: { site: SitePlace }) {
  return (
    <li>
      <Link to={`/console/places/${site.uid}`} className="card console-choice flex items-center gap-3">
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-lg leading-tight font-bold wrap-anywhere">{site.name}</span>
            <span className="text-sm text-muted">{site.code}</span>
            {site.event && <span className="console-chip">Event running</span>}
          </span>
          <span className="text-muted">
            {count(site.buildings, 'building')}, {count(site.floors, 'floor')}, {count(site.people, 'person', 'people')}
            , {count(site.wardens, 'warden')} today
          </span>
          {site.buildings === 0 && <span className="font-semibold">Open it to add its buildings.</span>}
        </span>
        <ChevronRight aria-hidden className="shrink-0 text-muted" />
      </Link>
    </li>
  )
}
