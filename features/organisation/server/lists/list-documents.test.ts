import { deflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { listDocuments } from '#features/assignments/calls/assignments.ts'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import * as calls from '../../calls/lists.ts'

type Wanted = GivenInput<typeof calls.addDocument>['body']
const none = { url: '', file: '', site: null, role: null, person: null, in_use: true } as const

async function documented(server: TestServer, over: Parameters<typeof givenAdministrator>[2] = {}) {
  const org = await server.given.organisation()
  const call = await asAdministrator(server, await givenAdministrator(server, org, over))
  const list = async () => (await call(calls.listDocumentRows, {})).rows
  const add = (body: Partial<Wanted> & { name: string }) =>
    call(calls.addDocument, { body: { ...none, ...body } }, withKey())
  const store = async (content: Buffer, token = call.token) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: calls.storeDocumentFile.path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      payload: content,
    })
    return answer.json() as { file: string; kind: string; bytes: number; error?: string; message?: string }
  }
  return { org, call, list, add, store }
}

const pdf = (more = '') =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R ${more}>>\n%%EOF\n`)
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A zip of these files. With a flag of 1 each is marked as encrypted. */
function zip(files: Record<string, string>, flag = 0): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const method = name === 'mimetype' ? 0 : 8
    const packed = method === 0 ? Buffer.from(text) : deflateRawSync(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flag, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(text.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed])
    const where = Buffer.alloc(14)
    where.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, where, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, entries, end])
}

const docx = (flag = 0) =>
  zip(
    {
      '[Content_Types].xml':
        '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      'word/document.xml': '<document/>',
    },
    flag,
  )
const odt = (manifest = '') =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': '<office/>',
    'META-INF/manifest.xml': `<manifest>${manifest}</manifest>`,
  })

test('PPL-42 the kind of a file is what its content says', async ({ server }) => {
  const { store } = await documented(server)

  const kinds = []
  for (const content of [
    pdf(),
    png,
    docx(),
    odt(),
    Buffer.from('Assembly point: gate 3, Zürich'),
    Buffer.from('Z\xfcrich', 'latin1'),
  ])
    kinds.push((await store(content)).kind)

  expect(kinds).toEqual(['pdf', 'png', 'docx', 'odt', 'txt', 'txt'])
})

test('PPL-43 what is no document, is protected, or is too large is refused in words', async ({ server }) => {
  const { store } = await documented(server)
  const unknown = 'This is not a PDF, picture or office document.'
  const locked = 'The file is protected by a password.'
  const oleWith = (text: string) =>
    Buffer.concat([
      Buffer.from('D0CF11E0A1B11AE1', 'hex'),
      Buffer.alloc(504),
      Buffer.from(text, 'utf16le'),
      Buffer.alloc(512),
    ])
  const refusals: [Buffer, string][] = [
    [Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), unknown],
    [Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), unknown],
    [zip({ 'run.sh': 'rm' }), unknown],
    [Buffer.from('  \n '), unknown],
    [oleWith('WordDocument'), unknown],
    [oleWith('EncryptedPackage'), locked],
    [pdf('/Encrypt 9 0 R '), locked],
    [docx(1), locked],
    [odt('<manifest:encryption-data/>'), locked],
  ]

  for (const [content, message] of refusals)
    expect(await store(content)).toMatchObject({ error: 'invalid_request', message })
  expect(await store(Buffer.alloc(20 * 1024 * 1024 + 1, 'a'))).toMatchObject({
    error: 'body_too_large',
    message: 'The file is larger than 20 MB.',
  })
  expect((await store(Buffer.alloc(20 * 1024 * 1024, 'a'))).kind).toBe('txt')
})

test('PPL-42 a stored file is served by a signed link that runs nothing, also to its wardens', async ({ server }) => {
  const { org, add, store, list } = await documented(server)
  const warden = await server.given.warden(org)
  const { file } = await store(pdf())

  await add({ name: 'Evacuation plan', file, site: org.siteUid })

  const [row] = await list()
  expect(row).toMatchObject({
    name: 'Evacuation plan',
    url: null,
    kind: 'pdf',
    bytes: pdf().length,
    site: { name: org.siteName },
  })
  const { documents } = await (await server.as(warden))(listDocuments, {
    query: { wardenAssignmentUID: warden.assignmentUid },
  })
  for (const link of [row?.link, documents[0]?.Document_S3_Link]) {
    const answer = await server.app.inject(new URL(String(link)).pathname + new URL(String(link)).search)
    expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.equals(pdf())]).toEqual([
      200,
      'application/pdf',
      true,
    ])
    expect(answer.headers['content-security-policy']).toContain('sandbox')
  }
})

test('PPL-42 replacing a file keeps the scope, and a change without one keeps the file', async ({ server }) => {
  const { org, call, add, store, list } = await documented(server)
  const { personUid } = await server.given.warden(org)
  const { uid } = await add({ name: 'Map', url: 'https://maps.test/1', person: personUid })
  const change = async (over: Partial<Wanted>) => {
    const [row] = await list()
    const body = { ...none, version: row?.version as string, name: 'Map', person: personUid, ...over }
    return call(calls.changeDocument, { params: { uid }, body }, withKey())
  }

  await change({ file: (await store(png)).file })
  expect(await list()).toMatchObject([{ kind: 'png', url: null, person: { uid: personUid } }])
  await change({ name: 'Picture' })
  expect(await list()).toMatchObject([{ name: 'Picture', kind: 'png', bytes: png.length, person: { uid: personUid } }])
  await change({ url: 'https://maps.test/2', in_use: false })
  expect(await list()).toMatchObject([{ url: 'https://maps.test/2', kind: null, bytes: null, in_use: false }])
})

test('PPL-42 a document needs a scope and either a link or a file of its organisation', async ({ server }) => {
  const { org, add, store } = await documented(server)
  const other = await documented(server)
  const { file } = await other.store(pdf())
  const own = await store(pdf())

  await expect(add({ name: 'Map', url: 'http://maps.test/', site: org.siteUid })).rejects.toMatchObject({
    message: 'Url is not an https:// address',
    fields: ['url'],
  })
  await expect(add({ name: 'Map', url: 'https://maps.test/' })).rejects.toMatchObject({ fields: ['site'] })
  await expect(add({ name: 'Map', site: org.siteUid })).rejects.toMatchObject({ fields: ['url'] })
  await expect(add({ name: 'Map', file, site: org.siteUid })).rejects.toMatchObject({ fields: ['file'] })
  await expect(add({ name: 'Map', file: '../secret', site: org.siteUid })).rejects.toMatchObject({ fields: ['file'] })
  expect(await refused(add({ name: 'Map', file: own.file, site: other.org.siteUid }))).toEqual(['not_found'])
})

test('PPL-42 the files of an organisation hold 2 GB at most', async ({ server }) => {
  const { org, add, store, list } = await documented(server)
  const { file } = await store(pdf())
  const { uid } = await add({ name: 'Large', file, site: org.siteUid })
  await server.db
    .updateTable('document')
    .set({ bytes: 2 * 1024 ** 3 - pdf().length })
    .where('uid', '=', uid)
    .execute()
  await add({ name: 'Fits', file, site: org.siteUid })

  await expect(add({ name: 'Too much', file, site: org.siteUid })).rejects.toMatchObject({ fields: ['file'] })
  expect((await list()).map(({ name }) => name)).toEqual(['Fits', 'Large'])
})

test('ORG-10 the administrator of a site sees and adds documents of that site alone', async ({ server }) => {
  const { org, add, list } = await documented(server)
  const away = await server.given.site(org, { name: 'Away' })
  await add({ name: 'Here', url: 'https://maps.test/', site: org.siteUid })
  const { uid } = await add({ name: 'There', url: 'https://maps.test/', site: away.siteUid })
  const [, there] = await list()
  const call = await asAdministrator(
    server,
    await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid }),
  )
  const body = { ...none, name: 'Mine', url: 'https://maps.test/' }

  const { rows, sites } = await call(calls.listDocumentRows, {})
  expect([rows.map(({ name }) => name), sites]).toEqual([['Here'], [{ uid: org.siteUid, name: org.siteName }]])
  expect(
    await refused(
      call(calls.changeDocument, { params: { uid }, body: { ...body, version: there?.version as string } }),
      call(calls.addDocument, { body: { ...body, site: away.siteUid } }),
      call(calls.addDocument, { body }),
      call(calls.addDocument, { body: { ...body, site: org.siteUid } }),
    ),
  ).toEqual(['not_found', 'not_found', 'invalid_request', 'answered'])
})
