import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlaceUid, SiteUid } from '#kernel/ids.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { addBuilding, addSite, changePlaceTo, readPlacesAgain } from './places.data.ts'

export const codeHint = 'Import files use it to name places. If you leave it empty, one is made.'
export type Kind = 'floor' | 'area'
export const kinds = [
  { value: 'floor' as const, label: 'Floor' },
  { value: 'area' as const, label: 'Area' },
]

interface AddDialogProps {
  /** Without it: a site. */
  within: { site: SiteUid; name: string } | null
  /** Of the organisation: what a new site begins with. */
  zone: string
  onClose: () => void
}

/** A site, or a building of a site. */
export function AddDialog({ within, zone, onClose }: AddDialogProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [timezone, setTimezone] = useState(zone)
  const save = async () => {
    if (within) await addBuilding({ site: within.site, name, code })
    else await addSite({ name, code, timezone })
    await readPlacesAgain(client)
  }
  return (
    <FormDialog
      title={within ? `Add a building to ${within.name}` : 'Add a site'}
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
          {!within && (
            <TextField label="Time zone" value={timezone} onChange={setTimezone} error={errorOf('timezone')} />
          )}
        </>
      )}
    </FormDialog>
  )
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
  /** Why the time zone stays for now. */
  zoneStays?: string | false
}

/** Name and code, time zone of a site, floor or area. */
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
