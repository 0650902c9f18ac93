import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { FieldsDialog } from '#web/console/fields-dialog.tsx'
import { Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import { WhenListed } from '#web/console/list/when-listed.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { NoManager } from './no-manager.tsx'
import { addRole, changeRoleTo, type RoleChange, type RoleRow, readWardensAgain, rolesQuery } from './wardens.data.ts'

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
const domains = ['Site', 'Building', 'Floor', 'Area'].map((value) => ({ value, label: value }))

type RoleValues = {
  name: string
  domain: string
  modules: readonly string[]
  command_order: string
  is_second: boolean
  in_use: boolean
}

/** The roles of the organisation. */
export function RolesTab() {
  const read = useQuery(rolesQuery)
  const [edited, setEdited] = useState<RoleRow | 'new' | null>(null)
  return (
    <>
      <NoManager />
      <WhenListed read={read}>
        {({ rows, may_change }) => (
          <>
            {may_change && (
              <Button variant="outline" className="w-fit" onClick={() => setEdited('new')}>
                Add a role
              </Button>
            )}
            <ul className="grid gap-3">
              {rows.map((role) => (
                <Role key={role.uid} role={role} {...(may_change && { onEdit: () => setEdited(role) })} />
              ))}
            </ul>
          </>
        )}
      </WhenListed>
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
          {role.called === 'second' && <span className="console-chip">Called second</span>}
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
  const stays = role?.on_duty_at
    ? `An event is running at ${role.on_duty_at}. This can be changed when it has ended.`
    : undefined
  const stored: RoleValues = {
    name: role?.name ?? '',
    domain: role?.domain ?? 'Floor',
    modules: role?.modules ?? [],
    command_order: role?.command_order ? String(role.command_order) : '',
    is_second: role?.called === 'second',
    in_use: role?.in_use ?? true,
  }
  const fields: FieldsOf<RoleValues> = {
    name: { label: 'Name', 'data-autofocus': true },
    domain: {
      label: 'Covers a',
      options: domains,
      disabled: role?.was_assigned ?? false,
      hint: role?.was_assigned && 'This cannot be changed: someone has had this role.',
    },
    modules: { label: 'Modules' },
    command_order: {
      label: 'Place in the chain of command',
      inputMode: 'numeric',
      hint: '1 to 99. If empty, after those with a number.',
      when: ({ modules }) => modules.includes('Event_Management'),
    },
    is_second: {
      label: 'Call only if no one else answers',
      hint: 'No alert at the start. Used where ‘Reaching people’ has the step ‘next’.',
    },
    in_use: {
      label: 'In use: can be offered',
      disabled: Boolean(stays && role?.in_use),
      when: () => role !== null,
    },
  }
  const save = async ({ command_order, is_second, in_use, ...values }: RoleValues) => {
    try {
      const called = is_second ? 'second' : 'first'
      const body = { ...values, command_order: orderOf(command_order), called } as Omit<
        RoleChange,
        'version' | 'in_use'
      >
      if (role) await changeRoleTo(role.uid, { ...body, version: role.version, in_use })
      else await addRole(body)
    } finally {
      await readWardensAgain(client)
    }
  }
  return (
    <FieldsDialog
      title={role ? role.name : 'Add a role'}
      action={role ? 'Save' : 'Add'}
      done={role ? 'Saved.' : 'Added.'}
      stored={stored}
      fields={fields}
      onSave={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Fields of={fields} form={form} only={['name', 'domain']} />
          <Modules
            chosen={form.values.modules}
            fixed={stays ? stored.modules : []}
            error={form.errors.modules}
            onChange={(modules) => form.set({ modules })}
          />
          <Fields of={fields} form={form} only={['command_order', 'is_second']} />
          {stays && <p className="text-sm text-muted">{stays}</p>}
          <Fields of={fields} form={form} only={['in_use']} />
        </>
      )}
    </FieldsDialog>
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
  error: string | undefined
  onChange: (chosen: string[]) => void
}

function Modules({ chosen, fixed, error, onChange }: ModulesProps) {
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
      {error && <p className="text-sm text-danger-ink">{error}</p>}
    </fieldset>
  )
}
