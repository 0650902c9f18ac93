import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { GroupUid } from '#kernel/ids.ts'
import { count } from '#web/console/count.ts'
import { FieldsDialog } from '#web/console/fields-dialog.tsx'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { StateFilter } from '#web/console/list/state-filter.tsx'
import { PageFrame } from '#web/console/page-frame.tsx'
import { navigate } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { addNewGroup, type GroupRow, type GroupsQuery, groupsQuery, readGroupsAgain } from './groups.data.ts'

const states = [
  { value: '', label: 'In use' },
  { value: 'out', label: 'Out of use' },
  { value: 'all', label: 'Both' },
]
export const membersOf = ({ members }: Pick<GroupRow, 'members'>) => count(members, 'member')
export const keptBy = ({ kept_by }: Pick<GroupRow, 'kept_by'>) => kept_by.join(', ') || 'The organisation'

const columns = [
  { head: 'Members', cell: membersOf },
  { head: 'Managed by', cell: keptBy },
  { head: 'Code', cell: ({ code }: GroupRow) => code, tableOnly: true as const },
]

/** Tenants, departments, classes. */
export function GroupsPage() {
  const address = useListAddress(['state'])
  // an address that someone typed is checked by the server
  const read = useQuery(groupsQuery(address.query as GroupsQuery))
  const [isAdding, setIsAdding] = useState(false)
  return (
    <PageFrame
      title="Groups"
      purpose="Tenants, departments, classes. An administrator may look after one."
      button={<Button onClick={() => setIsAdding(true)}>Add a group</Button>}
    >
      <List
        label="Groups"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={nameOf}
        to={({ uid }) => `/console/groups/${uid}`}
        columns={columns}
        search="Search groups"
        filters={<StateFilter address={address} options={states} />}
        nobody="No group found with these filters."
        empty="There are no groups yet."
      />
      {isAdding && <AddGroupDialog onClose={() => setIsAdding(false)} />}
    </PageFrame>
  )
}

const nameOf = ({ name, in_use }: GroupRow) => (
  <>
    <span className="font-semibold">{name}</span>
    {!in_use && <span className="console-chip">Out of use</span>}
  </>
)

function AddGroupDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const made = useRef<GroupUid>(null)
  return (
    <FieldsDialog
      title="Add a group"
      action="Add"
      done="Added."
      stored={{ name: '', code: '' }}
      fields={{
        name: { label: 'Name', 'data-autofocus': true },
        code: { label: 'Code', hint: 'Import files use it to name groups. If you leave it empty, one is made.' },
      }}
      onSave={async (values) => {
        made.current = (await addNewGroup(values)).uid
        await readGroupsAgain(client)
      }}
      onClose={() => {
        onClose()
        if (made.current) navigate(`/console/groups/${made.current}`)
      }}
    />
  )
}
