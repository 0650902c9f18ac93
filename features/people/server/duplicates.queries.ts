import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { duplicateReasons } from '../calls/duplicates.ts'

/** Two people, the one who was added first in front. */
export interface Pair {
  one: PersonUid
  other: PersonUid
}

type Reason = (typeof duplicateReasons)[number]

/** What both have in common, as columns of an index each. */
const keys: Record<Reason, readonly string[]> = {
  email: ['lower(email)'],
  mobile: ['mobile'],
  name: ['folded_name', 'primary_floor_uid'],
}
const reasons = Object.keys(keys) as Reason[]
const of = (alias: string, key: string) => sql.raw(key.replace(/(\w+)(\)?)$/, `${alias}.$1$2`))
const staff = (alias: string) => sql.raw(`${alias}.active and ${alias}.kind = 'staff'`)
const has: Record<Reason, string> = { email: 'email', mobile: 'mobile', name: 'primary_floor_uid' }
const known = (alias: string, reason: Reason) => sql.raw(`${alias}.${has[reason]} is not null`)

/** The database's time, from which a later look goes on. */
export async function findNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return rows[0]?.now as Date
}

/** Reads all people of the organisation: at most `most` pairs of each reason. Who shares with many is a pair with the first. */
export async function listAllPairs(db: Db, clientUid: ClientUid, most: number): Promise<Pair[]> {
  const { rows } = await sql<Pair>`${sql.join(
    reasons.map(
      (reason) => sql`(
        select s.uids[1] as one, other from (
          select array_agg(p.uid order by p.created_at, p.uid) as uids from person p
          where p.client_uid = ${clientUid} and ${staff('p')} and ${known('p', reason)}
          group by ${sql.join(keys[reason].map((key) => of('p', key)))} having count(*) > 1 limit ${most}) s
        cross join lateral unnest(s.uids[2:]) other limit ${most})`,
    ),
    sql` union `,
  )}`.execute(db)
  return rows
}

/** The pairs of people who have changed since, by an index for each reason. No one else is read. */
export async function listPairsSince(db: Db, clientUid: ClientUid, since: Date, most: number): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with changed as materialized (
      select p.* from person p where p.client_uid = ${clientUid} and p.updated_at >= ${since} and ${staff('p')})
    ${sql.join(
      reasons.map(
        (reason) => sql`(
          select case when first then o.uid else c.uid end as one, case when first then c.uid else o.uid end as other
          from changed c join person o on o.client_uid = ${clientUid} and o.uid <> c.uid and ${staff('o')}
            and ${known('c', reason)} and ${known('o', reason)}
            and ${sql.join(
              keys[reason].map((key) => sql`${of('o', key)} = ${of('c', key)}`),
              sql` and `,
            )}
          cross join lateral (select (o.created_at, o.uid) < (c.created_at, c.uid) as first) f
          limit ${most})`,
      ),
      sql` union `,
    )}`.execute(db)
  return rows
}

export interface TwinRow {
  uid: PersonUid
  firstName: string
  lastName: string
  code: string
  place: string | null
}

export interface PairRow {
  one: TwinRow
  other: TwinRow
  reasons: Reason[]
  isReached: boolean
}

/** Those of the pairs that still are ones, in the order of names. `isReached`: both are within reach. */
export async function findPairs(tx: Tx, clientUid: ClientUid, isWithin: Within, pairs: readonly Pair[]) {
  const twin = (alias: string) => sql`json_build_object('uid', ${sql.ref(`${alias}.uid`)},
    'firstName', ${sql.ref(`${alias}.first_name`)}, 'lastName', ${sql.ref(`${alias}.last_name`)},
    'code', ${sql.ref(`${alias}.code`)}, 'place', (select b.name || ' - ' || f.name from floor f
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
      where f.client_uid = ${clientUid} and f.uid = ${sql.ref(`${alias}.primary_floor_uid`)}))`
  const reached = (alias: string) => sql`exists (select from person p
    where p.client_uid = ${clientUid} and p.uid = ${sql.ref(`${alias}.uid`)} and ${isWithin.person})`
  const shared = reasons.map((reason) => {
    const same = keys[reason].map((key) => sql`${of('m', key)} = ${of('n', key)}`)
    return sql`case when ${known('m', reason)} and ${sql.join(same, sql` and `)} then ${reason}::text end`
  })
  const { rows } = await sql<PairRow>`
    select * from (
      select ${twin('m')} as one, ${twin('n')} as other, array_remove(array[${sql.join(shared)}], null) as reasons,
        ${reached('m')} and ${reached('n')} as is_reached, m.last_name, m.first_name, m.uid as one_uid, n.uid as other_uid
      from unnest(${pairs.map(({ one }) => one)}::uuid[], ${pairs.map(({ other }) => other)}::uuid[]) pair (one, other)
      join person m on m.client_uid = ${clientUid} and m.uid = pair.one and ${staff('m')}
      join person n on n.client_uid = ${clientUid} and n.uid = pair.other and ${staff('n')}) found
    where cardinality(reasons) > 0
    order by last_name collate "und-x-icu", first_name collate "und-x-icu", one_uid, other_uid`.execute(tx)
  return rows
}
