import { decideEach } from '#features/authority/server/in-act.service.ts'
import type { Act } from '#features/authority/table.ts'
import { asksForCode } from '#features/authority/words.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Problems } from '../files/problems.ts'
import type { CheckedTables } from '../read-tables.ts'
import { mustStay } from '../require-confirmation.ts'
import { listUsernames } from '../stored/load-code-index.queries.ts'
import type { Acting } from '../writing/row-writer.ts'

type Person = NonNullable<CheckedTables['people']>['rows'][number]

/**
 * Without the rows whose change of a sign-in, or end, is not theirs to make: each is left with its reason. `mayAsk`: a code is
 * asked later, so that a row that needs one stays. Otherwise it is left, too. `asksCode`: a row that stays needs one.
 */
export async function leaveRefused(
  session: Db,
  tables: CheckedTables,
  { acting, mayAsk, usable }: { acting: Acting; mayAsk: boolean; usable: readonly string[] },
  notes: Problems,
): Promise<{ tables: CheckedTables; asksCode: boolean }> {
  const { as, telling } = acting
  if (as.kind === 'operator') return { tables, asksCode: false }
  const names = await listUsernames(session, as.clientUid)
  const rows = tables.people?.rows ?? []
  const ending = new Set(tables.missingPeople)
  // the end of the last administrator waits
  const waits = mustStay(tables, usable)
  const acts = rows
    .flatMap((row) => actsOf(row, tables, names).map((act) => ({ act, uid: row.uid })))
    .filter(({ act, uid }) => !(act === 'deactivate' && waits.has(uid)))
  const inRows = new Set(rows.map(({ uid }) => uid))
  const missing = [...ending]
    .filter((uid) => !inRows.has(uid) && !waits.has(uid))
    .map((uid) => ({ act: 'deactivate' as const, uid }))
  const refused = new Map<string, string>()
  let asksCode = false
  for (const [act, some] of Map.groupBy([...acts, ...missing], ({ act }) => act)) {
    const decided = await decideEach(
      telling,
      session,
      as,
      act,
      some.map(({ uid }) => uid as PersonUid),
    )
    for (const [uid, { refusal, needsCode }] of decided) {
      const isMissing = needsCode && !as.isConfirmed && !mayAsk
      if (refusal || isMissing) refused.set(uid, refusal?.message ?? asksForCode)
      else asksCode ||= needsCode
    }
  }
  for (const { uid, line } of rows) {
    const reason = refused.get(uid)
    if (reason) notes.add('people.csv', line, '', reason)
  }
  for (const { uid } of missing) {
    const reason = refused.get(uid)
    if (reason) notes.add('people.csv', 0, '', reason)
  }
  return { tables: refused.size === 0 ? tables : without(tables, refused), asksCode }
}

/** What the row does to the sign-in of someone who is there already. */
function actsOf(row: Person, { held }: CheckedTables, names: ReadonlyMap<string, string>): Act[] {
  const before = held.person.get(row.uid)
  if (!before) return []
  const username = row.username === undefined ? undefined : row.username || null
  const isRenamed = username !== undefined && username !== (names.get(row.uid) ?? null)
  const isMoved = row.email !== before.email || row.mobile !== before.mobile || isRenamed
  return [
    ...(isMoved ? (['address'] as const) : []),
    ...(row.ends || (row.kind === 'visitor' && before.kind === 'staff') ? (['deactivate'] as const) : []),
    ...(row.active && before.active === false ? (['reactivate'] as const) : []),
  ]
}

function without(tables: CheckedTables, refused: ReadonlyMap<string, string>): CheckedTables {
  const { people, requested, missingPeople } = tables
  return {
    ...tables,
    people: people && { ...people, rows: people.rows.filter(({ uid }) => !refused.has(uid)) },
    requested: requested.filter(({ file, personUid }) => file !== 'people.csv' || !refused.has(personUid)),
    missingPeople: missingPeople.filter((uid) => !refused.has(uid)),
  }
}
