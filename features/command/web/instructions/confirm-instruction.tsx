import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#web/lib/counts.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { useSayTotal } from '#web/live/response.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { wordOfInstruction } from '../../instruction-word.ts'
import { minutesBetween } from '../command-words.ts'
import { whereOf } from './chosen-floors.ts'
import { type NewInstruction, type Places, type Preview, preview, sendInstructionTo } from './instructions.data.ts'

interface ConfirmInstructionProps {
  instruction: NewInstruction
  places: Places
  onSent: () => void
  onClose: () => void
}

const wardens = (count: number) => `${formatCount(count)} ${count === 1 ? 'warden' : 'wardens'}`

/** Whom it reaches, what was sent lately, and who is not safe. One press sends once. */
export function ConfirmInstruction({ instruction, places, onSent, onClose }: ConfirmInstructionProps) {
  const { kind, floors, message } = instruction
  const ahead = useQuery({
    queryKey: ['command', 'preview', floors],
    queryFn: () => preview(floors),
    staleTime: 0,
    gcTime: 0,
  })
  const [isAgreed, setAgreed] = useState(kind !== 're_entry')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useKeyedSend((sent: NewInstruction) => JSON.stringify(sent), sendInstructionTo)
  const send = () =>
    mutate(instruction, {
      onSuccess: ({ meant }) => {
        toast(`Instruction sent to ${wardens(meant)}.`, { variant: 'success' })
        void client.invalidateQueries({ queryKey: ['command'] })
        onSent()
        onClose()
      },
    })
  return (
    <Dialog kind="bottom" alert open onClose={onClose} title={`Send ‘${wordOfInstruction(kind)}’?`}>
      <p className="text-lg font-semibold wrap-anywhere">{whereOf(floors, places)}</p>
      <p className="wrap-anywhere">{message}</p>
      {ahead.data && <Ahead ahead={ahead.data} instruction={instruction} places={places} />}
      {ahead.error && (
        <>
          <Notice variant="danger">{sentenceFor(ahead.error)}</Notice>
          <TryAgain onPress={() => void ahead.refetch()} busy={ahead.isFetching} />
        </>
      )}
      {kind === 're_entry' && (
        <Checkbox label="The fire service has agreed, or was not called." checked={isAgreed} onChange={setAgreed} />
      )}
      <p role="alert" className="font-semibold text-danger-ink empty:hidden">
        {isError && 'Not saved. Try again.'}
      </p>
      <div className="fade-above sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 bg-surface px-4 pt-1 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <Button variant="quiet" data-autofocus className="min-h-15 grow" onClick={onClose}>
          Cancel
        </Button>
        <Button
          icon={SendHorizontal}
          className="arming min-h-15 grow-[1.4]"
          busy={isPending}
          disabled={!isAgreed}
          onClick={send}
        >
          {ahead.data ? `Send to ${wardens(ahead.data.wardens)}` : 'Send'}
        </Button>
      </div>
    </Dialog>
  )
}

interface AheadProps {
  ahead: Preview
  instruction: NewInstruction
  places: Places
}

function Ahead({
  ahead: { wardens: count, recent, danger, unknown, contradictions },
  instruction: { kind },
  places,
}: AheadProps) {
  const say = useSayTotal()
  const warns = kind === 'all_clear' || kind === 're_entry'
  return (
    <>
      {count === 0 && <Notice variant="warning">This reaches no warden on duty.</Notice>}
      {warns && (
        <Notice variant={danger + unknown + contradictions > 0 ? 'warning' : 'info'}>
          {say(
            `In danger ${formatCount(danger)}, unknown ${formatCount(unknown)}, contradictions ${formatCount(contradictions)}.`,
          )}
        </Notice>
      )}
      {recent.map(({ uid, by, kind: was, floors, at }) => (
        <Notice key={uid}>
          {by} sent ‘{wordOfInstruction(was)}’ {agoOf(at)}. {whereOf(floors, places)}.
        </Notice>
      ))}
    </>
  )
}

const agoOf = (at: string) => {
  const minutes = minutesBetween(at, Date.now())
  return minutes === 0 ? 'less than a minute ago' : `${minutes} min ago`
}
