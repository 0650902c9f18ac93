import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'

export interface DemoAdministrator {
  accountUid: string
  clientUid: ClientUid
  personUid: PersonUid
  email: string
  name: string
  secret: Buffer | null
  isAppointed: boolean
}

/** The accounts of the demo's administrators in the demo's organisations. */
export async function listDemoAdministrators(
  system: Db,
  { emails, codes }: { emails: readonly string[]; codes: readonly string[] },
): Promise<DemoAdministrator[]> {
  const { rows } = await sql<DemoAdministrator>`
    select ac.uid as account_uid, p.client_uid, p.uid as person_uid, ac.email, p.name,
      f.secret, exists (select from administrator g
        where g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null) as is_appointed
    from account ac
    join client c on c.uid = ac.owner_client_uid and c.code = any (${codes}::text[])
    join person p on p.client_uid = c.uid and p.account_uid = ac.uid and p.active
    left join second_factor f on f.account_uid = ac.uid
    where ac.email = any (${emails}::text[]) order by ac.email`.execute(system)
  return rows
}
