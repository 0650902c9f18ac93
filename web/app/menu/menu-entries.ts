import type { LucideIcon } from 'lucide-react'
import { isAllowed } from '../../pages/access.ts'
import { type Address, type MenuPath, type MenuSection, pages } from '../../pages/pages.ts'
import type { StoredAuth } from '../../session/stored-auth.ts'
import { menuIcons } from './menu-icons.ts'

export interface MenuEntry {
  text: string
  path: Address
  icon: LucideIcon
}

/** The menu pages that this warden may open, by section; sections without an entry are left out. */
export function menuFor(auth: StoredAuth): [title: MenuSection, entries: MenuEntry[]][] {
  const sections = new Map<MenuSection, MenuEntry[]>()
  for (const { path, access, menu } of pages) {
    if (!menu || !isAllowed(auth, access)) continue
    const { section, text } = menu
    const entry = { text, path: path as Address, icon: menuIcons[path as MenuPath] }
    sections.set(section, [...(sections.get(section) ?? []), entry])
  }
  return [...sections]
}
