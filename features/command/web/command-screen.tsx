import { useQuery } from '@tanstack/react-query'
import { Crown, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { formatClock } from '#web/lib/time/server-clock.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { Chain } from './chain.tsx'
import { type CommandState, commandQuery } from './command.data.ts'
import { minutesBetween } from './command-words.ts'
import { HandOverSheet } from './hand-over-sheet.tsx'
import { Turns } from './turns.tsx'
import { useTakeCommand } from './use-take-command.ts'

const away = (error: Error | null) =>
  error instanceof ApiError && (error.code === 'no_event' || error.code === 'not_on_duty')

/** Who leads, who would, and who led. */
export function CommandScreen() {
  const read = useQuery(commandQuery)
  return (
    <Page className="wide:max-w-[720px]">
      <WhenRead read={away(read.error) ? { ...read, data: undefined } : read} parts={['field', 'line', 'line']}>
        {(state) => <Command state={state} />}
      </WhenRead>
    </Page>
  )
}

function Command({ state }: { state: CommandState }) {
  const { turn, chain, turns } = state
  const auth = useAuth()
  const isLeader = turn.in_command?.wardenSignInUid === auth?.WardenSignInUID
  const isOfChain = chain.some(({ wardenSignInUid }) => wardenSignInUid === auth?.WardenSignInUID)
  return (
    <>
      <Leader turn={turn} />
      {isLeader && <HandOver state={state} />}
      {!isLeader && isOfChain && <Take turn={turn} isAsked={turn.asked?.wardenSignInUid === auth?.WardenSignInUID} />}
      <Chain chain={chain} leader={turn.in_command?.wardenSignInUid} />
      <Turns turns={turns} />
    </>
  )
}

type Turn = CommandState['turn']

function Leader({ turn: { in_command: leader, since, silent_since, asked } }: { turn: Turn }) {
  const now = useNow(5_000)
  const auth = useAuth()
  const canMessage = auth?.module_access.Module_Warden_Messaging && leader?.wardenSignInUid !== auth.WardenSignInUID
  const Icon = leader ? Crown : UserRoundX
  return (
    <section aria-label="In command" className="card grid grid-cols-1 gap-2">
      <div className="flex items-center gap-3">
        <Icon aria-hidden size={28} className={`shrink-0 ${leader ? 'text-link' : 'text-warning-ink'}`} />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <p className="text-xl leading-tight font-bold">{leader?.name ?? 'No one is in command.'}</p>
          {leader && <p className="text-muted">{leader.role}</p>}
        </div>
        {leader && canMessage && (
          <MessageLink to={`/message/warden/${leader.id}`} from="/event/command" name={leader.name} unread={false} />
        )}
        {leader && <PhoneLink name={leader.name} phone={leader.phone} />}
      </div>
      <p className="text-muted tabular-nums">
        Since {formatClock(new Date(since)).slice(0, 5)}, {minutesBetween(since, now)} min
      </p>
      {silent_since && <Notice variant="warning">No contact for {minutesBetween(silent_since, now)} min</Notice>}
      {asked && <Notice>{asked.name} has been asked to take command.</Notice>}
    </section>
  )
}

function HandOver({ state }: { state: CommandState }) {
  const [isOpen, setOpen] = useState(false)
  const others = state.chain.filter(({ wardenSignInUid }) => wardenSignInUid !== state.turn.in_command?.wardenSignInUid)
  if (others.length === 0) return <p className="text-muted">No one else on duty can take command.</p>
  return (
    <>
      <Button variant="outline" block className="min-h-14" onClick={() => setOpen(true)}>
        Hand over
      </Button>
      <HandOverSheet open={isOpen} turn={state.turn.turn} others={others} onClose={() => setOpen(false)} />
    </>
  )
}

/** One tap if no one leads, is heard, or asks; else asked first. */
function Take({ turn, isAsked }: { turn: Turn; isAsked: boolean }) {
  const { take, isPending } = useTakeCommand()
  const [isAsking, setAsking] = useState(false)
  const leader = turn.in_command
  const isFree = !leader || turn.silent_since !== null || isAsked
  return (
    <>
      <Button
        block
        className="min-h-14 text-lg"
        busy={isPending}
        onClick={() => (isFree ? take(turn.turn) : setAsking(true))}
      >
        Take command
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Take command from ${leader?.name}?`}
        confirm="Take command"
        variant="blue"
        onConfirm={() => {
          setAsking(false)
          take(turn.turn)
        }}
        onCancel={() => setAsking(false)}
      >
        <p>Every phone in this event shows it at once.</p>
      </ConfirmDialog>
    </>
  )
}
