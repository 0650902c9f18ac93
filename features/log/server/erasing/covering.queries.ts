import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import type { JsonValue } from '#server/platform/db/tables.ts'
import { commitOf, type JournalRow, journalLine, type LineForm } from '../log-line.ts'
import { type LogOf, rowColumns } from '../sealing.queries.ts'
import { Covered, type Range, rangesIn } from './covered.ts'

/**
 * What the log of an event says of erased lines, up to that size. Only entries count that are in the log as they were logged. Of
 * `audit` those not sealed yet are there, too.
 */
export async function listCovering(
  db: Db,
  of: LogOf,
  size = Number.POSITIVE_INFINITY,
): Promise<{ covered: Covered; audit: Range[] }> {
  const { rows } = await sql<JournalRow & LineForm & { n: number | null; commit: Buffer | null }>`
    select ${rowColumns}, l.salt_secret, l.form_from, (t.idx * 256 + nth)::int as n, substr(t.commits, (nth - 1) * 32 + 1, 32) as commit
    from record_log l
    join journal j on j.event_uid = l.event_uid and j.action in ('lines_erased', 'log_form')
    left join log_tile t on (t.client_uid, t.event_uid) = (l.client_uid, l.event_uid) and t.file = 'journal'
      and j.position = any (t.keys)
    left join lateral (select array_position(t.keys, j.position) as nth) k on true
    where l.client_uid = ${of.clientUid} and l.event_uid = ${of.eventUid}
    order by n nulls last`.execute(db)
  const covered = new Covered()
  const audit: Range[] = []
  for (const { saltSecret, formFrom, n, commit, ...row } of rows) {
    const line = n === null ? null : journalLine({ saltSecret, formFrom }, n, row)
    const isLogged = line !== null && commit !== null && commitOf(line).equals(commit)
    if (isLogged && n !== null && n <= size) covered.add(row.after)
    const { why, lines } = (row.after ?? {}) as { why?: string; lines?: JsonValue }
    if (why === 'audit' && (isLogged || n === null)) for (const range of rangesIn(lines)) audit.push(range)
  }
  return { covered, audit }
}
