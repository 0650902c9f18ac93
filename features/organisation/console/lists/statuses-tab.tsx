import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { colourNames } from '#kernel/console-kinds.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ColourChip } from './colour-chip.tsx'
import { type FloorStatusRow, orderStatuses, saveStatus, statusesQuery } from './lists.data.ts'
import { MoveButtons, useOrder } from './order.tsx'
import { type Edited, RowDialog } from './row-dialog.tsx'

const labels = { name: 'Name', named: 'Colour', hex: 'Own colour', means_clear: 'Means clear', in_use: 'In use' }
const noneMeansClear = 'No floor status of this organisation means clear. Mark one to get clear times.'
const own = 'own'
const colours = [
  ...colourNames.map((name) => ({ value: name as string, label: `${name.charAt(0).toUpperCase()}${name.slice(1)}` })),
  { value: own, label: 'Own colour' },
]
const isNamed = (colour: string) => (colourNames as readonly string[]).includes(colour)
const valuesOf = (row: FloorStatusRow | undefined) => ({
  name: row?.name ?? '',
  named: row && !isNamed(row.colour) ? own : (row?.colour ?? 'green'),
  hex: row && !isNamed(row.colour) ? row.colour : '#00527f',
  means_clear: row?.means_clear ?? false,
  in_use: row?.in_use ?? true,
})
const colourOf = ({ named, hex }: { named: string; hex: string }) => (named === own ? hex : named)

/** An event begins at the first status that is in use. */
export function StatusesTab({ frame }: { frame: Frame }) {
  const address = useListAddress([])
  const read = useQuery(statusesQuery)
  const [edited, setEdited] = useState<Edited<FloorStatusRow>>(null)
  const { running, move } = useOrder(read.data?.rows ?? [], statusesQuery.queryKey, orderStatuses)
  const rows = read.data?.rows ?? []
  const actions = (row: FloorStatusRow) => {
    const at = rows.indexOf(row)
    return (
      <div className="console-acts">
        <MoveButtons name={row.name} at={at} of={rows.length} busy={running} onMove={(by) => move(at, by)} />
        <Button variant="quiet" aria-label={`Change: ${row.name}`} onClick={() => setEdited(row)}>
          Change
        </Button>
      </div>
    )
  }
  return frame(
    <Button onClick={() => setEdited('new')}>Add</Button>,
    <>
      <p className="text-sm text-muted">
        An event begins at the first status that is in use. The time at which a floor is clear counts from a status that
        means clear.
      </p>
      {rows.length > 0 && !rows.some(({ means_clear }) => means_clear) && (
        <Notice variant="warning">{noneMeansClear}</Notice>
      )}
      <List
        label="Floor statuses"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={({ name }) => <span className="font-semibold">{name}</span>}
        columns={[
          { head: 'Colour', cell: ({ colour, name }) => <ColourChip colour={colour}>{name}</ColourChip> },
          { head: 'Means clear', cell: ({ means_clear }) => (means_clear ? 'Yes' : '–') },
          { head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') },
        ]}
        actions={actions}
        empty="There are no floor statuses yet."
      />
      <RowDialog
        edited={edited}
        onClose={() => setEdited(null)}
        what="floor status"
        queryKey={statusesQuery.queryKey}
        labels={labels}
        valuesOf={valuesOf}
        save={(row, { named, hex, ...values }, options) =>
          saveStatus(row, { ...values, colour: colourOf({ named, hex }) }, options)
        }
      >
        {({ field, values, set, errors }) => (
          <>
            <TextField label={labels.name} data-autofocus {...field('name')} />
            <SelectField
              label={labels.named}
              value={values.named}
              options={colours}
              onChange={(named: string) => set({ named })}
            />
            {values.named === own && (
              <TextField label={labels.hex} type="color" value={values.hex} onChange={(hex) => set({ hex })} />
            )}
            <p>
              <ColourChip colour={colourOf(values)}>{values.name || 'Preview'}</ColourChip>
            </p>
            <Checkbox
              label={labels.means_clear}
              checked={values.means_clear}
              onChange={(means_clear) => set({ means_clear })}
            />
            <Checkbox label={labels.in_use} checked={values.in_use} onChange={(in_use) => set({ in_use })} />
            {errors.in_use && <p className="text-sm text-danger-ink">{errors.in_use}</p>}
          </>
        )}
      </RowDialog>
    </>,
  )
}
