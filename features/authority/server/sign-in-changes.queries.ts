import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import { listedDays, type SignInChange } from '../words.ts'

/** Puts changes into the list that administrators and the people themselves see. */
export async function insertChanges(
  tx: Tx,
  clientUid: ClientUid,
  {
    changes,
    byPersonUid,
    at,
  }: {
    changes: readonly { personUid: PersonUid; what: SignInChange }[]
    byPersonUid: PersonUid | null
    at: Date
  },
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into sign_in_change (client_uid, person_uid, what, by_person_uid, at)
    select p.client_uid, p.uid, i.what, ${byPersonUid}, ${at}
    from ${recordset(changes, { personUid: 'uuid', what: 'text' })}
    join person p on p.client_uid = ${clientUid} and p.uid = i.person_uid and p.erased_at is null`.execute(tx)
}

interface ChangesAsked {
  /** A condition on `p`. */
  of: RawBuilder<boolean>
  now: Date
  limit: number
}

/** Changes of the listed days to sign-ins of people, newest first, with how many there are in all. */
export async function findChanges(tx: Tx, clientUid: ClientUid, { of, now, limit }: ChangesAsked) {
  const { rows } = await sql<{
    uid: string
    personUid: PersonUid
    name: string
    what: SignInChange
    byName: string | null
    at: Date
    total: number
  }>`
    select c.uid, c.person_uid, p.name, c.what, c.at,
      b.name as by_name, count(*) over ()::int as total
    from sign_in_change c
    join person p on p.client_uid = c.client_uid and p.uid = c.person_uid
    left join person b on b.client_uid = c.client_uid and b.uid = c.by_person_uid
    where c.client_uid = ${clientUid} and c.at > ${now}::timestamptz - make_interval(days => ${sql.lit(listedDays)}) and ${of}
    order by c.at desc, c.uid limit ${limit}`.execute(tx)
  return rows
}
