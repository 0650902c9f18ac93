import { formatMoment } from '#web/lib/time/server-clock.ts'
import type { Brief } from '#web/reads/brief.data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import type { ChosenKind } from '../kinds.ts'
import { instructionWord } from '../words.ts'
import { instructionIcon } from './instructions/instruction-look.ts'
import { understand } from './understood.ts'

const stay = () => undefined

/** Over any event page, until it is understood or replaced. */
export function InstructionSheet({ instruction }: { instruction: NonNullable<Brief['instruction']> }) {
  const { uid, kind, message, by, at } = instruction
  const Icon = instructionIcon[kind]
  const word = instruction.word ?? instructionWord[kind as ChosenKind]
  return (
    <Dialog key={uid} kind="bottom" alert blocking hideHeading open onClose={stay} title={word}>
      <div className="grid min-h-[70dvh] grid-cols-1 content-between gap-6 pt-2">
        {/* not the button: anyone who is typing must not press it */}
        <div tabIndex={-1} data-autofocus className="grid grid-cols-1 gap-4 wrap-anywhere outline-none">
          <p aria-hidden className="flex items-center gap-4 text-[min(2.5rem,max(32px,11vw))] leading-none font-bold">
            <Icon size={56} className="shrink-0 text-link" />
            {word}
          </p>
          <p className="text-2xl leading-snug font-semibold">{message}</p>
          <p className="text-muted">
            {by}, {formatMoment(new Date(at))}
          </p>
        </div>
        <Button block className="arming min-h-18 text-xl" onClick={() => void understand(uid)}>
          Understood
        </Button>
      </div>
    </Dialog>
  )
}
