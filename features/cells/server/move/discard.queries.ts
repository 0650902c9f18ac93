import type pg from 'pg'
import type { Table } from '../whole/catalogue.queries.ts'
import { isShared, leftOut, type WholeTable } from '../whole/whole-tables.queries.ts'

export interface Copy {
  uid: string
  /** Brought in, suspended, and never resumed since. */
  isUnused: boolean
}

/** The organisation of the code, held until the transaction ends. Undefined: there is none. */
export async function findCopy(client: pg.ClientBase, code: string): Promise<Copy | undefined> {
  const { rows } = await client.query<Copy>(
    `select uid, moved_from is not null and not active and moved_to is null and not exists (
       select from journal j where j.client_uid = client.uid and j.action = 'organisation_resumed' and (j.xid, j.position) > (
         select i.xid, i.position from journal i where i.client_uid = client.uid and i.action = 'organisation_imported'
         order by i.xid desc, i.position desc limit 1)) as "isUnused"
     from client where code = $1 for update`,
    [code],
  )
  return rows[0]
}

/** Deletes all rows of the organisation, those first that refer to others. `whole` is in the order of references. */
export async function deleteRows(
  client: pg.ClientBase,
  { uid, tables, whole }: { uid: string; tables: readonly Table[]; whole: readonly WholeTable[] },
): Promise<void> {
  const own = tables.filter(
    ({ name, columns }) => Object.hasOwn(leftOut, name) && columns.some((column) => column.name === 'client_uid'),
  )
  for (const { name } of own) await client.query(`/* authority */ delete from "${name}" where client_uid = $1`, [uid])
  for (const { name, condition } of whole.toReversed())
    if (!isShared(name)) await client.query(`/* authority */ delete from "${name}" where ${condition}`)
}
