import { useQueryClient } from '@tanstack/react-query'
import type { PlaceUid, SiteUid } from '#kernel/ids.ts'
import { FieldsDialog } from '#web/console/fields-dialog.tsx'
import { addBuilding, addSite, changePlaceTo, readPlacesAgain } from './places.data.ts'

export type Kind = 'floor' | 'area'
/** What places have in their forms. */
export const placeFields = {
  name: { label: 'Name', 'data-autofocus': true },
  code: { label: 'Code' },
  kind: {
    label: 'Kind',
    options: [
      { value: 'floor', label: 'Floor' },
      { value: 'area', label: 'Area' },
    ],
  },
  timezone: { label: 'Time zone' },
} as const
/** The code of a new one. */
export const newCode = {
  ...placeFields.code,
  hint: 'Import files use it to name places. If you leave it empty, one is made.',
}

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
  const { name, timezone } = placeFields
  return (
    <FieldsDialog
      title={within ? `Add a building to ${within.name}` : 'Add a site'}
      action="Add"
      done="Added."
      stored={{ name: '', code: '', timezone: zone }}
      fields={{ name, code: newCode, timezone: { ...timezone, when: () => !within } }}
      onSave={async ({ name, code, timezone }) => {
        if (within) await addBuilding({ site: within.site, name, code })
        else await addSite({ name, code, timezone })
        await readPlacesAgain(client)
      }}
      onClose={onClose}
    />
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
  const { name, code, timezone = '', kind = '', zoneStays } = place
  return (
    <FieldsDialog
      title="Rename"
      action="Save"
      done="Saved."
      stored={{ name, code, kind: kind as string, timezone }}
      fields={{
        name: placeFields.name,
        code: placeFields.code,
        kind: { ...placeFields.kind, when: () => place.kind !== undefined },
        timezone: {
          ...placeFields.timezone,
          when: () => place.timezone !== undefined,
          disabled: Boolean(zoneStays),
          hint: zoneStays,
        },
      }}
      onSave={async (values) => {
        const more = {
          ...(place.timezone !== undefined && { timezone: values.timezone }),
          ...(place.kind && { kind: values.kind as Kind }),
        }
        try {
          await changePlaceTo(place.uid, { version: place.version, name: values.name, code: values.code, ...more })
        } finally {
          await readPlacesAgain(client)
        }
      }}
      onClose={onClose}
    />
  )
}
