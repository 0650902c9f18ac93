import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { changePlaceTo, readPlacesAgain, type SitePlace } from './places.data.ts'

/** How often the buildings of a site drill, and its shifts. */
export function DrillsDialog({ site, onClose }: { site: SitePlace; onClose: () => void }) {
  const client = useQueryClient()
  const [days, setDays] = useState(String(site.drill_every_days))
  const [shifts, setShifts] = useState(site.drill_shifts)
  const save = async () => {
    const { uid, version, name, code } = site
    try {
      await changePlaceTo(uid, { version, name, code, drill_every_days: Number(days), drill_shifts: shifts })
    } finally {
      await readPlacesAgain(client)
    }
  }
  return (
    <FormDialog
      title="Drills"
      action="Save"
      done="Saved."
      fields={['drill_every_days', 'drill_shifts']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label="Days between drills"
            type="number"
            inputMode="numeric"
            value={days}
            onChange={setDays}
            hint="7 to 1,825. Each building is due again this many days after its last drill."
            error={errorOf('drill_every_days')}
            data-autofocus
          />
          <TextField
            label="Shifts begin at"
            value={shifts}
            maxLength={200}
            onChange={setShifts}
            hint="For example, 07:00;15:00;23:00. Each shift then has its own drills. Leave empty for no shifts."
            error={errorOf('drill_shifts')}
          />
        </>
      )}
    </FormDialog>
  )
}
