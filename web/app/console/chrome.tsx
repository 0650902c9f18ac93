import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, LogOut, Menu, Siren } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { OwnSignInChanges } from '#features/authority/console/sign-in-changes.tsx'
import type { Me } from '#features/sign-in/calls/console-sign-in.ts'
import { ConfirmIdentity } from '#features/sign-in/console/confirm-identity.tsx'
import { fullName } from '#web/console/names.ts'
import { meQuery, nowQuery } from '../../console/me.data.ts'
import { WhatMayChange } from '../../console/what-may-change.tsx'
import { formatTimeIn } from '../../console/zone-time.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { useOnline } from '../../lib/use-online.ts'
import { consoleSentence } from '../../session/console-session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { entriesFor, entryAt } from './console-pages.tsx'
import { useWayOut } from './leave-console.ts'
import { SwitchOrganisation } from './switch-organisation.tsx'

/** The column and the page of who is signed in. */
export function Chrome({ pathname }: { pathname: string }) {
  const { data: me, error, refetch, isFetching } = useQuery(meQuery)
  const isWide = useIsWide()
  if (!me)
    return (
      <main className="column grid gap-4 py-8">
        {error ? (
          <>
            <Notice variant="danger">{consoleSentence(error)}</Notice>
            <TryAgain onPress={() => void refetch()} busy={isFetching} />
          </>
        ) : (
          <Skeleton parts={['line', 'line']} />
        )}
      </main>
    )
  return (
    <div className="console-frame">
      {isWide ? (
        <aside className="console-column">
          <Column me={me} pathname={pathname} />
        </aside>
      ) : (
        <PhoneBar me={me} pathname={pathname} />
      )}
      <main className="console-main">
        <Bars me={me} />
        <Content me={me} pathname={pathname} />
      </main>
      <ConfirmIdentity />
    </div>
  )
}

function Content({ me, pathname }: { me: Me; pathname: string }) {
  const at = entryAt(pathname)
  usePageStart(pathname)
  const page = at && (at.rest ? at.entry.below?.(at.rest, me) : at.entry.page(me))
  if (!page) return <Notice variant="warning">There is no such page.</Notice>
  return entriesFor(me).includes(at.entry) ? (
    page
  ) : (
    <Notice variant="warning">You do not have access to this page.</Notice>
  )
}

/** A new page begins at its top, and its title takes the focus so that it is read out. */
function usePageStart(pathname: string) {
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
  }, [pathname])
}

/** No connection, and running events. */
function Bars({ me }: { me: Me }) {
  const isOnline = useOnline()
  const { data } = useQuery(nowQuery)
  return (
    <>
      <div role="status" className="empty:hidden">
        {!isOnline && <Notice variant="warning">No connection. Nothing was saved.</Notice>}
      </div>
      {data?.events.map(({ uid, site, started_at }) => (
        <p key={uid} className="flex items-center gap-3 rounded-xl bg-danger px-4 py-2 font-semibold text-on-danger">
          <Siren aria-hidden className="shrink-0" />
          An event is running at {site} since {formatTimeIn(started_at, me.organisation.timezone)}.
        </p>
      ))}
      {data && data.events.length > 0 && <WhatMayChange />}
      <OwnSignInChanges />
    </>
  )
}

function PhoneBar(props: { me: Me; pathname: string }) {
  const [open, setOpen] = useState(false)
  const title = entryAt(props.pathname)?.entry.title ?? 'Administration'
  return (
    <header className="pin-top z-20 flex min-h-15 items-center gap-1 border-b border-hairline bg-canvas px-1">
      <IconButton icon={Menu} label="Menu" plain aria-expanded={open} onClick={() => setOpen(true)} />
      <span className="min-w-0 flex-1 truncate text-lg font-bold">{title}</span>
      <Dialog kind="side" open={open} onClose={() => setOpen(false)} title="Menu">
        <Column {...props} onFollow={() => setOpen(false)} />
      </Dialog>
    </header>
  )
}

interface ColumnProps {
  me: Me
  pathname: string
  onFollow?: () => void
}

const entryClass = 'console-entry'

function Column({ me, pathname, onFollow }: ColumnProps) {
  const { running, toWardenSide, signOut } = useWayOut()
  return (
    <>
      <div className="flex items-center gap-3 px-2 pt-1">
        <Logo size={32} />
        <div className="min-w-0 flex-1">
          <p className="truncate leading-tight font-bold">{me.organisation.name}</p>
          <p className="truncate text-sm text-muted">{me.reach.name ?? 'Administration'}</p>
        </div>
      </div>
      <SwitchOrganisation me={me} />
      <nav aria-label="Console" className="min-h-0 flex-1 overflow-y-auto">
        <ul className="grid gap-0.5">
          {entriesFor(me).map(({ path, title, icon: Icon }) => (
            <li key={path}>
              <Link
                to={path}
                aria-current={entryAt(pathname)?.entry.path === path ? 'page' : undefined}
                className={entryClass}
                {...(onFollow && { onClick: onFollow })}
              >
                <Icon aria-hidden size={18} className="shrink-0 text-link" />
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid gap-0.5 border-t border-hairline pt-3">
        <p className="truncate px-3 pb-1 text-sm font-semibold">{fullName(me.person)}</p>
        <button type="button" className={entryClass} aria-busy={running === 'warden'} onClick={toWardenSide}>
          <ArrowLeftRight aria-hidden size={18} className="shrink-0 text-link" />
          Warden side
        </button>
        <button type="button" className={entryClass} aria-busy={running === 'out'} onClick={signOut}>
          <LogOut aria-hidden size={18} className="shrink-0 text-link" />
          Sign out
        </button>
      </div>
    </>
  )
}
