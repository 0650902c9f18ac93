import { useQuery } from '@tanstack/react-query'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { packsQuery } from './arrival-pack.data.ts'
import { HazardList } from './hazards.tsx'
import { LivePacks } from './live-packs.tsx'
import { MakePack } from './make-pack.tsx'
import { Readers } from './readers.tsx'

/** The page for the fire service, who has opened it, and hazards. */
export function PackScreen() {
  const read = useQuery(packsQuery)
  return (
    <Page>
      <div className="grid grid-cols-1 items-start gap-6 wide:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <p>One page for the fire service: it opens on any phone without signing in, and can be printed.</p>
          <MakePack />
          <WhenRead read={read} parts={['card']}>
            {({ packs }) => <LivePacks packs={packs.filter(({ ended }) => !ended)} />}
          </WhenRead>
        </div>
        <div className="grid grid-cols-1 gap-6">
          {read.data && <Readers {...read.data} />}
          <HazardList />
        </div>
      </div>
    </Page>
  )
}
