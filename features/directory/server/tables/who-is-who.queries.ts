import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'

/** What a row says of who is meant. Null: it does not say. */
export interface Keys {
  line: number
  code: string | null
  /** The code that was made for the row before. */
  made: string | null
  email: string | null
  /** Digits with country code. */
  mobile: string | null
  /** First and last name, folded. */
  name: string | null
}
export type Key = 'code' | 'email' | 'mobile' | 'name'

/** Who has a value that a row gives: their codes, and the lines that give it. */
export interface Holders {
  key: Key
  value: string
  active: string[]
  former: string[]
  lines: number[]
}

/**
 * The holders of each value that the rows give. Of visitors the codes alone. Groups people and rows together: a
 * join compares each row with everyone while the statistics do not know the organisation.
 */
export async function listHolders(db: Db, clientUid: ClientUid, rows: readonly Keys[]): Promise<Holders[]> {
  const columns = { line: 'integer', code: 'text', made: 'text', email: 'text', mobile: 'text', name: 'text' } as const
  const { rows: holders } = await sql<Holders>`
    select k.key, k.value, coalesce(array_agg(k.code) filter (where k.active), '{}') as active,
      coalesce(array_agg(k.code) filter (where not k.active), '{}') as former,
      coalesce(array_agg(k.line order by k.line) filter (where k.line is not null), '{}') as lines
    from (
      select v.key, v.value, p.code, p.active, null::integer as line
      from person p, lateral (values ('code', p.code), ('email', lower(p.email)), ('mobile', p.mobile),
        ('name', p.folded_name)) v (key, value)
      where p.client_uid = ${clientUid} and (p.kind = 'staff' or v.key = 'code')
      union all
      select v.key, v.value, null, null, i.line
      from ${recordset(rows, columns)}, lateral (values ('code', i.code), ('code', i.made), ('email', lower(i.email)),
        ('mobile', i.mobile), ('name', i.name)) v (key, value)) k
    where k.value is not null group by k.key, k.value having count(k.line) > 0`.execute(db)
  return holders
}

export interface StoredPerson {
  code: string
  firstName: string
  lastName: string
  kind: 'staff' | 'visitor'
  email: string | null
  mobile: string | null
  isClientMaster: boolean
  floorUid: string | null
}

export async function listByCode(db: Db, clientUid: ClientUid, codes: readonly string[]): Promise<StoredPerson[]> {
  const { rows } = await sql<StoredPerson>`
    select code, first_name, last_name, kind, email, mobile, is_client_master, primary_floor_uid as floor_uid from person
    where client_uid = ${clientUid} and code = any (${codes}::text[])`.execute(db)
  return rows
}

export interface Place {
  uid: string
  code: string
  name: string
}

/** Buildings and floors, with what is retired: people may still be there. */
export async function listPlaces(db: Db, clientUid: ClientUid) {
  const { rows: buildings } = await sql<Place>`
    select uid, code, name from building where client_uid = ${clientUid}`.execute(db)
  const { rows: floors } = await sql<Place & { buildingUid: string; isRetired: boolean }>`
    select uid, code, name, building_uid, retired_at is not null as is_retired from floor
    where client_uid = ${clientUid}`.execute(db)
  return { buildings, floors }
}
