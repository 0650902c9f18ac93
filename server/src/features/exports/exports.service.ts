import type { exportRecord } from '@evac/contract/calls/records/exports.ts'
import type { EventUid } from '@evac/contract/ids.ts'
import type { CallAnswer, CallInput } from '@evac/contract/route.ts'
import { isAdministrator, journalReader, type Reader } from '../../http/reader.ts'
import type { Services } from '../../http/services.ts'
import type { Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { isGoodLink, signedLink } from '../../platform/signed-link.ts'
import { reachOf, requireRecord } from '../records/reach.service.ts'
import * as queries from './exports.queries.ts'
import { isPdfInstalled } from './pdf/pdf-packages.ts'

const linkMinutes = 15
const subjectOf = (uid: string) => `record-export/${uid}`

/** AAR-41: begins an export. What the caller reaches now is what it has (AAR-02). Throws the refusals of the call. */
export async function ask(
  app: Services,
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { format, names }: CallInput<typeof exportRecord>['body'],
): Promise<CallAnswer<typeof exportRecord>> {
  const reach = await reachOf(tx, reader)
  const { state } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  if (format === 'pdf' && !isPdfInstalled()) throw new Refusal('pdf_unavailable')
  const { clientUid, personUid } = reader
  const { signInUid, sessionUid } = { sessionUid: null, ...journalReader(reader) }
  const row = await queries.insertExport(tx, {
    ...{ clientUid, eventUid, personUid, sessionUid, signInUid, reach, format },
    // lines of a bundle are whole or withheld, so that names cannot be taken out of them (LOG-12)
    names: format === 'bundle' ? 'all' : names,
  })
  await app.jobs.enqueue(tx, 'exports', { uid: row.uid })
  return present(app, row)
}

/** Throws `not_found` of another person's, as of one that there never was. */
export async function presentExport(
  app: Services,
  tx: Tx,
  reader: Reader,
  uid: string,
): Promise<CallAnswer<typeof exportRecord>> {
  // a report-in link reaches no record (AAR-02)
  const isLinked = !isAdministrator(reader) && reader.linkSignInUid
  const row = isLinked ? undefined : await queries.findOwnExport(tx, reader, uid)
  if (!row) throw new Refusal('not_found')
  return present(app, row)
}

function present(
  { secrets, clock, config }: Services,
  { uid, state, progress, message }: queries.ExportRow,
): CallAnswer<typeof exportRecord> {
  const signed = { key: secrets.documents, subject: subjectOf(uid), now: clock.now() }
  const url = signedLink(signed, `${config.appUrl}/api/exports/${uid}`, linkMinutes)
  return { ...{ uid, state, progress }, ...(state === 'ready' && { url }), ...(message !== null && { message }) }
}

/** The file of a signed link with its headers. Throws `not_found` for any invalid link. */
export async function openExport(app: Services, uid: string, query: Record<string, unknown>) {
  const isGood = isGoodLink({ key: app.secrets.documents, subject: subjectOf(uid), now: app.clock.now() }, query)
  const row = isGood ? await queries.findLinkedExport(app.system, uid) : undefined
  const file = row?.storageKey ? await app.documents.read(row.storageKey) : undefined
  if (!row || !file) throw new Refusal('not_found')
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
