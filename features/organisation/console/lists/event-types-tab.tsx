import { useQuery } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { type EventKind, eventKinds } from '#kernel/vocabulary.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { ListTab } from './list-tab.tsx'
import { eventTypesQuery, saveEventType } from './lists.data.ts'
import { Segments } from './segments.tsx'

/** What an event of the type is, unless it is started otherwise. */
const kindWords: Record<EventKind, string> = { live: 'Live events', drill: 'Drills' }

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
      { head: 'Meant for', cell: ({ kind }) => kindWords[kind] },
    ]}
    empty="There are no event types yet."
    begun={{ type: '', description: '', message: '', kind: 'live' as EventKind, in_use: true }}
    fields={{
      type: { label: 'Type', 'data-autofocus': true },
      description: { label: 'Description' },
      message: {
        label: 'Message',
        isLong: true,
        maxLength: limits.messageLength,
        hint: ({ message }) => <Segments text={message} />,
      },
      kind: { label: 'Meant for', options: eventKinds.map((value) => ({ value, label: kindWords[value] })) },
      in_use: { label: 'In use' },
    }}
    save={saveEventType}
  />
)
