import { sql } from 'kysely'
import type { SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type Of, participants } from '../figures.queries.ts'

interface SeenRow {
  signInUid: SignInUid
  name: string
  role: string
  seen: number | null
}

/** The wardens of the event, each with when their phone was last seen, in seconds since the start. */
export async function listLastSeen(tx: Tx, { clientUid, eventUid }: Of): Promise<SeenRow[]> {
  const { rows } = await sql<SeenRow>`
    select si.uid as sign_in_uid, who.name, who.role, extract(epoch from c.seen_at - e.started_at)::float8 as seen
    from event e
    join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid
    join ${participants} who on who.client_uid = si.client_uid and who.uid = si.uid
    left join warden_contact c on c.client_uid = si.client_uid and c.sign_in_uid = si.uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}`.execute(tx)
  return rows
}

/** The gaps that ended, as the journal has them. */
export async function listRegained(
  tx: Tx,
  { clientUid, eventUid }: Of,
): Promise<{ signInUid: SignInUid; from: number; to: number }[]> {
  const at = (side: 'before' | 'after') =>
    sql<number>`extract(epoch from (${sql.ref(`j.${side}`)} ->> 'seen_at')::timestamptz - e.started_at)::float8`
  const { rows } = await sql<{ signInUid: SignInUid; from: number; to: number }>`
    select j.subject_uid as sign_in_uid, ${at('before')} as "from", ${at('after')} as "to"
    from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
    where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.action = 'contact_regained'
    order by j.xid, j.position`.execute(tx)
  return rows
}
