import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { signedLink } from '#server/platform/signed-link.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { listDocuments } from '../calls/assignments.ts'

/** A server with a folder of documents of its own, and a clock that the test turns. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('at', { scope: 'file' }, async ({}, { onCleanup }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'evac-documents-'))
  const folder = join(dataDir, 'documents')
  mkdirSync(folder)
  let ahead = 0
  const clock = { now: () => new Date(Date.now() + ahead) }
  const server = await startTestServer({ documents: folderStore(dataDir), clock })
  onCleanup(async () => {
    await server[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  return {
    server,
    store: (key: string, content: string | Buffer) => writeFileSync(join(folder, key), content),
    goAhead: (ms: number) => {
      ahead += ms
    },
  }
})

/** A warden of an organisation that has this stored document. */
async function givenDocument({ given, db }: TestServer, storageKey: string, name = 'Fire plan') {
  const org = await given.organisation()
  const warden = await given.warden(org)
  const { uid } = await db
    .insertInto('document')
    .values({ clientUid: org.clientUid, code: 'plan', name, storageKey, siteUid: org.siteUid })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { uid, warden }
}

async function linkFor(server: TestServer, warden: Warden) {
  const call = await server.as(warden)
  const { documents } = await call(listDocuments, { query: { wardenAssignmentUID: warden.assignmentUid } })
  return documents[0]?.Document_S3_Link ?? ''
}
const open = ({ app }: TestServer, link: string) => {
  const { pathname, search } = new URL(link)
  return app.inject({ url: pathname + search })
}

test('DOCS-04 API-24 AMB-071 a stored file is listed by a link that opens it without a sign-in', async ({ at }) => {
  const { server, store } = at
  store('plan-1.pdf', '%PDF-1.7 a plan')
  const { warden } = await givenDocument(server, 'plan-1.pdf', 'Plan “Süd” (A/B)')

  const answer = await open(server, await linkFor(server, warden))

  expect([answer.statusCode, answer.body]).toEqual([200, '%PDF-1.7 a plan'])
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '15',
    'content-disposition': `inline; filename="Plan _S_d_ (A_B).pdf"; filename*=UTF-8''Plan%20%E2%80%9CS%C3%BCd%E2%80%9D%20%28A%2FB%29.pdf`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

test('DOCS-02 T16 the link leads to APP_URL, whatever host the request names', async ({ at: { server } }) => {
  const { uid, warden } = await givenDocument(server, 'plan-2.pdf')
  const { token } = await server.as(warden)

  const answer = await server.app.inject({
    url: `/api/v2/warden/documents?wardenAssignmentUID=${warden.assignmentUid}`,
    headers: { authorization: `Bearer ${token}`, host: 'evil.example' },
  })

  const [document] = answer.json().documents
  expect(document.Document_S3_Link).toMatch(
    new RegExp(`^${server.config.appUrl}/api/documents/${uid}\\?expires=\\d+&signature=[\\w-]{43}&session=[\\w-]{36}$`),
  )
})

const kinds = [
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.txt', 'text/plain; charset=utf-8'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.html', undefined],
  ['a.svg', undefined],
  ['a.pdf.js', undefined],
] as const
test.for(kinds)('AMB-071 a stored %s is served as %s', async ([key, contentType], { at: { server, store } }) => {
  store(key, '<script>alert(1)</script>')
  const { warden } = await givenDocument(server, key)

  const answer = await open(server, await linkFor(server, warden))

  if (contentType) expect(answer.headers['content-type']).toBe(contentType)
  else expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
})

const notFound = {
  status: 404,
  type: 'application/json; charset=utf-8',
  body: { error: 'not_found', message: 'Not found.' },
}
async function outcomeOf(server: TestServer, link: string) {
  const answer = await open(server, link)
  return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.json() }
}

test('AMB-071 a link is good for 15 minutes', async ({ at: { server, store, goAhead } }) => {
  store('plan-3.pdf', 'a plan')
  const { warden } = await givenDocument(server, 'plan-3.pdf')
  const link = await linkFor(server, warden)

  goAhead(14 * 60_000)
  expect((await open(server, link)).statusCode).toBe(200)
  goAhead(60_000)
  expect(await outcomeOf(server, link)).toEqual(notFound)
  expect((await open(server, await linkFor(server, warden))).statusCode).toBe(200)
})

test('AMB-071 a forged link answers as one to nothing', async ({ at: { server, store } }) => {
  store('plan-4.pdf', 'a plan')
  store('secret.pdf', 'of another client')
  const { uid, warden } = await givenDocument(server, 'plan-4.pdf')
  const other = await givenDocument(server, 'secret.pdf')
  const link = await linkFor(server, warden)
  const changed = (part: string, value: string) => {
    const url = new URL(link)
    url.searchParams.set(part, value)
    return url.href
  }
  const signature = new URL(link).searchParams.get('signature') ?? ''

  const forgeries = [
    link.replace(uid, other.uid),
    changed('expires', '9999999999'),
    changed(
      'signature',
      signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    ),
    changed('signature', signature.slice(1)),
    changed('signature', ''),
    `${link}&signature=${signature}`,
    link.replace(/\?.*/, ''),
    signedLink(
      { key: server.app.secrets.links, subject: uid, now: new Date() },
      `http://localhost/api/documents/${uid}`,
      60,
    ),
    link.replace(uid, 'no-uid'),
  ]

  for (const forgery of forgeries) expect(await outcomeOf(server, forgery)).toEqual(notFound)
})

test('DOCS-05 the link ends with the session that read it', async ({ at: { server, store } }) => {
  store('plan-6.pdf', 'a plan')
  const { warden } = await givenDocument(server, 'plan-6.pdf')
  const [link, other] = [await linkFor(server, warden), await linkFor(server, warden)]
  expect((await open(server, link)).statusCode).toBe(200)

  await server.db
    .updateTable('session')
    .set({ revokedAt: new Date() })
    .where('uid', '=', new URL(link).searchParams.get('session') ?? '')
    .execute()

  expect(await outcomeOf(server, link)).toEqual(notFound)
  expect((await open(server, other)).statusCode).toBe(200)
  const session = new URL(other).searchParams.get('session') ?? ''
  expect(await outcomeOf(server, link.replace(/session=.*/, `session=${session}`))).toEqual(notFound)
})

test('AMB-071 a document that was taken back, or whose file is gone, is not found', async ({
  at: { server, store },
}) => {
  store('plan-5.pdf', 'a plan')
  const [back, ended, gone] = [
    await givenDocument(server, 'plan-5.pdf'),
    await givenDocument(server, 'plan-5.pdf'),
    await givenDocument(server, 'never-stored.pdf'),
  ]
  const links = [
    await linkFor(server, back.warden),
    await linkFor(server, ended.warden),
    await linkFor(server, gone.warden),
  ]
  await server.db.updateTable('document').set({ active: false }).where('uid', '=', back.uid).execute()
  await server.db.updateTable('client').set({ active: false }).where('uid', '=', ended.warden.clientUid).execute()

  for (const link of links) expect(await outcomeOf(server, link)).toEqual(notFound)
})

test('AMB-071 a key that is a path reads nothing outside the folder', async ({ at: { server, store } }) => {
  store('../outside.txt', 'not a document')

  const { warden } = await givenDocument(server, '../outside.txt')

  expect(await outcomeOf(server, await linkFor(server, warden))).toEqual(notFound)
})
