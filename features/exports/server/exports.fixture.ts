import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fromBuffer } from 'yauzl'
import type { EventUid } from '#kernel/ids.ts'
import { signerOf } from '#server/testing/event-log.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { exportRecord, getExport, type RecordExport } from '../calls.ts'
import { dropExpiredExports, makeDueExports } from './export-work.service.ts'

type Call = ReturnType<TestServer['callWith']>

/** What a worker does for exports. Throws what would be trouble. `fontsDir`: folder with further fonts for PDFs. */
export async function makeExports(server: TestServer, fontsDir = '') {
  const troubles: unknown[] = []
  const { system, connection } = server.database
  await makeDueExports(
    { system: system.db, connection, documents: server.app.documents, signer: signerOf(server), fontsDir },
    (trouble) => troubles.push(trouble),
    new AbortController().signal,
  )
  expect(troubles).toEqual([])
}

export const dropExpired = (server: TestServer) => dropExpiredExports(server.database.system.db, server.app.documents)

export const askFor = (
  call: Call,
  eventUid: EventUid,
  format: 'pdf' | 'csv' | 'bundle',
  names: 'none' | 'needed' | 'all' = 'needed',
): Promise<RecordExport> => call(exportRecord, { params: { eventUid }, body: { format, names } }, withKey())

/** Asks, lets the worker make it, and fetches the file by its link. A transaction of another test may hold it back for a moment. */
export async function exported(
  server: TestServer,
  call: Call,
  eventUid: EventUid,
  ...[format, names, fontsDir]: [Parameters<typeof askFor>[2], Parameters<typeof askFor>[3]?, string?]
) {
  const { uid } = await askFor(call, eventUid, format, names)
  const ready = await madeExport(server, call, uid, fontsDir)
  expect(ready).toMatchObject({ uid, progress: 100 })
  const url = `${ready.url}`
  const answer = await server.app.inject(url.slice(new URL(url).origin.length))
  expect(answer.statusCode).toBe(200)
  return { uid, url, file: answer.rawPayload, headers: answer.headers }
}

/** The export once it is ready. */
export async function madeExport(
  server: TestServer,
  call: Call,
  uid: string,
  fontsDir?: string,
): Promise<RecordExport> {
  const look = () => call(getExport, { params: { uid } })
  await expect
    .poll(
      async () => {
        await makeExports(server, fontsDir)
        return look()
      },
      { timeout: 30_000, interval: 200 },
    )
    .toMatchObject({ state: 'ready' })
  return look()
}

/** The members of a ZIP file by name. */
export function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const members = new Map<string, Buffer>()
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('end', () => resolve(members)).on('error', reject)
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (trouble, stream) => {
          if (trouble) return reject(trouble)
          const pieces: Buffer[] = []
          for await (const piece of stream) pieces.push(piece)
          members.set(entry.fileName, Buffer.concat(pieces))
          zip.readEntry()
        }),
      )
      zip.readEntry()
    })
  })
}

/** The bytes as a file, for programs. */
export function asFile(bytes: Buffer, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-exported-'))
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return { path, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
