import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'

/** Days for which a former address of a person is told of changes. */
const formerDays = 30

export interface Organisation {
  name: string
  timezone: string
  contactEmail: string | null
  smsAllowed: boolean
}

export function getOrganisation(tx: Tx, clientUid: ClientUid): Promise<Organisation> {
  return tx
    .selectFrom('client')
    .select(['name', 'timezone', 'contactEmail', 'smsAllowed'])
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
}

/** Whom to call about a change that was not expected. */
export const contactOf = ({ contactEmail, name }: Organisation) => contactEmail ?? name

export async function findNameOf(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from person where client_uid = ${clientUid} and uid = ${personUid}`.execute(tx)
  return rows[0]?.name ?? 'Someone'
}

/** Keeps addresses that people no longer have, in lower case. The same one again counts from now. Of erased people nothing is kept. */
export async function keepFormer(
  tx: Tx,
  clientUid: ClientUid,
  left: readonly { personUid: PersonUid; email: string }[],
): Promise<void> {
  if (left.length === 0) return
  await sql`
    insert into former_address (client_uid, person_uid, email)
    select p.client_uid, p.uid, i.email from ${recordset(left, { personUid: 'uuid', email: 'text' })}
    join person p on p.client_uid = ${clientUid} and p.uid = i.person_uid and p.erased_at is null
    on conflict (client_uid, person_uid, email) do update set left_at = now()`.execute(tx)
}

export async function listFormerAddresses(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[]) {
  const { rows } = await sql<{ personUid: PersonUid; email: string }>`
    select person_uid, email from former_address
    where client_uid = ${clientUid} and person_uid = any (${people as PersonUid[]}::uuid[])
      and left_at > now() - make_interval(days => ${sql.lit(formerDays)}) order by email`.execute(tx)
  return rows
}
