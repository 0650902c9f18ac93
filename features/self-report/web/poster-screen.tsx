import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { SiteUid } from '#kernel/ids.ts'
import { addStyles } from '#web/lib/add-styles.ts'
import { managedSitesQuery } from '#web/reads/managed-sites.data.ts'
import { Button } from '#web/ui/button.tsx'
import { SiteChoice } from '#web/ui/fields/site-choice.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { NewCode } from './new-code.tsx'
import { PageSwitch } from './page-switch.tsx'
import looks from './poster.css?inline'
import { posterQuery } from './poster.data.ts'
import { Poster } from './poster.tsx'

addStyles(looks)

/** The poster of a site, by which its occupants say that they are safe or call for help. */
export function PosterScreen() {
  const sites = useQuery(managedSitesQuery)
  return (
    <Page className="poster-page">
      <WhenRead read={sites} parts={['field', 'card', 'card']}>
        {({ sites: all, activeEvent }) => (
          <SiteChoice sites={all} first={activeEvent?.siteId}>
            {(site) => <PosterOf key={site} site={site} hasEvent={site === activeEvent?.siteId} />}
          </SiteChoice>
        )}
      </WhenRead>
    </Page>
  )
}

function PosterOf({ site, hasEvent }: { site: SiteUid; hasEvent: boolean }) {
  const read = useQuery(posterQuery(site))
  return (
    <WhenRead read={read} parts={['card', 'card']}>
      {(poster) => (
        <>
          <p>
            Put it where people pass by. Anyone who opens its address during an event can say that they are safe, or
            call for help. A poster proves nothing: a warden reads each report before it counts.
          </p>
          <PageSwitch poster={poster} hasEvent={hasEvent} />
          <div className="flex flex-wrap gap-3">
            <Button icon={Printer} className="grow" onClick={() => window.print()}>
              Print
            </Button>
            <NewCode poster={poster} />
          </div>
          <Poster site={poster.site.name} url={poster.url} />
        </>
      )}
    </WhenRead>
  )
}
