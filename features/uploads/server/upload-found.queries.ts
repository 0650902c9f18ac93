import { sql } from 'kysely'
import { type Span, spanned } from '#server/administrators/list-page.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import type { UploadKey } from './uploads.queries.ts'

/** What a check keeps: columns by table. */
const found = {
  uploadProblem: { seq: 'integer', file: 'text', line: 'integer', column: 'text', reason: 'text', cells: 'jsonb' },
  uploadChange: {
    seq: 'integer',
    file: 'text',
    kind: 'text',
    line: 'integer',
    title: 'text',
    key: 'text',
    cells: 'jsonb',
  },
} as const

/** Rows of one statement: the feed waits for it. */
const rowsAtOnce = 2_000

/** Replaces what an earlier check has found, in short transactions. */
export async function keepFound(
  db: Db,
  { clientUid, uid }: UploadKey,
  table: keyof typeof found,
  rows: Iterable<object>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where client_uid = ${clientUid} and upload_uid = ${uid} limit ${rowsAtOnce}))`.execute(
      db,
    )
    if (numAffectedRows < BigInt(rowsAtOnce)) break
  }
  const columns = Object.keys(found[table])
  let seq = 0
  const insert = async (some: readonly object[]) => {
    if (some.length === 0) return
    await sql`
      insert into ${sql.table(table)} (client_uid, upload_uid, ${sql.join(columns.map((column) => sql.ref(column)))})
      select ${clientUid}::uuid, ${uid}::uuid, ${sql.join(columns.map((column) => sql.ref(`i.${column}`)))}
      from ${recordset(some, found[table])}`.execute(db)
  }
  let some: object[] = []
  for (const row of rows) {
    some.push({ ...row, seq: ++seq })
    if (some.length < rowsAtOnce) continue
    await insert(some)
    some = []
  }
  await insert(some)
}

export interface ProblemRow {
  file: string
  line: number
  column: string
  reason: string
}

/** Without the Plans permission nothing of plans: who has one is for those with the Plans permission. */
export async function listProblems(
  tx: Tx,
  { clientUid, uid }: UploadKey,
  { most, seesPlans }: { most: number; seesPlans: boolean },
): Promise<ProblemRow[]> {
  return tx
    .selectFrom('uploadProblem')
    .select(['file', 'line', 'column', 'reason'])
    .where('clientUid', '=', clientUid)
    .where('uploadUid', '=', uid)
    .where('file', 'not in', seesPlans ? [''] : ['peeps.csv'])
    .orderBy('seq')
    .limit(most)
    .execute()
}

/** The rows of an upload that are left out, by file and line. */
export async function listLeftOut(db: Db, { clientUid, uid }: UploadKey): Promise<{ file: string; line: number }[]> {
  const { rows } = await sql<{ file: string; line: number }>`
    select distinct file, line from upload_problem where client_uid = ${clientUid} and upload_uid = ${uid}`.execute(db)
  return rows
}

/** What is wrong with the rows of a file that are left out. The first problem of each has its cells. */
export async function listOfFile(tx: Tx, { clientUid, uid }: UploadKey, file: string) {
  const { rows } = await sql<ProblemRow & { cells: string[] | null }>`
    select line, "column", reason, cells from upload_problem
    where client_uid = ${clientUid} and upload_uid = ${uid} and file = ${file} order by seq`.execute(tx)
  return rows
}

export interface ChangeRow {
  seq: number
  file: string
  kind: 'added' | 'changed' | 'ended' | 'left'
  line: number | null
  title: string
  cells: { column: string; before: string | null; after: string | null }[]
}

export async function listChanges(
  tx: Tx,
  { clientUid, uid }: UploadKey,
  { file, kind, seesPlans }: { file?: string | undefined; kind?: string | undefined; seesPlans: boolean },
  span: Span,
): Promise<ChangeRow[]> {
  const { condition, order } = spanned([sql`c.seq`], span)
  const { rows } = await sql<ChangeRow>`
    select c.seq, c.file, c.kind, c.line, c.title, c.cells from upload_change c
    where c.client_uid = ${clientUid} and c.upload_uid = ${uid} and ${file ? sql`c.file = ${file}` : sql`true`}
      and ${kind ? sql`c.kind = ${kind}` : sql`true`} and ${seesPlans ? sql`true` : sql`c.file <> 'peeps.csv'`} and ${condition} ${order}`.execute(
    tx,
  )
  return rows
}

/** Names of buildings ('Tower A') and floors ('Tower A - Level 3') by code. Floors as `BUILDING/FLOOR`. */
export async function listPlaceNames(
  tx: Tx,
  clientUid: string,
  codes: readonly string[],
): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`
    select c as code, b.name || ' - ' || f.name as name
    from unnest(${codes}::text[]) c
    join building b on b.client_uid = ${clientUid} and b.code = split_part(c, '/', 1)
    join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid and f.code = substr(c, length(b.code) + 2)
    union all
    select code, name from building where client_uid = ${clientUid} and code = any (${codes}::text[])`.execute(tx)
  return new Map(rows.map(({ code, name }) => [code, name]))
}

export type AppliedChange = Omit<ChangeRow, 'seq' | 'kind'> & {
  kind: 'added' | 'changed' | 'ended'
  key: string | null
}

/** The rows that were applied, in their order, so many after a place. */
export async function listApplied(db: Db, { clientUid, uid }: UploadKey, afterSeq: number, most: number) {
  const { rows } = await sql<AppliedChange & { seq: number }>`
    select c.seq, c.file, c.kind, c.line, c.title, c.cells, c.key from upload_change c
    where c.client_uid = ${clientUid} and c.upload_uid = ${uid} and c.kind <> 'left' and c.seq > ${afterSeq}
    order by c.seq limit ${most}`.execute(db)
  return rows
}
