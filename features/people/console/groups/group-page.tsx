import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { groupLimits } from '#kernel/console-kinds.ts'
import type { GroupUid } from '#kernel/ids.ts'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { useForm } from '#web/console/form/use-form.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { fullName, listName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { type ChosenPerson, PeoplePicker } from '#web/console/people-picker.tsx'
import { toastDone, toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import {
  changeGroupTo,
  type Group,
  groupQuery,
  membersQuery,
  type PersonRow,
  readGroupsAgain,
  setMembers,
} from './groups.data.ts'
import { keptBy, membersOf } from './groups-page.tsx'

type Opened = 'change' | 'add' | null

/** A group with its members. */
export function GroupPage({ uid }: { uid: GroupUid }) {
  const read = useQuery(groupQuery(uid))
  const group = read.data
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <PageFrame
      title={group?.name ?? 'Group'}
      purpose={
        group
          ? `${group.code}. ${membersOf(group)}. Managed by ${group.kept_by.length > 0 ? keptBy(group) : 'the organisation'}.`
          : 'Who belongs to it.'
      }
      button={
        <div className="grid grid-cols-[auto_1fr] gap-2">
          <Button variant="outline" disabled={!group} onClick={() => setOpened('change')}>
            Change
          </Button>
          <Button disabled={!group?.in_use} onClick={() => setOpened('add')}>
            Add members
          </Button>
        </div>
      }
      isBelow
    >
      <WhenRead read={read} parts={['line', 'line', 'line']}>
        {(known) => (
          <>
            <Members group={known} />
            {opened === 'add' && <AddMembersDialog group={known} onClose={close} />}
            <Dialog open={opened === 'change'} onClose={close} title="Change the group">
              {opened === 'change' && <GroupForm group={known} onClose={close} />}
            </Dialog>
          </>
        )}
      </WhenRead>
    </PageFrame>
  )
}

const columns = [
  { head: 'Floor', cell: ({ place }: PersonRow) => place ?? <span className="text-muted">No floor</span> },
  { head: 'Kind', cell: ({ kind }: PersonRow) => (kind === 'staff' ? 'Staff' : 'Visitor'), tableOnly: true as const },
]

function Members({ group }: { group: Group }) {
  const client = useQueryClient()
  const address = useListAddress([])
  const read = useQuery(membersQuery(group.uid, address.query))
  const { running, run } = useOneAction<PersonRow['uid']>()
  const takeOut = (row: PersonRow) =>
    void run(row.uid, async () => {
      await setMembers(group.uid, { remove: [row.uid] }).then(
        () => toastDone(`${fullName(row)} is no longer a member.`),
        toastFailure,
      )
      await readGroupsAgain(client)
    })
  return (
    <List
      label="Members"
      read={read}
      address={address}
      keyOf={({ uid }) => uid}
      name={(row) => (
        <>
          <span className="font-semibold">{listName(row)}</span>
          {!row.active && <span className="console-chip">Inactive</span>}
        </>
      )}
      to={({ uid }) => `/console/people/${uid}`}
      columns={columns}
      actions={(row) =>
        group.in_use && (
          <div className="console-acts">
            <Button
              variant="quiet"
              aria-label={`Remove ${fullName(row)}`}
              busy={running === row.uid}
              onClick={() => takeOut(row)}
            >
              Remove
            </Button>
          </div>
        )
      }
      search="Search members"
      nobody="No member found."
      empty="This group has no members yet."
    />
  )
}

function AddMembersDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const client = useQueryClient()
  const [people, setPeople] = useState<ChosenPerson[]>([])
  return (
    <FormDialog
      title="Add members"
      action={people.length > 1 ? `Add ${people.length}` : 'Add'}
      isReady={people.length > 0}
      done="Added."
      fields={[]}
      onSave={async () => {
        await setMembers(group.uid, { add: people.map(({ uid }) => uid) })
        await readGroupsAgain(client)
      }}
      onClose={onClose}
    >
      {() => <PeoplePicker people={people} onChange={setPeople} most={groupLimits.peopleOfChange} />}
    </FormDialog>
  )
}

const fields = { name: { label: 'Name' }, code: { label: 'Code' }, in_use: { label: 'In use' } }
const valuesOf = ({ name, code, in_use }: Group) => ({ name, code, in_use })

function GroupForm({ group, onClose }: { group: Group; onClose: () => void }) {
  const client = useQueryClient()
  const [version, setVersion] = useState(group.version)
  const form = useForm({
    stored: valuesOf(group),
    save: (values, sending) => changeGroupTo(group.uid, { version, ...values }, sending),
    readAgain: async () => {
      const now = await client.fetchQuery({ ...groupQuery(group.uid), staleTime: 0 })
      setVersion(now.version)
      return { stored: valuesOf(now), at: now.changed_at }
    },
    onSaved: () => {
      toastDone('Saved.')
      void readGroupsAgain(client)
      onClose()
    },
  })
  return <FormFrame form={form} fields={fields} onCancel={onClose} />
}
