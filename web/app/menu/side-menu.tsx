import { LogOut } from 'lucide-react'
import { useId } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { chooseTheme, type Theme, themeStore } from '../../lib/look/theme.ts'
import { useStore } from '../../lib/store.ts'
import { kept } from '../../lib/tab-state.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { useSignOut } from '../../outbox/use-sign-out.tsx'
import { findPage, hasRail } from '../../pages/find-page.ts'
import type { Address } from '../../pages/pages.ts'
import { menuOpenStore } from '../../session/navigation/menu-button.tsx'
import { type StoredAuth, useAuth } from '../../session/stored-auth.ts'
import { Button } from '../../ui/button.tsx'
import { ToggleChoice } from '../../ui/fields/toggle-choice.tsx'
import { Link } from '../../ui/link.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { type MenuEntry, menuFor } from './menu-entries.ts'
import { PhoneSwitches } from './phone-switches.tsx'
import { UnreadBanner } from './unread-banner.tsx'

const close = () => menuOpenStore.set(false)

/** What was left on a page is for who comes back to it, not for who opens it anew. */
function openAfresh(path: Address) {
  kept.forget(path)
  close()
}

/** Available once the warden is on duty; a rail where there is room for it. */
export function SideMenu() {
  const open = useStore(menuOpenStore)
  const auth = useAuth()
  const page = findPage(usePathname())
  const isWide = useIsWide()
  if (!auth || page?.withoutMenu) return null
  if (!isWide || page?.bar === 'live')
    return (
      <Dialog kind="side" open={open && auth.on_duty} onClose={close} title="Menu">
        <MenuParts auth={auth} />
      </Dialog>
    )
  return auth.on_duty && page && hasRail(page) ? <Rail auth={auth} /> : null
}

function Rail({ auth }: { auth: StoredAuth }) {
  return (
    <aside
      aria-labelledby="menu-title"
      style={{ top: 'var(--drill)' }}
      className="fixed inset-y-0 left-0 flex w-70 flex-col gap-3 border-r border-hairline bg-canvas p-3 print:hidden"
    >
      <h2 id="menu-title" className="px-3 pt-1 text-xl font-bold">
        Menu
      </h2>
      <MenuParts auth={auth} />
    </aside>
  )
}

function MenuParts({ auth }: { auth: StoredAuth }) {
  return (
    <>
      <div className="-mx-3 grid min-h-0 grid-cols-1 flex-1 content-start gap-4 overflow-y-auto px-3 pt-1 pb-3">
        <UnreadBanner onFollow={close} className="-mx-3 border-y-2" />
        <nav aria-label="Menu" className="grid grid-cols-1 gap-3">
          {menuFor(auth).map(([title, entries]) => (
            <Section key={title} title={title} entries={entries} />
          ))}
        </nav>
        <ThemeSwitch />
        <PhoneSwitches />
      </div>
      {/* Always in the thumb's reach, however long the menu is. */}
      <div className="grid gap-2 border-t border-hairline pt-2">
        <ConnectionStatus />
        <GoOffDuty />
      </div>
    </>
  )
}

function Section({ title, entries }: { title: string; entries: readonly MenuEntry[] }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="px-3 py-1 text-muted">
        {title}
      </h3>
      <ul className="grid grid-cols-1 gap-1">
        {entries.map(({ path, text, icon: Icon }) => (
          <li key={path}>
            <Link
              to={path}
              onClick={() => openAfresh(path)}
              className="flex min-h-13 items-center gap-4 rounded-xl px-3 text-lg wide:gap-3 wide:text-base aria-[current=page]:bg-raised aria-[current=page]:font-bold"
            >
              <Icon aria-hidden className="shrink-0 text-link" />
              <span className="min-w-0">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const themeChoices: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
]

function ThemeSwitch() {
  return <ToggleChoice legend="Theme" options={themeChoices} value={useStore(themeStore)} onChange={chooseTheme} />
}

function GoOffDuty() {
  const { start, check } = useSignOut()
  return (
    <>
      <Button variant="red" icon={LogOut} block onClick={start}>
        Go Off Duty
      </Button>
      {check}
    </>
  )
}
