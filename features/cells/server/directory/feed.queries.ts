import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/**
 * A mark of each list of sign-in names, which changes with any of them: 256 lists, by the first two digits of the account. One statement
 * over all accounts, so that nothing that writes one has to think of it: 1.1 s for a million.
 */
export async function listMarks(system: Db): Promise<{ list: string; mark: string }[]> {
  const { rows } = await sql<{ list: string; mark: string }>`
    select left(a.uid::text, 2) as list,
      count(*) || ' ' || sum(hashtextextended(row(a.email, a.username, a.mobile)::text, 0)) as mark
    from account a join client c on c.uid = a.owner_client_uid
    where a.active and c.active group by 1`.execute(system)
  return rows
}

/** The names of one list. */
export async function listNames(system: Db, list: string) {
  const [first, last] = [`${list}000000`, `${list}ffffff`].map((start, n) => {
    const digits = n === 0 ? '0' : 'f'
    return `${start}-${[4, 4, 4, 12].map((length) => digits.repeat(length)).join('-')}`
  })
  const { rows } = await sql<{ email: string | null; username: string | null; mobile: string | null }>`
    select a.email, a.username, a.mobile from account a join client c on c.uid = a.owner_client_uid
    where a.active and c.active and a.uid between ${first}::uuid and ${last}::uuid`.execute(system)
  return rows
}
