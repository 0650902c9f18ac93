import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checklist } from '#features/records/words.ts'
import * as limits from '#kernel/limits.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { type ChecklistRow, checklistQuery, orderItems, saveItem } from './lists.data.ts'
import { MoveButtons, useOrder } from './order.tsx'
import { type Edited, RowDialog } from './row-dialog.tsx'

const labels = { text: 'Item', in_use: 'In use' }
const valuesOf = (row: ChecklistRow | undefined) => ({ text: row?.text ?? '', in_use: row?.in_use ?? true })

/** What observers answer during and after an event. */
export function ChecklistTab({ frame }: { frame: Frame }) {
  const address = useListAddress([])
  const read = useQuery(checklistQuery)
  const rows = read.data?.rows ?? []
  const [edited, setEdited] = useState<Edited<ChecklistRow>>(null)
  const { running, move } = useOrder(rows, checklistQuery.queryKey, orderItems)
  return frame(
    <Button onClick={() => setEdited('new')}>Add</Button>,
    <>
      <p className="text-sm text-muted">
        Observers answer each item with Yes, No or Not seen. Answers in records keep the wording that was asked.
      </p>
      {read.data && !rows.some(({ in_use }) => in_use) && <Preset />}
      <List
        label="Checklist"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        nameHead="Item"
        name={({ text }) => <span className="font-semibold">{text}</span>}
        columns={[{ head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') }]}
        actions={(row) => (
          <div className="console-acts">
            <MoveButtons
              name={row.text}
              at={rows.indexOf(row)}
              of={rows.length}
              busy={running}
              onMove={(by) => move(rows.indexOf(row), by)}
            />
            <Button variant="quiet" aria-label={`Change: ${row.text}`} onClick={() => setEdited(row)}>
              Change
            </Button>
          </div>
        )}
        empty="You have not added any items yet."
      />
      <RowDialog
        edited={edited}
        onClose={() => setEdited(null)}
        what="item of the checklist"
        queryKey={checklistQuery.queryKey}
        labels={labels}
        valuesOf={valuesOf}
        save={saveItem}
      >
        {({ field, values, set }) => (
          <>
            <TextField label={labels.text} data-autofocus maxLength={limits.checklistTextLength} {...field('text')} />
            <Checkbox label={labels.in_use} checked={values.in_use} onChange={(in_use) => set({ in_use })} />
          </>
        )}
      </RowDialog>
    </>,
  )
}

/** What is asked until the organisation has items of its own. */
const Preset = () => (
  <section aria-labelledby="preset-items" className="card grid grid-cols-1 gap-2">
    <h2 id="preset-items" className="font-semibold">
      These {checklist.length} items are asked until you add your own
    </h2>
    <ul className="list-disc pl-5">
      {checklist.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </section>
)
