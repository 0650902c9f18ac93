import type { Me } from '@evac/contract/calls/console/console-sign-in.ts'
import type { ConsoleRight } from '@evac/contract/console-rights.ts'
import { LayoutDashboard, type LucideIcon, ShieldUser, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageFrame } from '../../console/page-frame.tsx'
import { AdministratorsPage } from '../../features/administration/administrators-page.tsx'
import { OverviewPage } from '../../features/administration/overview-page.tsx'
import { PeoplePage } from '../../features/people/people-page.tsx'
import type { ConsolePath } from '../../pages/pages.ts'

export interface ConsoleEntry {
  path: ConsolePath
  title: string
  /** Who sees the entry. Without it everybody. */
  right?: ConsoleRight
  icon: LucideIcon
  page: (me: Me) => ReactNode
  /** The page at an address below the path, such as 'new' or an id. Undefined if there is none. */
  below?: (rest: string, me: Me) => ReactNode | undefined
}

/** The pages of the console in the order of the column (C§9). */
const consolePages: readonly ConsoleEntry[] = [
  {
    path: '/console',
    title: 'Overview',
    icon: LayoutDashboard,
    page: (me) => (
      <PageFrame title="Overview" purpose="What is open, and what needs you.">
        <OverviewPage hasSteps={me.rights.includes('organisation')} />
      </PageFrame>
    ),
  },
  {
    path: '/console/people',
    title: 'People',
    right: 'people',
    icon: Users,
    page: () => <PeoplePage />,
  },
  {
    path: '/console/administrators',
    title: 'Administrators',
    right: 'organisation',
    icon: ShieldUser,
    page: (me) => (
      <AdministratorsPage
        seesPlans={me.sees_plans}
        frame={(button, content) => (
          <PageFrame title="Administrators" purpose="Who administers the organisation, and how far." button={button}>
            {content}
          </PageFrame>
        )}
      />
    ),
  },
]

export const entriesFor = ({ rights }: Me) => consolePages.filter(({ right }) => !right || rights.includes(right))

/** The entry that an address belongs to, and what the address says beyond the entry's path. */
export function entryAt(pathname: string): { entry: ConsoleEntry; rest: string } | undefined {
  const isAt = ({ path }: ConsoleEntry) => pathname === path || (path !== '/console' && pathname.startsWith(`${path}/`))
  const entry = consolePages.find(isAt)
  return entry && { entry, rest: pathname.slice(entry.path.length + 1) }
}
