import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OfferDialog } from '#features/assignments/console/offer-dialog.tsx'
import { type ConsoleRight, groupLimits } from '#kernel/console-kinds.ts'
import { meQuery } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { Button } from '#web/ui/button.tsx'
import { type BulkAct, BulkDialog, BulkResult, peopleOf } from './bulk-dialogs.tsx'
import type { ShownInvitation } from './invitation-sheet.tsx'
import { type BulkDone, type PersonRow, peopleChoicesQuery } from './people.data.ts'

type TickedAct = BulkAct | 'offer'

const acts: readonly { act: TickedAct; word: string; right?: ConsoleRight; isOfGroup?: true }[] = [
  { act: 'offer', word: 'Offer a role', right: 'wardens' },
  { act: 'invite', word: 'Invite' },
  { act: 'show', word: 'Show invitations' },
  { act: 'move', word: 'Move' },
  { act: 'add_to_group', word: 'Add to a group', right: 'organisation', isOfGroup: true },
  { act: 'take_out_of_group', word: 'Remove from a group', right: 'organisation', isOfGroup: true },
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

/** Visitors, and who is out of use, hold no role. */
function offeredTo(rows: readonly PersonRow[]) {
  const people = rows
    .filter(({ kind, active }) => kind === 'staff' && active)
    .map((row) => ({ uid: row.uid, name: fullName(row), place: row.place }))
  return { people, left: rows.length - people.length }
}

/** What may be done to the ticked people. */
export function TickedBar({ rows, onClear }: TickedBarProps) {
  const [chosen, setChosen] = useState<TickedAct | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const rights = useQuery(meQuery).data?.rights ?? []
  const hasGroups = (useQuery(peopleChoicesQuery).data?.groups.length ?? 0) > 0
  const close = () => setChosen(null)
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
              .filter(({ right, isOfGroup }) => (!right || rights.includes(right)) && (!isOfGroup || hasGroups))
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
      {chosen === 'offer' && <OfferDialog preset={offeredTo(rows)} onOffered={onClear} onClose={close} />}
      {chosen && chosen !== 'offer' && (
        <BulkDialog
          act={chosen}
          rows={rows}
          onDone={(done) => {
            if (done.left.length > 0 || done.shown.length > 0) setOutcome(done)
            onClear()
          }}
          onClose={close}
        />
      )}
      {outcome && !chosen && <BulkResult {...outcome} onClose={() => setOutcome(null)} />}
    </>
  )
}
