import { Page } from '#web/ui/page.tsx'
import { HazardList } from './hazards.tsx'

/** Hazards, for everyone on duty. */
export const HazardsScreen = () => (
  <Page>
    <HazardList />
  </Page>
)
