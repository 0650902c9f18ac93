import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SignInOrigins } from '#features/authority/console/sign-in-origins.tsx'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { fullName } from '#web/console/names.ts'
import { DaysFields, PlacesField } from './area-fields.tsx'
import { type AssignmentRow, changeTo, readWardensAgain, rolesQuery, startsEvents } from './wardens.data.ts'

/** Other days and places. */
export function ChangeDialog({ row, onClose }: { row: AssignmentRow; onClose: () => void }) {
  const client = useQueryClient()
  const [from, setFrom] = useState(row.from)
  const [to, setTo] = useState(row.to)
  const [places, setPlaces] = useState(row.places.map(({ uid }) => uid))
  const { data: roles } = useQuery(rolesQuery)
  const role = roles?.rows.find(({ uid }) => uid === row.role.uid)
  const givesMore = role !== undefined && startsEvents(role) && (from < row.from || to > row.to)
  const save = async () => {
    try {
      await changeTo(row.uid, { version: row.version, from, to, places })
    } finally {
      await readWardensAgain(client)
    }
  }
  return (
    <FormDialog
      title={`${row.role.name} of ${fullName(row.person)}`}
      action="Save"
      done="Saved."
      fields={['from', 'to', 'places']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <DaysFields {...{ from, to, errorOf }} onFrom={setFrom} onTo={setTo} />
          {givesMore && <SignInOrigins people={[row.person.uid]} />}
          <PlacesField
            site={row.site.uid}
            domain={row.role.domain}
            chosen={places}
            onChange={setPlaces}
            error={errorOf('places')}
          />
        </>
      )}
    </FormDialog>
  )
}
