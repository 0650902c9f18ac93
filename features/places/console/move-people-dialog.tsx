import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { movePeople, readPlacesAgain, siteQuery } from './places.data.ts'

interface MovePeopleDialogProps {
  place: { uid: PlaceUid; name: string; site: SiteUid; people: number }
  onClose: () => void
}

/** Everyone on a place to another floor of its site, some hundred at a time. */
export function MovePeopleDialog({ place: { uid, name, site, people }, onClose }: MovePeopleDialogProps) {
  const client = useQueryClient()
  const { data } = useQuery(siteQuery(site, undefined))
  const [floor, setFloor] = useState('')
  const nameOf = new Map(data?.buildings.map((building) => [building.uid, building.name]))
  const options = (data?.floors ?? [])
    .filter((one) => one.retired_at === null && ![one.uid as PlaceUid, one.building as PlaceUid].includes(uid))
    .map((one) => ({ value: one.uid as string, label: `${nameOf.get(one.building) ?? ''} - ${one.name}` }))
  const save = async () => {
    let remaining = 1
    while (remaining > 0) remaining = (await movePeople({ from: uid, to: floor as FloorUid })).remaining
    await Promise.all([readPlacesAgain(client), client.invalidateQueries({ queryKey: ['people'] })])
  }
  return (
    <FormDialog
      title={`Move ${people === 1 ? '1 person' : `${people} people`} to…`}
      action="Move"
      isReady={floor !== ''}
      done="Moved."
      fields={[]}
      onSave={save}
      onClose={onClose}
    >
      {() => (
        <>
          <p>Everyone on {name} is counted there from the next event on.</p>
          <SelectField label="Floor" value={floor} placeholder="Choose" options={options} onChange={setFloor} />
        </>
      )}
    </FormDialog>
  )
}
