import {
  Boxes,
  Building2,
  FileUp,
  HeartHandshake,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  PhoneCall,
  ScrollText,
  Settings,
  ShieldCheck,
  ShieldUser,
  Siren,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { AdministratorsPage } from '#features/administrators/console/administrators-page.tsx'
import { NoManager } from '#features/assignments/console/no-manager.tsx'
import { WaitingList } from '#features/assignments/console/waiting-list.tsx'
import { WardensPage } from '#features/assignments/console/wardens-page.tsx'
import { SignInChanges } from '#features/authority/console/sign-in-changes.tsx'
import { AuditPage } from '#features/organisation/console/audit/audit-page.tsx'
import { isListKind, ListsPage } from '#features/organisation/console/lists/lists-page.tsx'
import { OverviewPage } from '#features/organisation/console/overview/overview-page.tsx'
import { SettingsPage } from '#features/organisation/console/settings/settings-page.tsx'
import { PlanPage } from '#features/peeps/console/plan-page.tsx'
import { PlansPage } from '#features/peeps/console/plans-page.tsx'
import { DuplicatesPage } from '#features/people/console/duplicates-page.tsx'
import { GroupPage } from '#features/people/console/groups/group-page.tsx'
import { GroupsPage } from '#features/people/console/groups/groups-page.tsx'
import { NewPersonPage } from '#features/people/console/new-person-page.tsx'
import { PeoplePage } from '#features/people/console/people-page.tsx'
import { PersonPage } from '#features/people/console/person-page.tsx'
import { PlacesPage } from '#features/places/console/places-page.tsx'
import { SitePage } from '#features/places/console/site-page.tsx'
import { ReachingPage } from '#features/reach/console/reaching-page.tsx'
import type { Me } from '#features/sign-in/calls/console-sign-in.ts'
import { TablesPage } from '#features/uploads/console/tables-page.tsx'
import { UploadPage } from '#features/uploads/console/upload-page.tsx'
import type { ConsoleRight } from '#kernel/console-kinds.ts'
import type { GroupUid, PersonUid, SiteUid, UploadUid } from '#kernel/ids.ts'
import { PageFrame } from '../../console/page-frame.tsx'
import type { ConsolePath } from '../../pages/pages.ts'
import { RecordPages } from './record-pages.tsx'

export interface ConsoleEntry {
  path: ConsolePath
  title: string
  /** Who sees the entry. Without it everyone. */
  right?: ConsoleRight
  icon: LucideIcon
  page: (me: Me) => ReactNode
  /** The page at an address below the path, such as 'new' or an id. Undefined if there is none. */
  below?: (rest: string, me: Me) => ReactNode | undefined
}

const isUid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** The pages of the console in the order of the column. */
const consolePages: readonly ConsoleEntry[] = [
  {
    path: '/console',
    title: 'Overview',
    icon: LayoutDashboard,
    page: (me) => (
      <PageFrame title="Overview" purpose="What is open, and what needs you.">
        {me.rights.includes('wardens') && <NoManager />}
        <WaitingList mayDecide={me.rights.includes('organisation')} />
        <OverviewPage
          reaches={(path) =>
            entriesFor(me).some(
              (entry) => path === entry.path || (path.startsWith(`${entry.path}/`) && entry.path !== '/console'),
            )
          }
        />
        <SignInChanges mayReadLog={me.rights.includes('organisation')} />
      </PageFrame>
    ),
  },
  {
    path: '/console/people',
    title: 'People',
    right: 'people',
    icon: Users,
    page: () => <PeoplePage />,
    below: (rest) => {
      if (rest === 'new') return <NewPersonPage />
      if (rest === 'duplicates') return <DuplicatesPage />
      return isUid(rest) ? <PersonPage key={rest} uid={rest as PersonUid} /> : undefined
    },
  },
  {
    path: '/console/groups',
    title: 'Groups',
    right: 'organisation',
    icon: Boxes,
    page: () => <GroupsPage />,
    below: (uid) => (isUid(uid) ? <GroupPage key={uid} uid={uid as GroupUid} /> : undefined),
  },
  {
    path: '/console/places',
    title: 'Places',
    right: 'places',
    icon: Building2,
    page: ({ reach }) => <PlacesPage mayAdd={reach.kind === 'organisation'} />,
    below: (rest, { reach }) => (
      <SitePage
        key={rest}
        siteUid={rest as SiteUid}
        mayChange={reach.kind !== 'group'}
        mayRetireSite={reach.kind === 'organisation'}
      />
    ),
  },
  {
    path: '/console/wardens',
    title: 'Wardens',
    right: 'wardens',
    icon: ShieldCheck,
    page: () => <WardensPage tab="assignments" />,
    below: (rest) => (rest === 'coverage' || rest === 'roles' ? <WardensPage tab={rest} /> : undefined),
  },
  {
    path: '/console/plans',
    title: 'Plans',
    right: 'plans',
    icon: HeartHandshake,
    page: () => <PlansPage />,
    below: (uid) => (isUid(uid) ? <PlanPage key={uid} personUid={uid as PersonUid} /> : undefined),
  },
  {
    path: '/console/lists',
    title: 'Lists',
    right: 'lists',
    icon: ListChecks,
    page: (me) => <ListsPage kind="floor-statuses" isWhole={me.reach.kind === 'organisation'} />,
    below: (kind, me) =>
      isListKind(kind) ? <ListsPage kind={kind} isWhole={me.reach.kind === 'organisation'} /> : undefined,
  },
  {
    path: '/console/records',
    title: 'Records',
    right: 'records',
    icon: Siren,
    page: () => <RecordPages rest="" />,
    below: (rest) => <RecordPages rest={rest} />,
  },
  {
    path: '/console/tables',
    title: 'Upload & export',
    right: 'tables',
    icon: FileUp,
    page: ({ reach }) => <TablesPage isWhole={reach.kind === 'organisation'} />,
    below: (uid) => (isUid(uid) ? <UploadPage key={uid} uid={uid as UploadUid} /> : undefined),
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
          <PageFrame
            title="Administrators"
            purpose="Who administers the organisation, and how much of it."
            button={button}
          >
            {content}
          </PageFrame>
        )}
      />
    ),
  },
  {
    path: '/console/reaching',
    title: 'Reaching people',
    right: 'organisation',
    icon: PhoneCall,
    page: () => <ReachingPage />,
  },
  {
    path: '/console/settings',
    title: 'Settings',
    right: 'organisation',
    icon: Settings,
    page: () => <SettingsPage />,
  },
  {
    path: '/console/audit',
    title: 'Audit log',
    right: 'organisation',
    icon: ScrollText,
    page: () => <AuditPage />,
  },
]

export const entriesFor = ({ rights }: Me) => consolePages.filter(({ right }) => !right || rights.includes(right))

/** The entry that an address belongs to, and what the address says beyond the entry's path. */
export function entryAt(pathname: string): { entry: ConsoleEntry; rest: string } | undefined {
  const isAt = ({ path }: ConsoleEntry) => pathname === path || (path !== '/console' && pathname.startsWith(`${path}/`))
  const entry = consolePages.find(isAt)
  return entry && { entry, rest: pathname.slice(entry.path.length + 1) }
}
