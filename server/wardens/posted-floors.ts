import { type RawBuilder, sql } from 'kysely'

/**
 * True if assignment `a` has its warden on that day of its site: accepted, in date, and the day is not marked
 * 'Not in'. Accepted is not the same as present.
 */
export const isPostedOn = (day: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  (a.status = 'Accepted' and ${day} between a.date_from and a.date_to and not exists (
    select from warden_absence ab
    where ab.client_uid = a.client_uid and ab.assignment_uid = a.uid and ab.day = ${day}))`
