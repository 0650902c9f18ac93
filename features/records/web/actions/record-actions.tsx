import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { ofKind } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { AddedList, type AdditionsProps } from '../additions/added.tsx'
import { AddedBy } from '../parts/added-by.tsx'
import { actionsOf } from '../parts/bodies.ts'
import { RecordSection } from '../parts/record-section.tsx'
import { Adds } from '../parts/warden-or-console.tsx'
import { ActionCard } from './action-card.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { ActionSheet } from './action-sheet.tsx'
import { stepWord } from './action-states.ts'

interface RecordActionsProps extends AdditionsProps {
  event: EventUid
  record: EventRecord
}
type Shown = ReturnType<typeof actionsOf>[number]

/** What is to be done after this event, and what was still open when it began. */
export function RecordActions({ event, record, additions, times }: RecordActionsProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const [isNew, setNew] = useState(false)
  const me = useAuth()?.Person_UID
  const actions = actionsOf({ event, additions, timeZone: record.timezone, me })
  const shown = actions.find(({ uid }) => uid === opened) ?? null
  const { open, overdue } = record.actions_before
  return (
    <RecordSection id="actions" title="Actions">
      {actions.length === 0 && <p className="text-muted">No actions.</p>}
      <AddedList label="Actions" of={actions} additions={additions}>
        {(action) => (
          <ActionCard action={action} onOpen={() => setOpened(action.uid)}>
            <AddedBy addition={action} times={times} />
            <Steps action={action} times={times} />
          </ActionCard>
        )}
      </AddedList>
      <Adds>
        <Button variant="outline" icon={Plus} onClick={() => setNew(true)}>
          Add an action
        </Button>
      </Adds>
      {open > 0 && (
        <p className="text-sm text-muted">
          {open} {open === 1 ? 'action' : 'actions'} from earlier records {open === 1 ? 'was' : 'were'} open when it
          began, {overdue} overdue.
        </p>
      )}
      <ActionSheet action={shown} onClose={() => setOpened(null)} />
      {isNew && (
        <ActionDialog
          event={event}
          timezone={record.timezone}
          observations={ofKind(additions, 'observation')}
          onClose={() => setNew(false)}
        />
      )}
    </RecordSection>
  )
}

function Steps({ action: { steps, what }, times }: { action: Shown; times: Times }) {
  if (steps.length === 0) return null
  return (
    <ol aria-label={`Steps: ${what}`} className="grid grid-cols-1 gap-1">
      {steps.map((step) => (
        <li key={step.uid}>
          <span className="font-semibold">{stepWord[step.body.step]}</span>{' '}
          {step.body.note && <span className="wrap-anywhere">{step.body.note}</span>}
          <AddedBy addition={step} times={times} />
        </li>
      ))}
    </ol>
  )
}
