import { useQueryClient } from '@tanstack/react-query'
import { FieldsDialog } from '#web/console/fields-dialog.tsx'
import { changePlaceTo, readPlacesAgain, type SitePlace } from './places.data.ts'

/** How often the buildings of a site drill, and its shifts. */
export function DrillsDialog({ site, onClose }: { site: SitePlace; onClose: () => void }) {
  const client = useQueryClient()
  const { uid, version, name, code, drill_every_days, drill_shifts } = site
  return (
    <FieldsDialog
      title="Drills"
      action="Save"
      done="Saved."
      stored={{ drill_every_days: String(drill_every_days), drill_shifts }}
      fields={{
        drill_every_days: {
          label: 'Days between drills',
          type: 'number',
          inputMode: 'numeric',
          hint: '7 to 1,825. Each building is due again this many days after its last drill.',
          'data-autofocus': true,
        },
        drill_shifts: {
          label: 'Shifts begin at',
          maxLength: 200,
          hint: 'For example, 07:00;15:00;23:00. Each shift then has its own drills. Leave empty for no shifts.',
        },
      }}
      onSave={async ({ drill_every_days: days, drill_shifts: shifts }) => {
        try {
          await changePlaceTo(uid, { version, name, code, drill_every_days: Number(days), drill_shifts: shifts })
        } finally {
          await readPlacesAgain(client)
        }
      }}
      onClose={onClose}
    />
  )
}
