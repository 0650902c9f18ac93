import { extname } from 'node:path'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { isLiveLink, sessionLink } from '#server/http/session-link.ts'
import type { Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { listDocuments } from '../calls/assignments.ts'
import type { OwnAssignment } from './assignments.queries.ts'
import { findStoredDocument, listDocumentsOf } from './warden-documents.queries.ts'

/** The documents of an assignment, by name. Each read makes new links to stored files. */
export async function presentDocuments(
  app: Services,
  tx: Tx,
  reader: Pick<Reader, 'sessionUid'>,
  own: OwnAssignment,
): Promise<CallAnswer<typeof listDocuments>> {
  if (!own.isHeld) throw new Refusal('not_found')
  const rows = await listDocumentsOf(tx, own)
  return {
    documents: rows.map(({ uid, name, url }) => ({
      Document_Name: name,
      Document_S3_Link: url ?? linkToDocument(app, reader, uid),
    })),
  }
}

const linkMinutes = 15

/** A link that opens the document for 15 minutes without a sign-in, until the session of the reader ends. */
export const linkToDocument = (
  app: Pick<Services, 'secrets' | 'config' | 'clock'>,
  reader: Pick<Reader, 'sessionUid'>,
  uid: string,
): string =>
  sessionLink(app, reader, { subject: uid, url: `${app.config.appUrl}/api/documents/${uid}`, minutes: linkMinutes })

/** Types that browsers or office programs open. None of them runs code. */
const contentTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.txt': 'text/plain; charset=utf-8',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
}

/** The file of a signed link with its headers. Throws `not_found` for any invalid link. */
export async function openDocument(app: Services, uid: string, query: Record<string, unknown>) {
  const isGood = await isLiveLink(app, uid, query)
  const document = isGood ? await findStoredDocument(app.system, uid) : undefined
  const key = document?.storageKey
  const contentType = key && contentTypes[extname(key)]
  const file = contentType && (await app.documents.read(key))
  if (!file) throw new Refusal('not_found')
  return {
    body: file.body,
    headers: {
      'content-type': contentType,
      'content-length': file.bytes,
      'content-disposition': inlineAs(`${document.name}${extname(key)}`),
      // the file may neither run scripts nor read our data; the viewers of browsers need inline styles
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  }
}

/** RFC 6266: an ASCII name for old browsers, and the real name. */
function inlineAs(name: string): string {
  const plain = name.replace(/[^\w .,()-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`
}
