import { Menu } from 'lucide-react'
import { createStore } from '../../lib/store.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAuth } from '../stored-auth.ts'

/**
 * True while the side menu is open. The shell draws the menu; a screen with its own bar opens it through this store.
 */
export const menuOpenStore = createStore(false)

/** The burger button. Shown only while the warden is on duty, where the menu is no rail. */
export function MenuButton({ always = false }) {
  const isWide = useIsWide()
  if (!useAuth()?.on_duty || (isWide && !always)) return null
  return <IconButton icon={Menu} label="Menu" plain aria-haspopup="dialog" onClick={() => menuOpenStore.set(true)} />
}
