import type { ModuleFlag } from '@evac/contract/vocabulary.ts'
import {
  BookUser,
  Building2,
  ClipboardCheck,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  ShieldCheck,
  Siren,
  UserCheck,
  Users,
} from 'lucide-react'
import type { RoutePath } from '../pages/routes.ts'
import type { StoredAuth } from '../session/stored-auth.ts'
import type { ScreenTable } from './screen-table.tsx'

export interface MenuEntry {
  /** Letter for letter, case included (AMB-013). */
  text: string
  path: RoutePath
  icon: LucideIcon
  /** Shown to everybody without one (MENU-09). */
  flag?: ModuleFlag
}
export interface MenuSection {
  title: string
  entries: readonly MenuEntry[]
}

/** MENU-02..10, AMB-012, AMB-013. */
const sections: readonly MenuSection[] = [
  {
    title: 'evacuee management',
    entries: [
      { text: 'floor evacuation', path: '/floor/evacuation', icon: ClipboardCheck, flag: 'Module_Floor_Evacuation' },
      { text: 'evacuee safety', path: '/evacuee/safety', icon: ShieldCheck, flag: 'Module_Evacuee_Safety' },
    ],
  },
  {
    title: 'evacuation status',
    entries: [
      {
        text: 'floor evacuation status',
        path: '/floor/evacstatus',
        icon: ListChecks,
        flag: 'Module_Floor_Evacuation_Status',
      },
      {
        text: 'Evacuation Status',
        path: '/building/status',
        icon: Building2,
        flag: 'Module_Building_Evacuation_Status',
      },
    ],
  },
  {
    title: 'warden activities',
    entries: [
      { text: 'Wardens On duty', path: '/warden/onduty', icon: Users, flag: 'Module_Wardens_On_Duty' },
      { text: 'Warden Messaging', path: '/message/all', icon: MessagesSquare, flag: 'Module_Warden_Messaging' },
      { text: 'Event Management', path: '/event/management', icon: Siren, flag: 'Module_Event_Management' },
      {
        text: 'Floor Warden Status',
        path: '/floor/warden/status',
        icon: UserCheck,
        flag: 'Module_Floor_Warden_Status',
      },
      { text: 'My Role & Documents', path: '/me/role', icon: BookUser },
    ],
  },
]

/** What this warden may open and what is built; sections without an entry are left out. */
export function menuFor(auth: StoredAuth, screens: ScreenTable): MenuSection[] {
  const isShown = ({ path, flag }: MenuEntry) => screens[path] && (!flag || auth.module_access[flag])
  return sections
    .map(({ title, entries }) => ({ title, entries: entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0)
}
