import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupLimits } from '#kernel/console-kinds.ts'
import { meQuery } from '#web/console/me.data.ts'
import { Button } from '#web/ui/button.tsx'
import { type BulkAct, BulkDialog, BulkResult, peopleOf } from './bulk-dialogs.tsx'
import type { ShownInvitation } from './invitation-sheet.tsx'
import { type BulkDone, type PersonRow, peopleChoicesQuery } from './people.data.ts'

const acts: readonly { act: BulkAct; word: string; isOfGroup?: true }[] = [
  { act: 'invite', word: 'Invite' },
  { act: 'show', word: 'Show invitations' },
  { act: 'move', word: 'Move' },
  { act: 'add_to_group', word: 'Add to a group', isOfGroup: true },
  { act: 'take_out_of_group', word: 'Remove from a group', isOfGroup: true },
  { act: 'deactivate', word: 'Deactivate' },
]

interface TickedBarProps {
  rows: readonly PersonRow[]
  onClear: () => void
}

interface Outcome {
  left: BulkDone['left']
  shown: ShownInvitation[]
}

/** What may be done to the ticked people. */
export function TickedBar({ rows, onClear }: TickedBarProps) {
  const [chosen, setChosen] = useState<BulkAct | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isWhole = useQuery(meQuery).data?.rights.includes('organisation') ?? false
  const hasGroups = (useQuery(peopleChoicesQuery).data?.groups.length ?? 0) > 0
  const isTooMany = rows.length > groupLimits.peopleOfChange
  return (
    <>
      {rows.length > 0 && (
        <section aria-label="Ticked people" className="console-ticked">
          <p className="font-semibold tabular-nums">
            {peopleOf(rows.length)} ticked
            {isTooMany && `. At most ${groupLimits.peopleOfChange} at once.`}
          </p>
          <div className="console-acts">
            {acts
              .filter(({ isOfGroup }) => !isOfGroup || (isWhole && hasGroups))
              .map(({ act, word }) => (
                <Button key={act} variant="outline" disabled={isTooMany} onClick={() => setChosen(act)}>
                  {word}
                </Button>
              ))}
            <Button variant="quiet" onClick={onClear}>
              Untick all
            </Button>
          </div>
        </section>
      )}
      {chosen && (
        <BulkDialog
          act={chosen}
          rows={rows}
          onDone={(done) => {
            if (done.left.length > 0 || done.shown.length > 0) setOutcome(done)
            onClear()
          }}
          onClose={() => setChosen(null)}
        />
      )}
      {outcome && !chosen && <BulkResult {...outcome} onClose={() => setOutcome(null)} />}
    </>
  )
}
