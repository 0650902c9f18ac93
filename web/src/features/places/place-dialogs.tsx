import type { BuildingUid, PlaceUid, SiteUid } from '@evac/contract/ids.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../console/form-dialog.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { addBuilding, addFloorsTo, addSite, changePlaceTo, readPlacesAgain } from './places.data.ts'

const codeHint = 'Import files name places by it. Leave it empty and one is made.'
type Kind = 'floor' | 'area'
const kinds = [
  { value: 'floor' as const, label: 'Floor' },
  { value: 'area' as const, label: 'Area' },
]

interface AddDialogProps {
  /** Without it: a site. */
  within: { site: SiteUid; name: string } | { building: BuildingUid; name: string } | null
  /** Of the organisation: what a new site begins with. */
  zone: string
  onClose: () => void
}

/** PPL-20: a site, a building of a site, or a floor of a building. */
export function AddDialog({ within, zone, onClose }: AddDialogProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [timezone, setTimezone] = useState(zone)
  const [kind, setKind] = useState<Kind>('floor')
  const what = !within ? 'site' : 'site' in within ? 'building' : 'floor'
  const save = async () => {
    if (!within) await addSite({ name, code, timezone })
    else if ('site' in within) await addBuilding({ site: within.site, name, code })
    else await addFloorsTo({ building: within.building, kind, floors: [{ name, code }] })
    await readPlacesAgain(client)
  }
  return (
    <FormDialog
      title={within ? `Add a ${what} to ${within.name}` : 'Add a site'}
      action="Add"
      done="Added."
      fields={['name', 'code', 'timezone']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField label="Name" value={name} onChange={setName} error={errorOf('name')} data-autofocus />
          <TextField label="Code" value={code} onChange={setCode} error={errorOf('code')} hint={codeHint} />
          {what === 'floor' && <SelectField label="Kind" value={kind} options={kinds} onChange={setKind} />}
          {what === 'site' && (
            <TextField label="Time zone" value={timezone} onChange={setTimezone} error={errorOf('timezone')} />
          )}
        </>
      )}
    </FormDialog>
  )
}

interface AddSeveralDialogProps {
  building: BuildingUid
  /** Of the building. */
  within: string
  onClose: () => void
}

/** PPL-20: 'Level 1' to 'Level 12' at once. */
export function AddSeveralDialog({ building, within, onClose }: AddSeveralDialogProps) {
  const client = useQueryClient()
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState('10')
  const [name, setName] = useState('Level {n}')
  const levels = levelsBetween(from, to)
  const save = async () => {
    const floors = levels.map((level) => ({ name: nameOf(name, level), level }))
    await addFloorsTo({ building, kind: 'floor', floors })
    await readPlacesAgain(client)
  }
  return (
    <FormDialog
      title={`Add several floors to ${within}`}
      action={levels.length > 0 ? `Add ${levels.length}` : 'Add'}
      done="Added."
      fields={['name']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <div className="grid grid-cols-2 gap-3">
            <TextField label="From" inputMode="numeric" value={from} onChange={setFrom} data-autofocus />
            <TextField
              label="To"
              inputMode="numeric"
              value={to}
              onChange={setTo}
              error={levels.length === 0 ? 'Give two whole numbers, the lower one first, up to 200 floors.' : undefined}
            />
          </div>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={errorOf('name')}
            hint={levels.length > 0 ? `${nameOf(name, levels[0])} to ${nameOf(name, levels.at(-1))}` : undefined}
          />
        </>
      )}
    </FormDialog>
  )
}

/** '{n}' in a name stands for the number of the floor. */
const nameOf = (name: string, level: number | undefined) => name.replaceAll('{n}', String(level))

function levelsBetween(from: string, to: string): number[] {
  const [first, last] = [from, to].map((text) => (/^-?\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN))
  if (first === undefined || last === undefined || !(first <= last) || last - first >= 200) return []
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}

export interface Renamed {
  uid: PlaceUid
  name: string
  code: string
  version: string
  /** Of a site. */
  timezone?: string
  /** Of a floor. */
  kind?: Kind
  /** Why the time zone stays for now (ORG-42). */
  zoneStays?: string | false
}

/** PPL-20: name and code, time zone of a site, floor or area. */
export function RenameDialog({ place, onClose }: { place: Renamed; onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState(place.name)
  const [code, setCode] = useState(place.code)
  const [timezone, setTimezone] = useState(place.timezone)
  const [kind, setKind] = useState(place.kind)
  const save = async () => {
    const more = { ...(timezone !== undefined && { timezone }), ...(kind && { kind }) }
    try {
      await changePlaceTo(place.uid, { version: place.version, name, code, ...more })
    } finally {
      await readPlacesAgain(client)
    }
  }
  return (
    <FormDialog
      title="Rename"
      action="Save"
      done="Saved."
      fields={['name', 'code', 'timezone']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField label="Name" value={name} onChange={setName} error={errorOf('name')} data-autofocus />
          <TextField label="Code" value={code} onChange={setCode} error={errorOf('code')} />
          {kind && <SelectField label="Kind" value={kind} options={kinds} onChange={setKind} />}
          {timezone !== undefined && (
            <TextField
              label="Time zone"
              value={timezone}
              onChange={setTimezone}
              disabled={Boolean(place.zoneStays)}
              hint={place.zoneStays || undefined}
              error={errorOf('timezone')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
