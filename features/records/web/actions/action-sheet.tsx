import { CircleCheck, CircleCheckBig, type LucideIcon, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import type { ShownAction } from '../parts/bodies.ts'
import { useAddition } from '../parts/records.data.ts'
import { Adds } from '../parts/warden-or-console.tsx'
import { dueWords, nextSteps, type Step, stateLook, stepButton, stepWord } from './action-states.ts'

const stepIcon: Record<Step, LucideIcon> = { done: CircleCheck, verified: CircleCheckBig, reopened: RotateCcw }

interface ActionSheetProps {
  /** Null: nothing is open. */
  action: ShownAction | null
  onClose: () => void
  /** What was done so far, or the way to it. */
  children?: ReactNode
}

/** Where an action stands, and its next step. */
export function ActionSheet({ action, onClose, children }: ActionSheetProps) {
  return (
    <BottomSheet open={action !== null} onClose={onClose} title={action?.what ?? ''}>
      {action && (
        <>
          <p>
            <strong>{stateLook[action.state].word}</strong>. {dueWords(action)}. {action.owner.name}.
          </p>
          {children}
          <Adds>
            <NextStep key={action.base} action={action} onClose={onClose} />
          </Adds>
        </>
      )}
    </BottomSheet>
  )
}

/** A step names the last one that was seen here. */
function NextStep({ action, onClose }: { action: ShownAction; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { add, busy } = useAddition(action.event)
  const note = typed.trim()
  const take = async (step: Step) => {
    const body = { target: action.uid, base: action.base, step, ...(note && { note }) }
    await add({ kind: 'action_step', body }, `The action is ${stepWord[step].toLowerCase()}.`)
    onClose()
  }
  return (
    <>
      <TextField label="Note" value={typed} maxLength={1000} onChange={setTyped} />
      {action.state === 'done' && action.done_by_me && (
        <p className="text-sm text-muted">You marked this as done: someone else must verify it.</p>
      )}
      <div className="grid grid-cols-1 gap-2">
        {nextSteps(action).map((step, at) => (
          <Button
            key={step}
            variant={at === 0 ? 'blue' : 'outline'}
            icon={stepIcon[step]}
            block
            busy={busy}
            onClick={() => void take(step)}
          >
            {stepButton[step]}
          </Button>
        ))}
      </div>
    </>
  )
}
