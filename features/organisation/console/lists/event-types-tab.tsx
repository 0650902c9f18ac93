import { useQuery } from '@tanstack/react-query'
import { eventTypeProperties } from '#features/directory/columns.ts'
import * as limits from '#kernel/limits.ts'
import type { FieldsOf } from '#web/console/form/fields.tsx'
import type { Frame } from '#web/console/page-frame.tsx'
import { begunOf, plainFields } from '../plain-fields.ts'
import { AddSet } from './add-set.tsx'
import { ListTab } from './list-tab.tsx'
import { eventTypesQuery, saveEventType } from './lists.data.ts'
import { Segments } from './segments.tsx'

const begun = { type: '', description: '', message: '', ...begunOf(eventTypeProperties), in_use: true }

const fields: FieldsOf<typeof begun> = {
  type: { label: 'Type', 'data-autofocus': true },
  description: { label: 'Description' },
  message: {
    label: 'Message',
    isLong: true,
    maxLength: limits.messageLength,
    hint: ({ message }) => <Segments text={message} />,
  },
  ...plainFields(eventTypeProperties),
  in_use: { label: 'In use' },
}

/** The kinds of emergency, each with a suggested message. */
export const EventTypesTab = ({ frame }: { frame: Frame }) => (
  <ListTab
    frame={frame}
    label="Event types"
    what="event type"
    read={useQuery(eventTypesQuery)}
    queryKey={eventTypesQuery.queryKey}
    nameHead="Type"
    nameOf={({ type }) => type}
    columns={[
      { head: 'Description', cell: ({ description }) => description, tableOnly: true },
      { head: 'Message', cell: ({ message }) => message },
      { head: 'Action', cell: ({ action }) => eventTypeProperties.action.words[action], tableOnly: true },
      { head: 'Meant for', cell: ({ kind }) => eventTypeProperties.kind.words[kind] },
    ]}
    empty="There are no event types yet."
    more={(rows) => <AddSet names={rows.map(({ type }) => type)} />}
    begun={begun}
    fields={fields}
    save={saveEventType}
  />
)
