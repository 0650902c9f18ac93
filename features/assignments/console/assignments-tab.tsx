import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { DownloadList } from '#web/console/list/download-list.tsx'
import { List } from '#web/console/list/list.tsx'
import { type ListAddress, useListAddress } from '#web/console/list/list-address.ts'
import { fullName, listName } from '#web/console/names.ts'
import { formatDateRange } from '#web/lib/time/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import {
  type AssignmentRow,
  type AssignmentsQuery,
  assignmentFilters,
  assignmentsQuery,
  downloadAssignments,
  readWardensAgain,
  rolesQuery,
  sitesQuery,
  withdraw,
} from './wardens.data.ts'

const stateWords: Record<AssignmentRow['state'], string> = {
  offered: 'Offered',
  accepted: 'Accepted',
  upcoming: 'Upcoming',
  past: 'Past',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
}

type Act = { kind: 'change' | 'withdraw'; row: AssignmentRow }

/** Assignments by name of the person. */
export function AssignmentsTab() {
  const address = useListAddress(assignmentFilters)
  const query = address.query as AssignmentsQuery
  const read = useQuery(assignmentsQuery(query))
  const [act, setAct] = useState<Act | null>(null)
  return (
    <>
      <List
        label="Assignments"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={({ person }) => <span className="font-semibold">{listName(person)}</span>}
        nameSort="name"
        columns={columns}
        tools={<DownloadList name="assignments.csv" read={() => downloadAssignments(query)} />}
        actions={(row) => <Actions row={row} onAct={setAct} />}
        search="Search assignments"
        filters={<Filters address={address} />}
        empty="No one has been offered a role yet."
      />
      {act?.kind === 'change' && <ChangeDialog row={act.row} onClose={() => setAct(null)} />}
      {act?.kind === 'withdraw' && <WithdrawDialog row={act.row} onClose={() => setAct(null)} />}
    </>
  )
}

const columns = [
  { head: 'Role', sort: 'role', cell: ({ role }: AssignmentRow) => role.name },
  {
    head: 'Where',
    sort: 'where',
    cell: ({ site, places }: AssignmentRow) =>
      places.length > 0 ? `${site.name}: ${places.map(({ name }) => name).join(', ')}` : site.name,
  },
  {
    head: 'Days',
    sort: 'days',
    cell: ({ from, to }: AssignmentRow) => <span className="tabular-nums">{formatDateRange(from, to)}</span>,
  },
  { head: 'State', sort: 'state', cell: (row: AssignmentRow) => <State row={row} /> },
]

function State({ row: { state, reason, is_on_duty, is_waiting } }: { row: AssignmentRow }) {
  return (
    <>
      <span className={state === 'declined' ? 'font-semibold text-danger-ink' : undefined}>{stateWords[state]}</span>
      {is_on_duty && <span className="console-chip">On duty</span>}
      {is_waiting && <span className="console-chip">Waiting to end</span>}
      {reason && <span className="block text-sm text-muted wrap-anywhere">{reason}</span>}
    </>
  )
}

function Actions({ row, onAct }: { row: AssignmentRow; onAct: (act: Act) => void }) {
  const { state, person } = row
  if (state === 'declined' || state === 'withdrawn' || state === 'past') return null
  const name = fullName(person)
  return (
    <div className="console-acts">
      <Button variant="quiet" aria-label={`Change ${name}`} onClick={() => onAct({ kind: 'change', row })}>
        Change
      </Button>
      <Button variant="quiet" aria-label={`Withdraw ${name}`} onClick={() => onAct({ kind: 'withdraw', row })}>
        Withdraw
      </Button>
    </div>
  )
}

/** Site, role, state and day. A person comes by the address. */
function Filters({ address }: { address: ListAddress<(typeof assignmentFilters)[number]> }) {
  const { data: sites = [] } = useQuery(sitesQuery)
  const { data: roles } = useQuery(rolesQuery)
  const { query, filter } = address
  const all = { value: '', label: 'All' }
  const field = (name: 'site' | 'role' | 'state', label: string, options: { value: string; label: string }[]) => (
    <SelectField
      compact
      label={label}
      value={query[name] ?? ''}
      options={[all, ...options]}
      onChange={(value: string) => filter({ [name]: value })}
    />
  )
  return (
    <div className="console-filters">
      {field(
        'site',
        'Site',
        sites.map(({ uid, name }) => ({ value: uid as string, label: name })),
      )}
      {field(
        'role',
        'Role',
        (roles?.rows ?? []).map(({ uid, name }) => ({ value: uid as string, label: name })),
      )}
      {field(
        'state',
        'State',
        Object.entries(stateWords).map(([value, label]) => ({ value, label })),
      )}
      <TextField label="Day" hideLabel type="date" value={query.day ?? ''} onChange={(day) => filter({ day })} />
    </div>
  )
}

function WithdrawDialog({ row, onClose }: { row: AssignmentRow; onClose: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [isWaiting, setIsWaiting] = useState(row.is_on_duty)
  const save = async () => {
    const { status } = await withdraw(row.uid, reason)
    setIsWaiting(status === 'waiting')
    await readWardensAgain(client)
  }
  return (
    <FormDialog
      title={`Withdraw ${row.role.name} of ${fullName(row.person)}?`}
      action="Withdraw"
      done={() => (isWaiting ? 'This happens when they are off duty.' : 'Saved.')}
      fields={['reason']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {row.is_on_duty && <p>They are on duty. This happens within a minute of their going off duty.</p>}
          <TextArea label="Reason" value={reason} onChange={setReason} error={errorOf('reason')} data-autofocus />
        </>
      )}
    </FormDialog>
  )
}
