import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { type EventKind, eventKinds } from '#kernel/vocabulary.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea, TextField } from '#web/ui/fields/text-field.tsx'
import { type EventTypeRow, eventTypesQuery, saveEventType } from './lists.data.ts'
import { type Edited, RowDialog } from './row-dialog.tsx'
import { Segments } from './segments.tsx'

const labels = { type: 'Type', description: 'Description', message: 'Message', kind: 'Meant for', in_use: 'In use' }
const valuesOf = (row: EventTypeRow | undefined) => ({
  type: row?.type ?? '',
  description: row?.description ?? '',
  message: row?.message ?? '',
  kind: row?.kind ?? ('live' as EventKind),
  in_use: row?.in_use ?? true,
})

/** What an event of the type is, unless it is started otherwise. */
const kindWords: Record<EventKind, string> = { live: 'Live events', drill: 'Drills' }

/** The kinds of emergency, each with a suggested message. */
export function EventTypesTab({ frame }: { frame: Frame }) {
  const address = useListAddress([])
  const read = useQuery(eventTypesQuery)
  const [edited, setEdited] = useState<Edited<EventTypeRow>>(null)
  return frame(
    <Button onClick={() => setEdited('new')}>Add</Button>,
    <>
      <List
        label="Event types"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        nameHead="Type"
        name={({ type }) => <span className="font-semibold">{type}</span>}
        columns={[
          { head: 'Description', cell: ({ description }) => description, tableOnly: true },
          { head: 'Message', cell: ({ message }) => message },
          { head: 'Meant for', cell: ({ kind }) => kindWords[kind] },
          { head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') },
        ]}
        actions={(row) => (
          <div className="console-acts">
            <Button variant="quiet" aria-label={`Change: ${row.type}`} onClick={() => setEdited(row)}>
              Change
            </Button>
          </div>
        )}
        empty="There are no event types yet."
      />
      <RowDialog
        edited={edited}
        onClose={() => setEdited(null)}
        what="event type"
        queryKey={eventTypesQuery.queryKey}
        labels={labels}
        valuesOf={valuesOf}
        save={saveEventType}
      >
        {({ field, values, set }) => (
          <>
            <TextField label={labels.type} data-autofocus {...field('type')} />
            <TextField label={labels.description} {...field('description')} />
            <TextArea
              label={labels.message}
              maxLength={limits.messageLength}
              hint={<Segments text={values.message} />}
              {...field('message')}
            />
            <SelectField<EventKind>
              label={labels.kind}
              value={values.kind}
              options={eventKinds.map((value) => ({ value, label: kindWords[value] }))}
              onChange={(kind) => set({ kind })}
            />
            <Checkbox label={labels.in_use} checked={values.in_use} onChange={(in_use) => set({ in_use })} />
          </>
        )}
      </RowDialog>
    </>,
  )
}
