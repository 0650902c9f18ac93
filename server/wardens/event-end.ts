import { sql } from 'kysely'

interface OfEvent {
  clientUid: unknown
  eventUid: unknown
}

/**
 * The time that the end of the event wrote on the rows that it closed, as a scalar. Null while the event runs. It is the
 * time of that transaction: `event.ended_at` is a little later.
 */
const timeOfEnd = ({ clientUid, eventUid }: OfEvent) => sql`
  (select max(j.recorded_at) from journal j
    where j.client_uid = ${clientUid} and j.subject_uid = ${eventUid} and j.event_uid = ${eventUid} and j.action = 'event_ended')`

/** A condition: building `eb` is in the event, or was when the event ended. One that was removed before is not. */
export const isInEvent = (of: OfEvent) => sql`(eb.active or eb.removed_at = ${timeOfEnd(of)})`

/** A condition: the end of the event took sign-in `si` off duty. One who had gone before is not meant. */
export const wasOnDutyAtEnd = (of: OfEvent) =>
  sql`coalesce(si.closed_at = ${timeOfEnd(of)} and si.off_duty_at = si.closed_at, false)`
