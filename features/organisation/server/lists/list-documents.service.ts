import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { linkToDocument } from '#features/assignments/server/warden-documents.service.ts'
import { documentBytes, listLimits } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type { addDocument, changeDocument, listDocumentRows, storeDocumentFile } from '../../calls/lists.ts'
import { readDocumentContent } from './document-kind.ts'
import { changeRows, holdAsRead, newCode, requireRoom, wholePage, yesNo } from './list-change.ts'
import * as queries from './list-documents.queries.ts'
import { countRows } from './lists.queries.ts'

/** The documents within reach. */
export async function presentDocumentRows(
  app: Services,
  tx: Tx,
  administrator: Administrator,
): Promise<CallAnswer<typeof listDocumentRows>> {
  const { clientUid } = administrator
  const isWithin = within(administrator)
  const rows = await queries.listDocuments(tx, clientUid, isWithin)
  return {
    ...wholePage(rows.map(presentRow(app, administrator)), app.clock.now()),
    ...(await queries.listScopes(tx, clientUid, isWithin)),
  }
}

const presentRow = (app: Services, administrator: Administrator) => (row: queries.DocumentListRow) => ({
  uid: row.uid,
  version: row.version,
  name: row.name,
  url: row.url,
  bytes: row.bytes,
  in_use: row.active,
  kind: row.storageKey && extname(row.storageKey).slice(1),
  link: row.url ?? linkToDocument(app, administrator, row.uid),
  site: row.siteUid && { uid: row.siteUid, name: row.site ?? '' },
  role: row.roleUid && { uid: row.roleUid, name: row.role ?? '' },
  person: row.personUid && { uid: row.personUid, name: row.person ?? '' },
})

const problems = {
  unknown: 'This is not a PDF, picture or office document.',
  protected: 'The file is protected by a password.',
}

/** Keys say whose file it is: no one names the file of another organisation. */
const prefixOf = (clientUid: ClientUid) => `c${clientUid}-`

/** Stores a file under a key made of its content. The kind is what the content says. */
export async function storeFile(
  { documents }: Services,
  { clientUid }: Administrator,
  body: unknown,
): Promise<CallAnswer<typeof storeDocumentFile>> {
  if (!Buffer.isBuffer(body)) throw new Refusal('unsupported_media_type', 'Send the file as application/octet-stream.')
  if (body.length > documentBytes.each) throw new Refusal('body_too_large', 'The file is larger than 20 MB.')
  const read = await readDocumentContent(body)
  if ('problem' in read) throw fieldRefusal('invalid_request', problems[read.problem], 'file')
  const { kind, content } = read
  const digest = createHash('sha256').update(content).digest('hex')
  const file = `${prefixOf(clientUid)}${digest.slice(0, 32)}.${kind}`
  await keep(documents, file, content)
  return { file, kind, bytes: content.length }
}

/** Why wardens could not open this. Null if they can. */
export async function findDocumentProblem(content: Buffer): Promise<string | null> {
  const read = await readDocumentContent(content)
  return 'problem' in read ? problems[read.problem] : null
}

/** The store takes files by their path. */
async function keep(documents: DocumentStore, key: string, content: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'evac-document-'))
  try {
    const path = join(folder, 'content')
    await writeFile(path, content, { mode: 0o600 })
    await documents.keep(key, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Bytes of a stored file of the organisation. Throws for a key of no one, or of another organisation. */
async function bytesOf(documents: DocumentStore, clientUid: ClientUid, file: string): Promise<number> {
  const found = file.startsWith(prefixOf(clientUid)) ? await documents.read(file) : undefined
  if (!found) throw fieldRefusal('invalid_request', 'Choose the file again.', 'file')
  found.body.destroy()
  return found.bytes
}

type Wanted = CallInput<typeof addDocument>['body']

export async function addDocumentRow(app: Services, tx: Tx, administrator: Administrator, wanted: Wanted) {
  const { clientUid } = administrator
  const row = { uid: null, code: newCode(), ...(await cellsOf(tx, administrator, wanted)) }
  const content = { url: wanted.url, file: wanted.file }
  const { documents: [uid = ''] = [] } = await changeRows(tx, administrator, app.clock.now(), {
    documents: [{ ...row, ...content }],
  })
  await countFile(app, tx, clientUid, uid, wanted)
  requireRoom(await countRows(tx, clientUid, 'document'), listLimits.documents)
  return { uid }
}

/** A new link or file replaces what stands; without one it stays. */
export async function changeDocumentRow(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  { params: { uid }, body: { version, ...wanted } }: CallInput<typeof changeDocument>,
) {
  const { clientUid } = administrator
  if (!(await queries.isDocumentWithin(tx, clientUid, within(administrator), uid))) throw new Refusal('not_found')
  await holdAsRead(tx, clientUid, { table: 'document', uid, version })
  const isReplaced = wanted.url.trim() !== '' || wanted.file !== ''
  const content = isReplaced ? { url: wanted.url, file: wanted.file } : {}
  const row = { uid, ...(await cellsOf(tx, administrator, wanted)), ...content }
  await changeRows(tx, administrator, app.clock.now(), { documents: [row] })
  if (isReplaced) await countFile(app, tx, clientUid, uid, wanted)
  return { uid }
}

/** Name, scope and state as cells. Throws `not_found` for a scope beyond the reach. */
async function cellsOf(tx: Tx, administrator: Administrator, { name, in_use, ...wanted }: Wanted) {
  const { clientUid, reach } = administrator
  const scope = { site: wanted.site, role: wanted.role, person: wanted.person }
  if (reach.kind === 'site' && scope.site === null)
    throw fieldRefusal('invalid_request', 'Choose the site that you administer.', 'site')
  const codes = await queries.findScopeCodes(tx, clientUid, within(administrator), scope)
  for (const part of ['site', 'role', 'person'] as const)
    if (scope[part] !== null && codes[part] === null) throw new Refusal('not_found')
  return { name, site: codes.site ?? '', role: codes.role ?? '', person: codes.person ?? '', active: yesNo(in_use) }
}

/** 2 GB in all. */
async function countFile({ documents }: Services, tx: Tx, clientUid: ClientUid, uid: string, { file }: Wanted) {
  await queries.keepBytes(tx, clientUid, uid, file ? await bytesOf(documents, clientUid, file) : null)
  if ((await queries.sumBytes(tx, clientUid)) > documentBytes.all)
    throw fieldRefusal('invalid_request', "The organisation's documents take up more than 2 GB.", 'file')
}
