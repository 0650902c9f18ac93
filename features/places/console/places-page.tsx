import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { count } from '#web/console/count.ts'
import { WhenListed } from '#web/console/list/when-listed.tsx'
import { useZone } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { AddDialog } from './place-dialogs.tsx'
import { type SitePlace, sitesQuery } from './places.data.ts'
import { Retired } from './retired.tsx'

const purpose = 'Sites, buildings and floors: where people are counted, and who looks after them.'

/** The sites within reach. */
export function PlacesPage({ mayAdd }: { mayAdd: boolean }) {
  const read = useQuery(sitesQuery)
  const zone = useZone()
  const [isAdding, setIsAdding] = useState(false)
  const button = mayAdd && <Button onClick={() => setIsAdding(true)}>Add a site</Button>
  return (
    <PageFrame title="Places" purpose={purpose} button={button}>
      <WhenListed read={read}>{({ sites }) => <Sites sites={sites} mayAdd={mayAdd} />}</WhenListed>
      {isAdding && <AddDialog within={null} zone={zone} onClose={() => setIsAdding(false)} />}
    </PageFrame>
  )
}

function Sites({ sites, mayAdd }: { sites: readonly SitePlace[]; mayAdd: boolean }) {
  const inUse = sites.filter(({ retired_at }) => retired_at === null)
  return (
    <>
      {inUse.length === 0 && <p className="console-none">There are no sites yet.</p>}
      <ul className="grid gap-3 empty:hidden">
        {inUse.map((site) => (
          <Site key={site.uid} site={site} />
        ))}
      </ul>
      {mayAdd && <Retired places={sites} />}
    </>
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
