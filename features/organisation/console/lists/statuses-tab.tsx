import { useQuery } from '@tanstack/react-query'
import { doneOf, wordOf } from '#kernel/action-words.ts'
import { colourNames } from '#kernel/console-kinds.ts'
import { Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import type { Frame } from '#web/console/page-frame.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { FloorStatusRow } from '../../calls/lists.ts'
import { ColourChip } from './colour-chip.tsx'
import { ListTab } from './list-tab.tsx'
import { orderStatuses, saveStatus, statusesQuery } from './lists.data.ts'

const own = 'own'
const colours = [
  ...colourNames.map((name) => ({ value: name as string, label: `${name.charAt(0).toUpperCase()}${name.slice(1)}` })),
  { value: own, label: 'Own colour' },
]
const isNamed = (colour: string) => (colourNames as readonly string[]).includes(colour)
const begun = { name: '', named: 'green', hex: '#00527f', means_clear: false, in_use: true }
type StatusValues = typeof begun
const valuesOf = ({ name, colour, means_clear, in_use }: FloorStatusRow): StatusValues => ({
  name,
  means_clear,
  in_use,
  ...(isNamed(colour) ? { named: colour, hex: begun.hex } : { named: own, hex: colour }),
})
const colourOf = ({ named, hex }: Pick<StatusValues, 'named' | 'hex'>) => (named === own ? hex : named)

/** 'Means clear'; of a status that floors offer in one action only, 'Lockdown: means locked'. */
const meaningOf = ({ means_clear, action }: FloorStatusRow) => {
  if (!action) return means_clear ? 'Means clear' : ''
  return means_clear ? `${wordOf(action)}: means ${doneOf(action)}` : wordOf(action)
}

const fields: FieldsOf<StatusValues> = {
  name: { label: 'Name', 'data-autofocus': true },
  named: { label: 'Colour', options: colours },
  hex: { label: 'Own colour', type: 'color', when: ({ named }) => named === own },
  means_clear: { label: 'Means clear' },
  in_use: { label: 'In use' },
}

/** An event begins at the first status that is in use. */
export const StatusesTab = ({ frame }: { frame: Frame }) => (
  <ListTab
    frame={frame}
    label="Floor statuses"
    what="floor status"
    read={useQuery(statusesQuery)}
    queryKey={statusesQuery.queryKey}
    nameOf={({ name }) => name}
    columns={[
      { head: 'Colour', cell: ({ colour, name }) => <ColourChip colour={colour}>{name}</ColourChip> },
      { head: 'Meaning', cell: meaningOf },
    ]}
    empty="There are no floor statuses yet."
    above={(rows = []) => (
      <>
        <p className="text-sm text-muted">
          An event begins at the first status that is in use. The time at which a floor is clear counts from a status
          that means clear.
        </p>
        {rows.length > 0 && !rows.some(({ means_clear }) => means_clear) && (
          <Notice variant="warning">
            No floor status of this organisation means clear. Mark one to get clear times.
          </Notice>
        )}
      </>
    )}
    begun={begun}
    valuesOf={valuesOf}
    fields={fields}
    save={(row, { named, hex, ...values }, options) =>
      saveStatus(row, { ...values, colour: colourOf({ named, hex }) }, options)
    }
    order={orderStatuses}
  >
    {(form) => (
      <>
        <Fields of={fields} form={form} only={['name', 'named', 'hex']} />
        <p>
          <ColourChip colour={colourOf(form.values)}>{form.values.name || 'Preview'}</ColourChip>
        </p>
        <Fields of={fields} form={form} only={['means_clear', 'in_use']} />
      </>
    )}
  </ListTab>
)
