import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { type RecordFact, recordFacts, recordOutcomes } from '../../kinds.ts'
import { type Addition, ofKind } from '../../standing.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { bySignOff } from '../parts/bodies.ts'
import { RecordSection } from '../parts/record-section.tsx'
import { isConsole } from '../parts/warden-or-console.tsx'
import type { AdditionsProps } from './added.tsx'
import { FactDialog, factName, OutcomeDialog } from './fact-dialogs.tsx'

interface FactsProps extends AdditionsProps {
  event: EventUid
  record: EventRecord
  /** The whole event is within the reader's reach. */
  mayAdd: boolean
}

/** What people know of the event beyond its journal. */
export function RecordFacts({ event, record, mayAdd, additions, times }: FactsProps) {
  const [asked, setAsked] = useState<RecordFact | 'outcome' | null>(null)
  const facts = ofKind(additions, 'fact')
  const outcomes = ofKind(additions, 'outcome')
  const shared = { additions, times, mayAdd: mayAdd && !isConsole() }
  return (
    <RecordSection id="facts" title="Facts">
      <ul aria-label="Facts" className="grid grid-cols-1 gap-1">
        {record.kind === 'live' && (
          <Fact
            {...shared}
            name="Outcome"
            preset={recordOutcomes[0]}
            given={outcomes.map((one) => ({ ...one, value: one.body.outcome }))}
            onEdit={() => setAsked('outcome')}
          />
        )}
        {recordFacts.map((fact) => (
          <Fact
            {...shared}
            key={fact}
            name={factName[fact]}
            given={facts.filter(({ body }) => body.fact === fact).map((one) => ({ ...one, value: one.body.value }))}
            onEdit={() => setAsked(fact)}
          />
        ))}
      </ul>
      {asked === 'outcome' && <OutcomeDialog event={event} onClose={() => setAsked(null)} />}
      {asked && asked !== 'outcome' && <FactDialog event={event} fact={asked} onClose={() => setAsked(null)} />}
    </RecordSection>
  )
}

interface FactProps extends AdditionsProps {
  name: string
  /** Stands until something is told. */
  preset?: string
  /** Oldest first. */
  given: readonly (Omit<Addition<'fact'>, 'body'> & { value: string })[]
  mayAdd: boolean
  onEdit: () => void
}

/** The newest word stands first, those before it below: nothing is taken back. */
function Fact({ name, preset = '– not given', given, mayAdd, onEdit, additions, times }: FactProps) {
  const newest = given.at(-1)
  return (
    <li className="flex items-start justify-between gap-2 border-b border-hairline py-1">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-muted">{name}</p>
        {!newest && <p className="text-muted">{preset}</p>}
        {bySignOff(given, additions)
          .toReversed()
          .flatMap(({ after, additions: part }) => part.toReversed().map((one) => ({ after, one })))
          .map(({ after, one }) => (
            <div key={one.uid} className={one === newest ? 'font-semibold' : 'text-muted'}>
              {after && <span className="block text-sm">After the sign-off of {after.by}</span>}
              <span className="wrap-anywhere">{one.value}</span>
              <AddedBy addition={one} times={times} />
            </div>
          ))}
      </div>
      {mayAdd && (
        <IconButton
          plain
          icon={newest ? Pencil : Plus}
          label={`Add: ${name}`}
          className="rec-icon shrink-0"
          onClick={onEdit}
        />
      )}
    </li>
  )
}
