import type { Me } from '@evac/contract/calls/console/console-sign-in.ts'
import type { ConsoleRight } from '@evac/contract/console-rights.ts'
import { LayoutDashboard, type LucideIcon, ShieldUser } from 'lucide-react'
import type { ReactNode } from 'react'
import { AdministratorsPage } from '../../features/administration/administrators-page.tsx'
import { OverviewPage } from '../../features/administration/overview-page.tsx'
import type { ConsolePath } from '../../pages/pages.ts'
import { PageFrame } from './page-frame.tsx'

export interface ConsoleEntry {
  path: ConsolePath
  title: string
  /** Who sees the entry. Without it everybody. */
  right?: ConsoleRight
  icon: LucideIcon
  page: (me: Me) => ReactNode
}

/** The pages of the console in the order of the column (C§9). */
export const consolePages: readonly ConsoleEntry[] = [
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
