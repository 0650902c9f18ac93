import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

type PgType = 'text' | 'uuid' | 'integer' | 'boolean' | 'date' | 'text[]'

/** How rows of a table are written: the columns an import owns, and the one that tells rows of a client apart. */
interface Target {
  table: string
  key: 'uid' | 'code'
  columns: Readonly<Record<string, PgType>>
  /** Unique within its site, building or client. */
  uniqueName?: true
}

export const targets = {
  site: { table: 'site', key: 'uid', columns: { code: 'text', name: 'text', timezone: 'text' }, uniqueName: true },
  building: {
    table: 'building',
    key: 'uid',
    columns: { code: 'text', name: 'text', siteUid: 'uuid' },
    uniqueName: true,
  },
  floor: {
    table: 'floor',
    key: 'uid',
    columns: { code: 'text', name: 'text', buildingUid: 'uuid', level: 'integer', kind: 'text' },
    uniqueName: true,
  },
  role: {
    table: 'warden_role',
    key: 'uid',
    columns: { code: 'text', name: 'text', areaDomain: 'text', modules: 'text[]' },
    uniqueName: true,
  },
  person: {
    table: 'person',
    key: 'uid',
    columns: {
      code: 'text',
      accountUid: 'uuid',
      firstName: 'text',
      lastName: 'text',
      email: 'text',
      mobile: 'text',
      isClientMaster: 'boolean',
      primaryFloorUid: 'uuid',
      visitingBuildingUid: 'uuid',
      kind: 'text',
      visitDate: 'date',
      active: 'boolean',
    },
  },
  peep: {
    table: 'peep',
    key: 'uid',
    columns: { personUid: 'uuid', disability: 'text', assistance: 'text', other: 'text', summary: 'text' },
  },
  eventType: {
    table: 'event_type',
    key: 'uid',
    columns: { code: 'text', type: 'text', description: 'text', message: 'text', active: 'boolean' },
  },
  floorStatus: {
    table: 'floor_status',
    key: 'uid',
    columns: { code: 'text', name: 'text', colour: 'text', displayOrder: 'integer', inUse: 'boolean' },
  },
  template: {
    table: 'message_template',
    key: 'code',
    columns: { code: 'text', type: 'text', text: 'text', automatedResponse: 'boolean', active: 'boolean' },
  },
  document: {
    table: 'document',
    key: 'uid',
    columns: {
      code: 'text',
      name: 'text',
      url: 'text',
      storageKey: 'text',
      siteUid: 'uuid',
      roleUid: 'uuid',
      personUid: 'uuid',
      active: 'boolean',
    },
  },
} as const satisfies Record<string, Target>

export type TargetName = keyof typeof targets
export type TargetColumn<N extends TargetName> = keyof (typeof targets)[N]['columns'] & string
export type TargetRow<N extends TargetName> = { [C in TargetColumn<N>]: unknown } & {
  [K in (typeof targets)[N]['key']]: string
}

export interface Written {
  created: number
  updated: number
}

/** Rows in one statement. Larger ones gain nothing and hold more memory on both sides. */
const batchSize = 5_000

/**
 * Writes what differs, and nothing else: no `on conflict`, because that locks, and so rewrites, every row it leaves as
 * it is. `columns` are those to be written; the others keep their value, or take their default in a new row. Only the
 * importer writes these tables, one at a time (lockImports), so that nothing comes between the two statements.
 */
export async function writeRows<N extends TargetName>(
  tx: Tx,
  clientUid: string,
  name: N,
  rows: readonly TargetRow<N>[],
  columns: readonly TargetColumn<N>[],
  onRows: (count: number) => void,
): Promise<Written> {
  const target: Target = targets[name]
  const written = { created: 0, updated: 0 }
  for (const batch of inBatches(rows)) {
    const input = recordset(batch, { ...types(target, columns), [target.key]: target.key === 'uid' ? 'uuid' : 'text' })
    written.updated += await updateChanged(tx, clientUid, target, columns, input)
    written.created += await insertMissing(tx, clientUid, target, columns, input)
    onRows(batch.length)
  }
  return written
}

function types(target: Target, columns: readonly string[]): Record<string, PgType> {
  return Object.fromEntries(columns.map((column) => [column, target.columns[column] as PgType]))
}

async function updateChanged(tx: Tx, clientUid: string, target: Target, columns: readonly string[], input: Sql) {
  const { numAffectedRows } = await sql`
    update ${sql.table(target.table)} t
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`i.${column}`)}`))}, updated_at = now()
    from ${input}
    where t.client_uid = ${clientUid} and ${sql.ref(`t.${target.key}`)} = ${sql.ref(`i.${target.key}`)}
      and (${refs('t', columns)}) is distinct from (${refs('i', columns)})`.execute(tx)
  return Number(numAffectedRows)
}

/** In file order: what is numbered by the database is numbered as it was written. */
async function insertMissing(tx: Tx, clientUid: string, target: Target, columns: readonly string[], input: Sql) {
  const all = [...new Set([target.key, ...columns])]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(target.table)} (client_uid, ${sql.join(all.map((column) => sql.ref(column)))})
    select ${clientUid}::uuid, ${refs('i', all)}
    from ${input}
    where not exists (
      select from ${sql.table(target.table)} t
      where t.client_uid = ${clientUid} and ${sql.ref(`t.${target.key}`)} = ${sql.ref(`i.${target.key}`)})
    order by i.ordinal`.execute(tx)
  return Number(numAffectedRows)
}

/** Slices of what one statement takes. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += batchSize) yield rows.slice(start, start + batchSize)
}

/**
 * Names that pass from one row to another (floors renumbered, sites that swap): their present holders step aside first,
 * since PostgreSQL checks a unique name row by row.
 */
export async function stepAside(tx: Tx, clientUid: string, target: TargetName, rows: readonly object[]): Promise<void> {
  const { table, uniqueName }: Target = targets[target]
  if (!uniqueName || rows.length === 0) return
  const named = { uid: 'uuid', name: 'text' } as const
  await sql`
    update ${sql.table(table)} t set name = t.uid::text
    from ${recordset(rows, named)}
    where t.client_uid = ${clientUid} and t.uid = i.uid and t.name <> i.name
      and exists (select from ${recordset(rows, named, 'other')} where other.name = t.name and other.uid <> t.uid)`.execute(
    tx,
  )
}

type Sql = RawBuilder<unknown>

const refs = (table: string, columns: readonly string[]) =>
  sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))

/** Rows as a table, one parameter however many there are. */
export function recordset(rows: readonly object[], columns: Readonly<Record<string, PgType>>, alias = 'i'): Sql {
  const names = Object.keys(columns)
  const json = JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name) => [snake(name), (row as Record<string, unknown>)[name]]))),
  )
  const typed = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? '')}`)
  return sql`rows from (json_to_recordset(${json}::json) as (${sql.join(typed)})) with ordinality
    as ${sql.ref(alias)}(${sql.join(names.map((name) => sql.ref(name)))}, ordinal)`
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
