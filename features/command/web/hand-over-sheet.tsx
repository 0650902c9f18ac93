import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { CommandTurnUid } from '#kernel/ids.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { toast } from '#web/ui/toast.tsx'
import { commandNoteLength } from '../kinds.ts'
import { type CommandState, commandQuery, type HandOver, handOver } from './command.data.ts'
import { toastNotSaved } from './use-take-command.ts'

interface HandOverSheetProps {
  open: boolean
  turn: CommandTurnUid
  others: CommandState['chain']
  onClose: () => void
}

/** Whom, and what they have to know. What was written stays when the sheet is closed or the press fails. */
export function HandOverSheet({ open, turn, others, onClose }: HandOverSheetProps) {
  const [to, setTo] = useState(others[0]?.wardenSignInUid)
  const [note, setNote] = useState('')
  const client = useQueryClient()
  const { mutate, isPending } = useKeyedSend((asked: HandOver) => JSON.stringify(asked), handOver)
  const next = others.find(({ wardenSignInUid }) => wardenSignInUid === to) ?? others[0]
  const ask = () => {
    if (!next) return
    mutate(
      { turn, to: next.wardenSignInUid, note },
      {
        onSuccess: (state) => {
          client.setQueryData(commandQuery.queryKey, state)
          toast(`${next.name} has been asked.`, { variant: 'success' })
          setNote('')
          onClose()
        },
        onError: (error) => {
          toastNotSaved(error)
          void client.invalidateQueries({ queryKey: ['command'] })
        },
      },
    )
  }
  return (
    <BottomSheet open={open} onClose={onClose} title="Hand over">
      <Others others={others} chosen={next?.wardenSignInUid} onChoose={setTo} />
      <TextArea
        label="Note"
        rows={4}
        maxLength={commandNoteLength}
        value={note}
        hint={`Situation, what is under way, what comes next. ${note.length}/${commandNoteLength}`}
        onChange={setNote}
      />
      <Button block className="min-h-14 text-lg" busy={isPending} onClick={ask}>
        Ask
      </Button>
    </BottomSheet>
  )
}

interface OthersProps {
  others: CommandState['chain']
  chosen: string | undefined
  onChoose: (signIn: CommandState['chain'][number]['wardenSignInUid']) => void
}

function Others({ others, chosen, onChoose }: OthersProps) {
  const group = useId()
  return (
    <fieldset className="grid grid-cols-1 gap-1">
      <legend className="mb-1 font-semibold">To</legend>
      {others.map(({ wardenSignInUid, name, role }) => (
        <label key={wardenSignInUid} className="flex min-h-13 cursor-pointer items-center gap-3 px-2">
          <input
            type="radio"
            name={group}
            checked={wardenSignInUid === chosen}
            className="size-6 shrink-0 accent-link"
            onChange={() => onChoose(wardenSignInUid)}
          />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <b>{name}</b>, {role}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
