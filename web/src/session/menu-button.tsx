import { Menu } from 'lucide-react'
import { menuOpenStore } from '../lib/menu-state.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useAuth } from './stored-auth.ts'

/** The burger button. Shown only while the warden is on duty (MENU-20, AMB-016). */
export function MenuButton() {
  if (!useAuth()?.on_duty) return null
  return <IconButton icon={Menu} label="Menu" plain aria-haspopup="dialog" onClick={() => menuOpenStore.set(true)} />
}
