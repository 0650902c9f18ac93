import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { NoManager } from './no-manager.tsx'
import { addRole, changeRoleTo, type RoleChange, type RoleRow, readWardensAgain, rolesQuery } from './wardens.data.ts'

type Module = RoleChange['modules'][number]

/** What each module lets a warden do. */
const modules: readonly { module: string; title: string; why: string }[] = [
  { module: 'Floor_Evacuation', title: 'Floor evacuation', why: 'Records who on the floor is safe or in danger.' },
  { module: 'Evacuee_Safety', title: 'Evacuee safety', why: 'Searches and records people across floors.' },
  { module: 'Floor_Evacuation_Status', title: 'Floor status', why: 'Sets how far the evacuation of a floor has got.' },
  { module: 'Wardens_On_Duty', title: 'Wardens on duty', why: 'Sees who is on duty, and how to reach them.' },
  { module: 'Warden_Messaging', title: 'Warden messaging', why: 'Writes to other wardens.' },
  { module: 'Event_Management', title: 'Event management', why: 'Starts, extends and ends events.' },
  { module: 'Floor_Warden_Status', title: 'Floor warden status', why: 'Sees which floors have no warden.' },
  { module: 'Building_Evacuation_Status', title: 'Building safety', why: 'Sees the counts of each building.' },
  { module: 'My_Messages', title: 'My messages', why: 'Receives messages from other wardens.' },
  { module: 'Event_Records', title: 'Event records', why: 'Reads the records of past events.' },
]
const domains = [
  { value: 'Site' as const, label: 'Site' },
  { value: 'Building' as const, label: 'Building' },
  { value: 'Floor' as const, label: 'Floor' },
  { value: 'Area' as const, label: 'Area' },
]

/** The roles of the organisation. */
export function RolesTab() {
  const { data, error, refetch, isFetching } = useQuery(rolesQuery)
  const [edited, setEdited] = useState<RoleRow | 'new' | null>(null)
  return (
    <>
      <NoManager />
      {error && (
        <>
          <Notice variant="danger">The list could not be loaded.</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
      {!data && !error && <Skeleton parts={['line', 'line', 'line']} />}
      {data && (
        <>
          {data.may_change && (
            <Button variant="outline" className="w-fit" onClick={() => setEdited('new')}>
              Add a role
            </Button>
          )}
          <ul className="grid gap-3">
            {data.rows.map((role) => (
              <Role key={role.uid} role={role} {...(data.may_change && { onEdit: () => setEdited(role) })} />
            ))}
          </ul>
        </>
      )}
      {edited && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function Role({ role, onEdit }: { role: RoleRow; onEdit?: () => void }) {
  const titles = modules.filter(({ module }) => role.modules.includes(module)).map(({ title }) => title)
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-lg leading-tight font-bold wrap-anywhere">
          {role.name} <span className="console-chip">{role.domain}</span>
          {!role.in_use && <span className="console-chip">Not in use</span>}
        </p>
        <p className="text-muted">{titles.join(', ') || 'No module'}</p>
        <p className="text-sm text-muted">
          {role.holders} {role.holders === 1 ? 'assignment' : 'assignments'}
        </p>
      </div>
      {onEdit && (
        <Button variant="quiet" aria-label={`Change ${role.name}`} onClick={onEdit}>
          Change
        </Button>
      )}
    </li>
  )
}

function RoleDialog({ role, onClose }: { role: RoleRow | null; onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState(role?.name ?? '')
  const [domain, setDomain] = useState<RoleRow['domain']>(role?.domain ?? 'Floor')
  const [chosen, setChosen] = useState<readonly string[]>(role?.modules ?? [])
  const [order, setOrder] = useState(role?.command_order ? String(role.command_order) : '')
  const [inUse, setInUse] = useState(role?.in_use ?? true)
  const stays = role?.on_duty_at
    ? `An event is running at ${role.on_duty_at}. This can be changed when it has ended.`
    : undefined
  const save = async () => {
    try {
      const body = { name, domain, modules: chosen as Module[], command_order: orderOf(order) }
      if (role) await changeRoleTo(role.uid, { ...body, version: role.version, in_use: inUse })
      else await addRole(body)
    } finally {
      await readWardensAgain(client)
    }
  }
  return (
    <FormDialog
      title={role ? role.name : 'Add a role'}
      action={role ? 'Save' : 'Add'}
      done={role ? 'Saved.' : 'Added.'}
      fields={['name', 'domain', 'modules', 'command_order']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField label="Name" value={name} onChange={setName} error={errorOf('name')} data-autofocus />
          <SelectField
            label="Covers a"
            value={domain}
            options={domains}
            onChange={setDomain}
            disabled={Boolean(role?.was_assigned)}
            hint={role?.was_assigned ? 'This cannot be changed: someone has had this role.' : undefined}
          />
          <Modules chosen={chosen} fixed={stays ? (role?.modules ?? []) : []} onChange={setChosen} />
          {chosen.includes('Event_Management') && (
            <TextField
              label="Place in the chain of command"
              inputMode="numeric"
              value={order}
              onChange={setOrder}
              hint="1 to 99. If empty, after those with a number."
              error={errorOf('command_order')}
            />
          )}
          {stays && <p className="text-sm text-muted">{stays}</p>}
          {role && (
            <Checkbox
              label="In use: can be offered"
              checked={inUse}
              disabled={Boolean(stays) && role.in_use}
              onChange={setInUse}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Throws the reason if it is none. */
function orderOf(text: string): number | null {
  const number = Number(text.trim())
  if (text.trim() === '') return null
  if (Number.isInteger(number) && number >= 1 && number <= 99) return number
  const message = 'Enter a whole number from 1 to 99, or leave it empty.'
  throw new ApiError('invalid_request', message, 422, { problems: [{ field: 'command_order', row: 1, message }] })
}

interface ModulesProps {
  chosen: readonly string[]
  /** Those that stay while a holder is on duty. */
  fixed: readonly string[]
  onChange: (chosen: string[]) => void
}

function Modules({ chosen, fixed, onChange }: ModulesProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Modules</legend>
      {modules.map(({ module, title, why }) => (
        <Checkbox
          key={module}
          label={
            <>
              <span className="block font-semibold">{title}</span>
              <span className="block text-sm text-muted">{why}</span>
            </>
          }
          checked={chosen.includes(module)}
          disabled={fixed.includes(module)}
          onChange={(isOn) => onChange(isOn ? [...chosen, module] : chosen.filter((one) => one !== module))}
        />
      ))}
    </fieldset>
  )
}
