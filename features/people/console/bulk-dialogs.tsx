import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BuildingUid, FloorUid, GroupUid } from '#kernel/ids.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { fullName } from '#web/console/names.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { BulkDifference } from './bulk-difference.tsx'
import { InvitationSheets, type ShownInvitation } from './invitation-sheet.tsx'
import {
  type BulkDone,
  type BulkInput,
  changePeople,
  type PersonRow,
  peopleChoicesQuery,
  showInvitation,
} from './people.data.ts'
import { PlaceFields } from './place-fields.tsx'

export type BulkAct = 'invite' | 'show' | 'move' | 'add_to_group' | 'take_out_of_group' | 'deactivate'

export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count} people`)

interface Wording {
  title: (of: string) => string
  action: string
  text: string
  done: (result: Pick<BulkDone, 'done' | 'waits'>) => string
}

const wordings: Record<BulkAct, Wording> = {
  invite: {
    title: (of) => `Invite ${of}?`,
    action: 'Invite',
    text: 'Wardens and administrators get an email, wardens without an email address a text. Anyone without a password gets a link to set one.',
    done: ({ done }) => (done === 1 ? '1 invitation sent.' : `${done} invitations sent.`),
  },
  show: {
    title: (of) => `Show the invitations of ${of}?`,
    action: 'Show',
    text: 'Each person gets a new link, and older links stop working. Hand the links over yourself, or print them, one to a page.',
    done: ({ done }) => (done === 1 ? '1 invitation made.' : `${done} invitations made.`),
  },
  move: {
    title: (of) => `Move ${of}`,
    action: 'Move',
    text: '',
    done: ({ done }) => `Moved ${peopleOf(done)}.`,
  },
  add_to_group: {
    title: (of) => `Add ${of} to a group`,
    action: 'Add',
    text: '',
    done: ({ done }) => `Added ${peopleOf(done)}.`,
  },
  take_out_of_group: {
    title: (of) => `Remove ${of} from a group`,
    action: 'Remove',
    text: '',
    done: ({ done }) => `Removed ${peopleOf(done)}.`,
  },
  deactivate: {
    title: (of) => `Deactivate ${of}?`,
    action: 'Deactivate',
    text: 'They are signed out at once and left out of future events. For a warden on duty, this waits until they are off duty. Nothing is deleted.',
    done: ({ waits }) => (waits > 0 ? `Deactivated. For ${peopleOf(waits)} on duty, this waits.` : 'Deactivated.'),
  },
}

interface BulkDialogProps {
  act: BulkAct
  rows: readonly PersonRow[]
  /** With whom it has not been done. */
  onDone: (result: { left: BulkDone['left']; shown: ShownInvitation[] }) => void
  onClose: () => void
}

/** Asks what the act needs, and does it to everyone at once. */
export function BulkDialog({ act, rows, onDone, onClose }: BulkDialogProps) {
  const queryClient = useQueryClient()
  const { data: choices } = useQuery(peopleChoicesQuery)
  const [group, setGroup] = useState('')
  const [place, setPlace] = useState({ building: '', floor: '' })
  const result = useRef<Pick<BulkDone, 'done' | 'waits' | 'left'>>({ done: 0, waits: 0, left: [] })
  const isOfGroup = act === 'add_to_group' || act === 'take_out_of_group'
  const { title, action, text, done } = wordings[act]
  const isReady = isOfGroup ? group !== '' : act !== 'move' || place.building !== ''
  // staff need a floor: a building alone is on the way to one
  const isChosen = act !== 'move' || place.floor !== '' || rows.every(({ kind }) => kind === 'visitor')
  const inputOf = (act: Exclude<BulkAct, 'show'>): BulkInput => ({
    people: rows.map(({ uid }) => uid),
    act,
    ...(act === 'move' && { place: (place.floor || place.building) as FloorUid | BuildingUid }),
    ...(isOfGroup && { group: group as GroupUid }),
  })
  const save = async () => {
    const shown: ShownInvitation[] = []
    if (act === 'show') result.current = await showAll(rows, shown)
    else result.current = await changePeople(inputOf(act))
    onDone({ left: result.current.left, shown })
    await Promise.all(
      ['uploads', 'people', 'person', 'groups', 'group', 'places', 'now'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
  return (
    <FormDialog
      title={title(peopleOf(rows.length))}
      action={action}
      isReady={isReady}
      done={() => done(result.current)}
      fields={[]}
      onSave={save}
      onClose={onClose}
    >
      {() => (
        <>
          {text && <p>{text}</p>}
          {act === 'move' && <PlaceFields {...place} onChange={setPlace} />}
          {isOfGroup && (
            <SelectField
              label="Group"
              value={group}
              placeholder="Choose"
              options={(choices?.groups ?? []).map(({ uid, name }) => ({ value: uid as string, label: name }))}
              onChange={setGroup}
            />
          )}
          {act !== 'show' && isReady && isChosen && <BulkDifference input={inputOf(act)} />}
        </>
      )}
    </FormDialog>
  )
}

/** One after the other: each is a token of its own. */
async function showAll(rows: readonly PersonRow[], shown: ShownInvitation[]) {
  const left: BulkDone['left'] = []
  for (const { uid, ...named } of rows) {
    const name = fullName(named)
    try {
      shown.push({ name, ...(await showInvitation(uid)) })
    } catch (failure) {
      left.push({ person: uid, name, reason: consoleSentence(failure) })
    }
  }
  return { done: shown.length, waits: 0, left }
}

/** What has come of it: the invitations to hand over, and who was left and why. */
export function BulkResult({
  left,
  shown,
  onClose,
}: {
  left: BulkDone['left']
  shown: readonly ShownInvitation[]
  onClose: () => void
}) {
  return (
    <Dialog open onClose={onClose} title={shown.length > 0 ? 'Hand over the invitations' : 'Left as they are'}>
      {left.length > 0 && (
        <section aria-label="Left as they are" className="grid gap-2">
          {shown.length > 0 && <h3 className="font-bold">Left as they are</h3>}
          <ul className="console-picks grid gap-2">
            {left.map(({ person, name, reason }) => (
              <li key={person}>
                <span className="font-semibold">{name}</span>
                <span className="block text-sm text-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shown.length > 0 ? (
        <InvitationSheets shown={shown} onDone={onClose} />
      ) : (
        <div className="console-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      )}
    </Dialog>
  )
}
