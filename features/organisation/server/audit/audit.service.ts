import { inWords } from '#features/live-updates/actions.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { presentPage, readSpan } from '#server/administrators/list-page.ts'
import type { Services } from '#server/http/services.ts'
import { csvLine } from '#server/platform/csv.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { Refusal } from '#server/platform/errors.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { AuditEntry, listAudit } from '../../calls/audit.ts'
import { type AuditFilters, type AuditRow, countEntries, isPerson, listEntries, listNames } from './audit.queries.ts'

const rowsOfFile = 100_000
const rowsOfChunk = 5_000

/** A page of the audit log, newest first. */
export async function presentAudit(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  tx: Tx,
  { clientUid }: Administrator,
  { after, before, ...filters }: CallInput<typeof listAudit>['query'],
): Promise<CallAnswer<typeof listAudit>> {
  const name = { seals: keyring(secrets, 'listKeys'), clientUid, list: 'audit' }
  const span = readSpan(name, { after, before })
  await requireKnown(tx, clientUid, filters)
  const rows = await listEntries(tx, clientUid, filters, span)
  const names = await namesIn(tx, clientUid, rows)
  return presentPage(name, span, rows, {
    keyOf: ({ position }) => [String(position)],
    present: (row) => present(row, names),
    total: await countEntries(tx, clientUid, filters),
    now: clock.now(),
  })
}

async function requireKnown(tx: Tx, clientUid: Administrator['clientUid'], { who, person }: AuditFilters) {
  for (const uid of [who, person]) if (uid && !(await isPerson(tx, clientUid, uid))) throw new Refusal('not_found')
}

const headings = ['Time', 'Who', 'What', 'On whom', 'Field', 'Before', 'After']

/** The entries as CSV, a line for each field that changed. */
export async function auditFile(tx: Tx, { clientUid }: Administrator, filters: AuditFilters): Promise<string> {
  await requireKnown(tx, clientUid, filters)
  const chunks = [`\ufeff${csvLine(headings)}`]
  let key: string[] | null = null
  for (let count = 0; count < rowsOfFile; count += rowsOfChunk) {
    const rows = await listEntries(tx, clientUid, filters, { key, isBackwards: false, limit: rowsOfChunk })
    const names = await namesIn(tx, clientUid, rows)
    for (const row of rows) chunks.push(linesOf(present(row, names)))
    if (rows.length < rowsOfChunk) break
    key = [String(rows.at(-1)?.position)]
  }
  return chunks.join('')
}

function linesOf({ at, who, action, subject, changes }: AuditEntry): string {
  const head = [at, who ?? 'Operator', inWords(action), subject ?? '']
  if (changes.length === 0) return csvLine([...head, '', '', ''])
  return changes
    .map(({ field, before, after }) => csvLine([...head, inWords(field), before ?? '', after ?? '']))
    .join('')
}

/** Subjects that are the actor's own: naming them says nothing more. */
const ofActor = new Set(['session', 'sign_in'])
/** Subjects that are a person, or hang on one. */
const ofPeople = new Set(['person', 'account', 'administrator', 'warden_assignment', 'evacuee'])
/** What people write is not told here, nor are the counts of an event. Who made the entry stands beside it. */
const untold = new Set(['message', 'reason', 'tally', 'by'])

type Names = ReadonlyMap<string, string>

const namesIn = (tx: Tx, clientUid: Administrator['clientUid'], rows: readonly AuditRow[]): Promise<Names> =>
  listNames(tx, clientUid, [...new Set(rows.flatMap(uidsIn))])

function present(row: AuditRow, names: Names): AuditEntry {
  const personOf = (uid: string) => names.get(uid) ?? 'Erased person'
  return {
    position: String(row.position),
    at: row.recordedAt.toISOString(),
    who: row.actorPersonUid && personOf(row.actorPersonUid),
    action: row.action,
    subject: subjectOf(row, names),
    changes: changesOf(row, names),
  }
}

/** What has no name any more is called by its kind: only a person is erased. */
function subjectOf({ subjectType, subjectUid }: AuditRow, names: Names): string | null {
  if (ofActor.has(subjectType)) return null
  return names.get(subjectUid) ?? (ofPeople.has(subjectType) ? 'Erased person' : inWords(subjectType))
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const uidsIn = ({ actorPersonUid, subjectUid, before, after }: AuditRow): string[] =>
  [actorPersonUid, subjectUid, ...valuesOf(before), ...valuesOf(after)].filter(
    (value) => typeof value === 'string' && uuid.test(value),
  ) as string[]

const valuesOf = (of: JsonObject | null) => Object.values(of ?? {}).flat()

function changesOf({ before, after }: AuditRow, names: Names): AuditEntry['changes'] {
  const textOf = (value: unknown): string | null => {
    if (value === null || value === undefined) return null
    if (Array.isArray(value)) return value.map(textOf).join(', ')
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return typeof value === 'object' ? JSON.stringify(value) : (names.get(String(value)) ?? String(value))
  }
  // the database keeps no order of fields
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return fields
    .filter((field) => !untold.has(field))
    .map((field) => ({
      field: field.replace(/_?uid$/i, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      before: textOf(before?.[field]),
      after: textOf(after?.[field]),
    }))
    .filter(({ before, after }) => before !== null || after !== null)
}
