import { extname } from 'node:path'
import type { listDocuments } from '@evac/contract/calls/assignments.ts'
import type { CallAnswer } from '@evac/contract/route.ts'
import type { Services } from '../../http/services.ts'
import type { Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { OwnAssignment } from './assignments.queries.ts'
import { documentLink, isGoodLink } from './document-link.ts'
import { findStoredDocument, listDocumentsOf } from './documents.queries.ts'

/** AMB-071: by name, for who is offered or holds the role. A stored file gets a link of its own at every reading. */
export async function presentDocuments(
  app: Services,
  tx: Tx,
  own: OwnAssignment,
): Promise<CallAnswer<typeof listDocuments>> {
  if (!own.isHeld) throw new Refusal('not_found')
  const rows = await listDocumentsOf(tx, own)
  const now = app.clock.now()
  return {
    documents: rows.map(({ uid, name, url }) => ({
      Document_Name: name,
      Document_S3_Link: url ?? documentLink(app.secrets.documents, app.config.appUrl, uid, now),
    })),
  }
}

/** What browsers show or offices open; nothing that runs. */
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

/** The file behind a signed link, and how to serve it. Throws `not_found` for anything else, whatever is wrong with it. */
export async function openDocument(app: Services, uid: string, query: Record<string, unknown>) {
  const isGood = isGoodLink(app.secrets.documents, uid, query, app.clock.now())
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
      // whatever is in the file, it runs nothing and reads nothing of ours; browsers style their own viewers inline
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  }
}

/** RFC 6266: a name in plain letters for old browsers, and the real one. */
function inlineAs(name: string): string {
  const plain = name.replace(/[^\w .,()-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`
}
