import { useState } from 'react'
import { PageFrame } from '#web/console/page-frame.tsx'
import type { ConsolePath } from '#web/pages/pages.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { AssignmentsTab } from './assignments-tab.tsx'
import { CoverageTab } from './coverage-tab.tsx'
import { OfferDialog, type Preset } from './offer-dialog.tsx'
import { RolesTab } from './roles-tab.tsx'

const tabs = [
  { tab: 'assignments', to: '/console/wardens', title: 'Assignments' },
  { tab: 'coverage', to: '/console/wardens/coverage', title: 'Coverage' },
  { tab: 'roles', to: '/console/wardens/roles', title: 'Roles' },
] as const satisfies readonly { tab: string; to: ConsolePath; title: string }[]
export type WardensTab = (typeof tabs)[number]['tab']

/** Who looks after which place. */
export function WardensPage({ tab }: { tab: WardensTab }) {
  const [offered, setOffered] = useState<Preset | null>(null)
  return (
    <PageFrame
      title="Wardens"
      purpose="Who looks after which floor, and who has been asked."
      button={<Button onClick={() => setOffered({})}>Offer a role</Button>}
    >
      <nav aria-label="Wardens" className="console-tabs">
        {tabs.map(({ tab: one, to, title }) => (
          <Link key={one} to={to} aria-current={one === tab ? 'page' : undefined}>
            {title}
          </Link>
        ))}
      </nav>
      {tab === 'assignments' && <AssignmentsTab />}
      {tab === 'coverage' && <CoverageTab onOffer={setOffered} />}
      {tab === 'roles' && <RolesTab />}
      {offered && <OfferDialog preset={offered} onClose={() => setOffered(null)} />}
    </PageFrame>
  )
}
