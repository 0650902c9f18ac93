import { Page } from '#web/ui/page.tsx'
import { HazardList } from './hazards.tsx'

/** Hazards, for everybody on duty. */
export const HazardsScreen = () => (
  <Page>
    <HazardList />
  </Page>
)
