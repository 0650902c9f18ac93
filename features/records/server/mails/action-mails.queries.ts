import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { isOpen, lastStep } from '../actions/actions.queries.ts'

export interface ActionMail {
  /** Of the action and of what is said of it. */
  onceKey: string
  accountUid: string | null
  email: string
  what: string
  due: string
  isDue: boolean
  number: number
  siteName: string
  eventUid: string
}

/** 08:00 at the site on the due day of action `a`. */
const dueAt = sql`(((a.body ->> 'due')::date + time '08:00') at time zone st.timezone)`

/**
 * Open actions whose owner with an address is to be told that it was given, or that it is due today at the site. Of
 * one that was given today after 08:00 the first says both.
 */
export async function listActionMails(system: Db, now: Date): Promise<ActionMail[]> {
  const ofWord = (word: 'given' | 'due', when: RawBuilder<unknown>) => sql`
    select a.uid::text || ${` ${word}`}::text as once_key, p.account_uid, coalesce(c.email, p.email) as email, a.body ->> 'what' as what,
      a.body ->> 'due' as due, ${word === 'due'}::boolean as is_due, r.number, st.name as site_name, a.event_uid
    from record_entry a
    join event_record r on r.client_uid = a.client_uid and r.event_uid = a.event_uid
    join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    join person p on p.client_uid = a.client_uid and p.uid::text = a.body -> 'owner' ->> 'person' and p.active
    left join account c on c.uid = p.account_uid
    left join ${lastStep} on true
    where a.kind = 'action' and ${isOpen} and coalesce(c.email, p.email) is not null and ${when} 
      and not exists (select from mail m where m.once_key = a.uid::text || ${` ${word}`}::text)`
  const { rows } = await sql<ActionMail>`
    ${ofWord('given', sql`a.recorded_at > ${now}::timestamptz - interval '3 days'`)}
    union all
    ${ofWord(
      'due',
      // an index finds the days around now; the zone of the site decides
      sql`a.body ->> 'due' between (${now}::timestamptz - interval '2 days')::date::text and (${now}::timestamptz + interval '2 days')::date::text
        and ${dueAt} <= ${now}::timestamptz and ${now}::timestamptz < ((a.body ->> 'due')::date + 1)::timestamp at time zone st.timezone
        and a.recorded_at < ${dueAt}`,
    )}`.execute(system)
  return rows
}
