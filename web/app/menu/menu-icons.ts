import {
  BookUser,
  Building2,
  CalendarDays,
  ClipboardCheck,
  History,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  ShieldAlert,
  ShieldCheck,
  Siren,
  UserCheck,
  Users,
} from 'lucide-react'
import type { MenuPath } from '../../pages/pages.ts'

/** The icon of each entry of the menu. Not part of the table of pages, which every first visit loads. */
export const menuIcons: Record<MenuPath, LucideIcon> = {
  '/floor/evacuation': ClipboardCheck,
  '/evacuee/safety': ShieldCheck,
  '/floor/evacstatus': ListChecks,
  '/building/status': Building2,
  '/event/board': LayoutGrid,
  '/warden/onduty': Users,
  '/message/all': MessagesSquare,
  '/event/management': Siren,
  '/event/coverage': ShieldAlert,
  '/floor/warden/status': UserCheck,
  '/coverage': CalendarDays,
  '/me/role': BookUser,
  '/event/records': History,
  '/event/observation': ClipboardCheck,
}
