import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBucket } from './bucket.fixture.ts'
import type { DocumentStore } from './document-store.ts'
import { openDocumentStore } from './open-document-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'evac-bucket-'))
const plan = join(folder, 'plan.pdf')
let bucket: Awaited<ReturnType<typeof openBucket>>
let store: DocumentStore

beforeEach(async () => {
  writeFileSync(plan, 'a plan')
  vi.stubEnv('AWS_REGION', 'ap-southeast-2')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'example')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a secret')
  bucket = await openBucket('a secret')
  store = await openDocumentStore({
    dataDir: folder,
    documentsBucket: { name: 'evac-documents', endpoint: bucket.endpoint },
  })
  return async () => {
    await bucket[Symbol.asyncDispose]()
    rmSync(plan)
  }
})
afterEach(() => vi.unstubAllEnvs())

test('DOCS-04 AMB-071 a file stored in a bucket is read back complete and not uploaded twice', async () => {
  await store.keep('plan-1.pdf', plan)
  writeFileSync(plan, 'other content under the same key')
  await store.keep('plan-1.pdf', plan)
  const found = await store.read('plan-1.pdf')

  expect(found?.bytes).toBe(6)
  expect(found && (await text(found.body))).toBe('a plan')
  expect(bucket.requests.filter((request) => request.startsWith('PUT'))).toEqual(['PUT /evac-documents/plan-1.pdf'])
})

test('AMB-071 a file that is not in the bucket is missing; an invalid key is never requested', async () => {
  expect(await store.read('gone-1.pdf')).toBeUndefined()
  expect(await store.read('../secret.pdf')).toBeUndefined()
  expect(bucket.requests).toEqual(['GET /evac-documents/gone-1.pdf'])
})

test('PPL-16 a removed file is gone from the bucket; removing it again is no error', async () => {
  await store.keep('plan-1.pdf', plan)
  await store.remove('plan-1.pdf')
  await store.remove('plan-1.pdf')
  await store.remove('../secret.pdf')

  expect(await store.read('plan-1.pdf')).toBeUndefined()
  expect(bucket.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(2)
})

test('AMB-071 a request is retried when the provider fails', async () => {
  await store.keep('plan-1.pdf', plan)
  bucket.breakWith(503, 503)

  expect((await store.read('plan-1.pdf'))?.bytes).toBe(6)
})

test('AMB-071 wrong credentials are an error, not a missing file', async () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret')
  const stranger = await openDocumentStore({
    dataDir: folder,
    documentsBucket: { name: 'evac-documents', endpoint: bucket.endpoint },
  })

  await expect(stranger.read('plan-1.pdf')).rejects.toThrow()
  await expect(stranger.keep('plan-1.pdf', plan)).rejects.toThrow()
  expect(bucket.objects.size).toBe(0)
})
