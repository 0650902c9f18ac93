import { useState } from 'react'
import { auditKinds } from '#kernel/console-kinds.ts'
import type { ListAddress } from '#web/console/list/list-address.ts'
import { PersonSearch } from '#web/console/people-picker.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import type { auditFilters } from './audit.data.ts'

type Name = (typeof auditFilters)[number]

const kinds = [
  { value: '', label: 'All' },
  ...auditKinds.map((kind) => ({ value: kind as string, label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` })),
]

/** Who, kind, person, days. */
export function AuditFilters({ address }: { address: ListAddress<Name> }) {
  const { query, filter } = address
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={query[name] ?? ''}
      max="2199-12-31"
      onChange={(value) => filter({ [name]: value })}
    />
  )
  return (
    <div className="console-filters items-end">
      <SelectField
        label="Kind"
        value={query.kind ?? ''}
        options={kinds}
        onChange={(kind: string) => filter({ kind })}
      />
      <PersonFilter label="Who" chosen={query.who} onChoose={(who) => filter({ who, operator: '' })} />
      <PersonFilter label="On whom" chosen={query.person} onChoose={(person) => filter({ person })} />
      {day('from', 'From')}
      {day('to', 'To')}
    </div>
  )
}

interface PersonFilterProps {
  label: string
  /** Uid of the person. */
  chosen: string | undefined
  onChoose: (uid: string) => void
}

function PersonFilter({ label, chosen, onChoose }: PersonFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState<string | null>(null)
  const close = (uid?: string, picked?: string) => {
    setIsOpen(false)
    if (uid === undefined) return
    setName(picked ?? null)
    onChoose(uid)
  }
  return (
    <div className="min-w-0">
      <span className="mb-1 block font-semibold">{label}</span>
      <Button
        variant="outline"
        block
        aria-label={`${label}: ${chosen ? (name ?? 'one person') : 'anyone'}`}
        onClick={() => setIsOpen(true)}
      >
        <span className="truncate">{chosen ? (name ?? 'One person') : 'Anyone'}</span>
      </Button>
      <Dialog open={isOpen} onClose={() => close()} title={label}>
        {isOpen && <PersonSearch label="Person" state="all" onPick={({ uid, name }) => close(uid, name)} />}
        <Button variant="quiet" onClick={() => close('')}>
          Anyone
        </Button>
      </Dialog>
    </div>
  )
}
