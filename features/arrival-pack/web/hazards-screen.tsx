import { Page } from '#web/ui/page.tsx'
import { HazardList } from './hazards.tsx'

/** PACK-12: hazards, for everybody on duty. */
export const HazardsScreen = () => (
  <Page>
    <HazardList />
  </Page>
)
