import { Menu } from 'lucide-react'
import { menuOpenStore } from '../lib/menu-state.ts'
import { useAuth } from '../lib/stored-auth.ts'
import { IconButton } from './icon-button.tsx'

/** The burger. Drawn only once the warden is on duty (MENU-20, AMB-016). */
export function MenuButton() {
  if (!useAuth()?.on_duty) return null
  return <IconButton icon={Menu} label="Menu" plain aria-haspopup="dialog" onClick={() => menuOpenStore.set(true)} />
}
