import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import { addStyles } from '#web/lib/add-styles.ts'
import { managedSitesQuery } from '#web/reads/managed-sites.data.ts'
import { SiteChoice } from '#web/ui/fields/site-choice.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import looks from './styles/walls.css?inline'
import { MakeWall } from './walls/make-wall.tsx'
import { NewWall } from './walls/new-wall.tsx'
import { WallList } from './walls/wall-list.tsx'
import { type MadeWall, wallsQuery } from './walls/walls.data.ts'

addStyles(looks)

/** Links for screens that show the board without a sign-in. */
export function WallsScreen() {
  const sites = useQuery(managedSitesQuery)
  return (
    <Page className="bd-walls">
      <p>A wall screen shows the command board without a sign-in. Nothing on it can be changed.</p>
      <WhenRead read={sites} parts={['field', 'card', 'card']}>
        {({ sites: all }) => <SiteChoice sites={all}>{(site) => <WallsOf key={site} site={site} />}</SiteChoice>}
      </WhenRead>
    </Page>
  )
}

function WallsOf({ site }: { site: SiteUid }) {
  const read = useQuery(wallsQuery(site))
  const [made, setMade] = useState<MadeWall | null>(null)
  return (
    <>
      <MakeWall site={site} onMade={setMade} />
      {made && <NewWall made={made} />}
      <WhenRead read={read} parts={['card', 'card']}>
        {({ walls }) => (
          <WallList walls={walls} site={site} onEnded={(uid) => setMade(made?.uid === uid ? null : made)} />
        )}
      </WhenRead>
    </>
  )
}
