import { isDeepStrictEqual } from 'node:util'
import { reachOf, requireRecord } from '#features/records/server/record-access.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { isLiveLink, sessionLink } from '#server/http/session-link.ts'
import { isAdministrator, journalReader, type Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { exportRecord } from '../calls.ts'
import { findReachNow } from './askers.queries.ts'
import * as queries from './exports.queries.ts'
import { isPdfInstalled } from './pdf/pdf-packages.ts'

const linkMinutes = 15
const subjectOf = (uid: string) => `record-export/${uid}`

/** Begins an export. What the caller reaches now is what it has. Throws the refusals of the call. */
export async function ask(
  app: Services,
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { format, names }: CallInput<typeof exportRecord>['body'],
): Promise<CallAnswer<typeof exportRecord>> {
  const asker = await askerOf(tx, reader)
  const { state } = await requireRecord(tx, asker.reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  if (format === 'pdf' && !isPdfInstalled()) throw new Refusal('pdf_unavailable')
  const { signInUid, sessionUid } = { sessionUid: null, ...journalReader(reader) }
  const row = await queries.insertExport(tx, {
    ...asker,
    eventUid,
    sessionUid,
    signInUid,
    format,
    // lines of a bundle are whole or withheld, so that names cannot be taken out of them
    names: format === 'bundle' ? 'all' : names,
  })
  await app.jobs.enqueue(tx, 'exports', { uid: row.uid })
  return present(app, reader, row)
}

/** Throws `not_found` of another person's or of another reach, as of one that there never was. */
export async function presentExport(
  app: Services,
  tx: Tx,
  reader: Reader,
  uid: string,
): Promise<CallAnswer<typeof exportRecord>> {
  const row = await queries.findOwnExport(tx, await askerOf(tx, reader), uid)
  if (!row) throw new Refusal('not_found')
  return present(app, reader, row)
}

/** Who asks, by which assignment or grant, and what they reach by it now. */
async function askerOf(tx: Tx, reader: Reader): Promise<queries.Asker> {
  const { clientUid, personUid } = reader
  const by = isAdministrator(reader)
    ? { assignmentUid: null, administratorUid: reader.administratorUid }
    : { assignmentUid: reader.assignment?.uid ?? null, administratorUid: null }
  return { clientUid, personUid, ...by, reach: await reachOf(tx, reader) }
}

function present(
  app: Services,
  reader: Reader,
  { uid, state, progress, message }: queries.ExportRow,
): CallAnswer<typeof exportRecord> {
  const of = { subject: subjectOf(uid), url: `${app.config.appUrl}/api/exports/${uid}`, minutes: linkMinutes }
  const url = sessionLink(app, reader, of)
  return { ...{ uid, state, progress }, ...(state === 'ready' && { url }), ...(message !== null && { message }) }
}

/**
 * The file of a signed link with its headers. Throws `not_found` for any invalid link, when its session has ended, and when its
 * asker no longer has the flag or the grant, or another reach.
 */
export async function openExport(app: Services, uid: string, query: Record<string, unknown>) {
  const isGood = await isLiveLink(app, subjectOf(uid), query)
  const row = isGood ? await queries.findLinkedExport(app.system, uid) : undefined
  if (!row || !isDeepStrictEqual(await findReachNow(app.system, row), row.reach)) throw new Refusal('not_found')
  const file = row.storageKey ? await app.documents.read(row.storageKey) : undefined
  if (!file) throw new Refusal('not_found')
  return {
    body: file.body,
    headers: {
      'content-type': row.fileName?.endsWith('.pdf') ? 'application/pdf' : 'application/zip',
      'content-length': file.bytes,
      'content-disposition': `attachment; filename="${row.fileName}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
  }
}
