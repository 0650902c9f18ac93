import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Inbox } from 'lucide-react'
import { OwnSignInChanges } from '#features/authority/web/own-sign-in-changes.tsx'
import { useOneAction } from '#web/lib/one-action.ts'
import { TopBar } from '#web/live/top-bar.tsx'
import { useSignOut } from '#web/outbox/use-sign-out.tsx'
import { MenuButton } from '#web/session/navigation/menu-button.tsx'
import { PastEventsLink } from '#web/session/navigation/past-events-link.tsx'
import { nameOf, type StoredAuth, useAuth, useStoredProfile } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { RefreshButton } from '#web/ui/fields/search-box.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertModal } from '#web/ui/popups/alert-modal.tsx'
import { InfoPopup } from '#web/ui/popups/info-popup.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { type ListNotice, useCardActions } from './card-actions.ts'
import type { CardButton } from './card-buttons.ts'
import { useEventWatch } from './event-watch.ts'
import { ReportInCardView } from './report-in-card.tsx'
import { cardsQuery } from './report-in-list.data.ts'

export function ReportInListScreen() {
  const auth = useAuth()
  if (!auth) return null
  return (
    <>
      <ListBar />
      <Cards auth={auth} />
    </>
  )
}

/** The list's own bar; back logs out, after a question while on duty. */
function ListBar() {
  const profile = useStoredProfile()
  const { isLeaving, start, check } = useSignOut()
  return (
    <>
      <TopBar
        title="Report In List"
        left={<IconButton icon={ArrowLeft} label="Back" title="Log out" plain aria-busy={isLeaving} onClick={start} />}
        right={<MenuButton />}
        note={profile && <p className="text-sm text-muted">{nameOf(profile)}</p>}
      />
      {check}
    </>
  )
}

const noCards: never[] = []

function Cards({ auth }: { auth: StoredAuth }) {
  const action = useOneAction<string>()
  useEventWatch(!auth.on_duty && action.running === null)
  // A rejoin ends the token that a read on its own would still be using.
  const cards = useQuery({ ...cardsQuery(auth), enabled: action.running === null })
  const { data, isError, isFetching, refetch } = cards
  const { press, notice, closeNotice } = useCardActions(data ?? noCards, action)
  const [runningUid, runningPlace] = action.running?.split('/') ?? []
  const [failedUid, failedPlace] = action.failed?.split('/') ?? []

  const close = () => {
    closeNotice()
    void refetch()
  }
  return (
    <Page>
      {cards.isPending && <Skeleton parts={['card', 'card']} />}
      {isError && !data && <TryAgain busy={isFetching} onPress={() => void refetch()} />}
      {data && (
        <div className="flex items-center justify-between gap-3">
          <AsOf at={cards.dataUpdatedAt} stale={cards.isRefetchError} />
          <RefreshButton onRefresh={() => void refetch()} />
        </div>
      )}
      {data?.length === 0 && <NoCards />}
      <ul className="cards items-start gap-4">
        {data?.map((card) => (
          <li key={card.Warden_Assignment_UID}>
            <ReportInCardView
              card={card}
              running={card.Warden_Assignment_UID === runningUid ? (Number(runningPlace) as CardButton['place']) : null}
              failed={card.Warden_Assignment_UID === failedUid ? (Number(failedPlace) as CardButton['place']) : null}
              onPress={press}
            />
          </li>
        ))}
      </ul>
      <PastEventsLink />
      {!auth.on_duty && !auth.event.status && <OwnSignInChanges />}
      <Notices notice={notice} onClose={close} />
    </Page>
  )
}

function NoCards() {
  return (
    <div className="grid justify-items-center gap-3 py-16 text-center text-lg text-muted">
      <Inbox aria-hidden size={48} />
      <p>No report in found</p>
    </div>
  )
}

const notAvailable = {
  variant: 'warn',
  text: 'You have been reported as not available. You may sign in later if you are available to assist.',
} as const

/** After either the warden is still on the list. */
function Notices({ notice, onClose }: { notice: ListNotice | null; onClose: () => void }) {
  const turnedDown = notice?.kind === 'turned-down' ? notice : null
  return (
    <>
      <AlertModal alert={notice?.kind === 'not-available' ? notAvailable : null} onClose={onClose} />
      <InfoPopup open={turnedDown !== null} title={turnedDown?.title ?? ''} onClose={onClose}>
        {turnedDown?.message}
      </InfoPopup>
    </>
  )
}
