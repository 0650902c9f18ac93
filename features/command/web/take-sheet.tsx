import { useNow } from '#web/lib/time/use-now.ts'
import type { Brief } from '#web/reads/brief.data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { minutesBetween } from './command-words.ts'
import { useTakeCommand } from './use-take-command.ts'

type Command = NonNullable<Brief['command']>
type Take = NonNullable<Command['take']>

interface TakeSheetProps {
  command: Command
  take: Take
  /** The server's clock, ms before ours. */
  ahead: number
  onNotNow: () => void
}

/** Asks someone in the chain to take command. */
export function TakeSheet({ command, take, ahead, onNotNow }: TakeSheetProps) {
  const { take: press, isPending } = useTakeCommand()
  const now = useNow(5_000) + ahead
  return (
    <Dialog kind="bottom" alert open onClose={onNotNow} title={titleOf(command, take, now)}>
      {/* not a button: anyone who is typing must not press it */}
      <p tabIndex={-1} data-autofocus className="text-lg whitespace-pre-line wrap-anywhere outline-none empty:sr-only">
        {take.note}
      </p>
      <Button block className="arming min-h-17 text-lg" busy={isPending} onClick={() => press(command.turn)}>
        Take command
      </Button>
      <Button variant="quiet" block className="min-h-14" onClick={onNotNow}>
        Not now
      </Button>
    </Dialog>
  )
}

function titleOf({ silent_since }: Command, { why, name }: Take, now: number): string {
  if (why === 'asked') return `${name} asks you to take command.`
  if (why === 'vacant' || !silent_since) return 'No one is in command. Take command?'
  return `${name} has been out of contact for ${minutesBetween(silent_since, now)} min. Take command?`
}
