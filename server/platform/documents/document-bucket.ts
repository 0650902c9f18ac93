import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { type DocumentStore, isStorageKey } from './document-store.ts'

export interface Bucket {
  name: string
  /** Address of a provider other than Amazon. Buckets are then part of the path. */
  endpoint: string | undefined
}

/**
 * Document files in an S3-compatible bucket. The AWS library finds region and credentials itself (AWS_REGION,
 * AWS_ACCESS_KEY_ID … or the machine's role). Browsers never access the bucket: files are served through our own links.
 */
export function bucketStore({ name, endpoint }: Bucket): DocumentStore {
  const client = new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000 },
    // other providers do not know the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const at = (key: string) => ({ Bucket: name, Key: key })
  const has = (key: string) => client.send(new HeadObjectCommand(at(key))).catch(orMissing)
  return {
    async read(key) {
      const found = isStorageKey(key) && (await client.send(new GetObjectCommand(at(key))).catch(orMissing))
      if (!found) return undefined
      return { body: found.Body as Readable, bytes: found.ContentLength ?? 0 }
    },

    async keep(key, path) {
      if (await has(key)) return
      const { size } = await stat(path)
      // in pieces: an export may be larger than the memory
      await client.send(new PutObjectCommand({ ...at(key), Body: createReadStream(path), ContentLength: size }))
    },

    async check() {
      const key = `.check-${randomUUID()}`
      await client.send(new PutObjectCommand({ ...at(key), Body: Buffer.from('check') }))
      await client.send(new DeleteObjectCommand(at(key)))
    },

    async remove(key) {
      if (isStorageKey(key)) await client.send(new DeleteObjectCommand(at(key)))
    },
  }
}

function orMissing(error: unknown): undefined {
  if (!(error instanceof NoSuchKey || error instanceof NotFound)) throw error
}
