import { useState } from 'react'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { LiveBar } from '#web/live/live-bar.tsx'
import { MenuButton } from '#web/session/navigation/menu-button.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import { DangerNews } from './alert/danger-news.tsx'
import { SoundButton } from './alert/sound-button.tsx'
import { DeskBoard } from './desk-board.tsx'
import { Actions, EventChip, InCommand, Instructed, Live } from './parts/bar.tsx'
import './styles/styles.ts'
import { ManagersActs } from './frame/managers-acts.tsx'
import { MoreDialog } from './frame/more-dialog.tsx'
import type { Form } from './matrix/fit-to-screen.ts'
import { BoardShape, NoBoard } from './parts/no-board.tsx'
import { StaleBar } from './parts/stale-bar.tsx'
import { PhoneBoard } from './phone-board.tsx'
import type { Picture } from './reading/board-snapshot.ts'
import { type Freshness, useFreshness } from './reading/freshness.ts'
import { useHasRoomForBoard } from './reading/room.ts'
import { useBoard } from './reading/use-board.ts'

/** Every building and floor of the event on one screen, what needs someone first. */
export function BoardScreen() {
  const participation = useAuth()?.WardenSignInUID
  return <BoardOf key={participation} />
}

function BoardOf() {
  const { picture, message, error, isAsking, retry } = useBoard()
  const isDesk = useHasRoomForBoard()
  const freshness = useFreshness(picture)
  const [isMoreOpen, setMoreOpen] = useState(false)
  const [wish, setWish] = useState<Form | null>(null)
  const [form, setForm] = useState<Form | null>(null)
  const more = { onMore: () => setMoreOpen(true) }
  return (
    <main className="bd" data-desk={isDesk || undefined} data-freshness={freshness}>
      <Bar picture={picture} freshness={freshness} isDesk={isDesk} {...more} />
      <div className="bd-notes">
        {picture && <Actions picture={picture} />}
        {picture ? <StaleBar picture={picture} freshness={freshness} /> : null}
        {(freshness === 'fresh' || !picture) && <Health />}
      </div>
      {picture && <DangerNews picture={picture} />}
      {picture && isDesk && <DeskBoard picture={picture} wish={wish} onForm={setForm} />}
      {picture && !isDesk && <PhoneBoard picture={picture} {...more} />}
      {!picture && message === null && isAsking && <BoardShape />}
      {!picture && message === null && !isAsking && error !== null && (
        <NoBoard words="The board could not be loaded. Try again." onRetry={retry} />
      )}
      {!picture && message !== null && <NoBoard words={message} />}
      <MoreDialog
        open={isMoreOpen}
        onClose={() => setMoreOpen(false)}
        form={isDesk && picture ? form : null}
        onForm={(chosen) => setWish(chosen)}
      />
    </main>
  )
}

interface BarProps {
  picture: Picture | null
  freshness: Freshness
  isDesk: boolean
  onMore: () => void
}

function Bar({ picture, freshness, isDesk, onMore }: BarProps) {
  return (
    <header className="bd-top">
      <MenuButton always />
      <h1 tabIndex={-1} data-page-title>
        Command Board
      </h1>
      {picture && <EventChip picture={picture} />}
      {picture && <Command picture={picture} />}
      <span className="bd-grow" />
      {picture && <Live picture={picture} freshness={freshness} />}
      {isDesk && (
        <>
          <SoundButton />
          <ManagersActs />
          <button type="button" className="bd-button" aria-haspopup="dialog" onClick={onMore}>
            More
          </button>
        </>
      )}
    </header>
  )
}

/** Who is in command, and the newest instruction. Both lead to their pages. */
function Command({ picture }: { picture: Picture }) {
  const managing = useAuth()?.module_access.Module_Event_Management
  const { command, instruction } = picture.board
  const instructed = <Instructed picture={picture} />
  return (
    <span className="bd-told">
      {command && (
        <Link to="/event/command">
          <InCommand picture={picture} />
        </Link>
      )}
      {managing && instruction ? <Link to="/event/instructions">{instructed}</Link> : instructed}
    </span>
  )
}

/** The board says by itself how old its figures are. */
function Health() {
  const health = useConnectionHealth()
  return <LiveBar {...health} trouble={health.trouble === 'stale' ? null : health.trouble} asOf={null} />
}
