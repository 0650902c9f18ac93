import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import type { SentRecord } from '#web/outbox/core/safety-record.ts'
import { outbox } from '#web/outbox/outbox.ts'
import { useOnSent, useOutbox } from '#web/outbox/use-outbox.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { Noting as Answered, listObserved } from '../calls/observing.ts'
import { noteArrived, notingQuery, observedQuery } from './observing/noting.data.ts'
import { Noting } from './observing/noting.tsx'
import './parts/styles.ts'
import { formatDateIn, formatMinuteIn } from '#web/console/zone-time.ts'
import { kindName } from '../words.ts'
import { Nothing } from './parts/remarks.tsx'

type Event = CallReply<typeof listObserved>['events'][number]

/** Who is on duty, or reads records, notes what they see. Without signal it waits on the phone. */
export function ObservationScreen() {
  const read = useQuery(observedQuery)
  return (
    <Page className="rec-page rec-form">
      <WhenRead read={read} parts={['card', 'field', 'field', 'card']}>
        {({ events: [first, ...others] }) =>
          first ? (
            <OfEvent events={[first, ...others]} />
          ) : (
            <Nothing>There has been no event in the last 30 days to add notes to.</Nothing>
          )
        }
      </WhenRead>
    </Page>
  )
}

const nameOf = ({ type, kind, site, started_at, timezone, ended_at }: Event) =>
  `${type}, ${kindName[kind]} at ${site}, ${formatDateIn(started_at, timezone)}, ${formatMinuteIn(started_at, timezone)}${ended_at ? '' : ', running'}`

function OfEvent({ events }: { events: readonly [Event, ...Event[]] }) {
  const [chosen, setChosen] = useState<EventUid | null>(null)
  const event = events.find((one) => one.event === chosen) ?? events[0]
  const read = useQuery(notingQuery(event.event))
  return (
    <>
      {events.length > 1 && (
        <SelectField
          label="Event"
          value={event.event}
          options={events.map((one) => ({ value: one.event, label: nameOf(one) }))}
          onChange={setChosen}
        />
      )}
      <WhenRead read={read} parts={['card', 'field', 'field', 'card']}>
        {(noting) => <Noted key={event.event} event={event} noting={noting} />}
      </WhenRead>
    </>
  )
}

function Noted({ event, noting }: { event: Event; noting: Answered }) {
  const client = useQueryClient()
  const { pending, rejected } = useOutbox()
  const ofEvent = [...pending, ...rejected].filter(
    (record) => record.kind === 'note' && record.about.id === event.event,
  )
  const show = useCallback(
    ({ record, reply }: SentRecord) => {
      if (record.kind === 'note' && 'entry' in reply)
        noteArrived(client, notingQuery(record.about.id).queryKey, reply.entry)
    },
    [client],
  )
  useOnSent(show)
  const about = { id: event.event, name: `${event.type}, ${event.site}` }
  return (
    <Noting
      noting={noting}
      records={ofEvent}
      onKeep={(body) => outbox.enqueue({ kind: 'note', body, wish: null, about })}
    >
      <p className="font-semibold">{event.type}</p>
    </Noting>
  )
}
