import { auditKinds } from '@evac/contract/console-rights.ts'
import { limits } from '@evac/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListAddress } from '../../console/list/list-address.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { type auditFilters, peopleFoundQuery } from './audit.data.ts'

type Name = (typeof auditFilters)[number]

const kinds = [
  { value: '', label: 'All' },
  ...auditKinds.map((kind) => ({ value: kind as string, label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` })),
]

/** ORG-39: who, kind, person, days. */
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
        aria-label={`${label}: ${chosen ? (name ?? 'one person') : 'anybody'}`}
        onClick={() => setIsOpen(true)}
      >
        <span className="truncate">{chosen ? (name ?? 'One person') : 'Anybody'}</span>
      </Button>
      <Dialog open={isOpen} onClose={() => close()} title={label}>
        {isOpen && <People onPick={close} />}
        <Button variant="quiet" onClick={() => close('')}>
          Anybody
        </Button>
      </Dialog>
    </div>
  )
}

function People({ onPick }: { onPick: (uid: string, name: string) => void }) {
  const [text, setText] = useState('')
  const asked = useDebounced(text.trim(), limits.searchDebounce)
  const { data = [] } = useQuery(peopleFoundQuery(asked))
  return (
    <>
      <SearchBox label="Person" value={text} onChange={setText} />
      <ul aria-label="People" className="console-picks grid empty:hidden">
        {asked &&
          data.map(({ uid, first_name, last_name, place }) => (
            <li key={uid}>
              <button
                type="button"
                className="btn w-full justify-start text-left console-choice font-normal"
                onClick={() => onPick(uid, `${first_name} ${last_name}`)}
              >
                <span className="min-w-0">
                  <span className="block font-semibold">
                    {first_name} {last_name}
                  </span>
                  <span className="block text-sm text-muted">{place}</span>
                </span>
              </button>
            </li>
          ))}
      </ul>
      {asked && data.length === 0 && <p className="text-sm text-muted">Nobody has a name that begins so.</p>}
    </>
  )
}
