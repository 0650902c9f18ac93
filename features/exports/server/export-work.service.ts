import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Signing } from '#features/log/server/head-log/head-log.service.ts'
import { isAllSigned, signHead } from '#features/log/server/heads.service.ts'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { checkpointFor } from '#features/log/server/witnesses/witnesses.service.ts'
import type { Connection, Db } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { makeInProcess } from '#server/platform/process-apart/make-in-process.ts'
import { exportProgram } from './export-task.ts'
import * as queries from './exports.queries.ts'

interface Making extends Signing {
  connection: Connection
  /** Folder with further fonts for PDFs. Empty: none. */
  fontsDir: string
}

/** Makes the files that were asked for, one at a time. Trouble with one does not stop the others. */
export async function makeDueExports(
  making: Making,
  onTrouble: (error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const due = await queries.claimExport(making.system)
    if (!due) return
    await make(making, due, stopping).catch(async (error: unknown) => {
      await queries.noteFailed(making.system, due, null)
      onTrouble(error)
    })
  }
}

async function make(making: Making, due: queries.DueExport, stopping: AbortSignal): Promise<void> {
  const { system, signer, documents } = making
  const { clientUid, eventUid, personUid, reach, format, names } = due
  const of = { clientUid, eventUid }
  await sealEvent(system, of)
  const head = await signHead(making, of)
  const heads = await checkpointFor(making, of)
  if (format === 'bundle' && !(await isAllSigned(system, of))) return await queries.noteWaits(system, due)
  const folder = await mkdtemp(join(tmpdir(), 'evac-export-'))
  try {
    const path = join(folder, 'export')
    const outcome = await makeInProcess(
      exportProgram(format),
      {
        ...{
          connection: making.connection,
          eventUid,
          personUid,
          reach,
          format,
          names,
          path,
          fontsDir: making.fontsDir,
        },
        heads: heads ?? null,
        head: head ? { size: head.size, root: head.root.toString('base64') } : null,
        key: { name: signer.name, keyId: signer.keyId, publicKey: signer.publicKey.toString('base64') },
      },
      (progress) => void queries.noteProgress(system, due, progress).catch(() => undefined),
      stopping,
    )
    if (!outcome.isDone && outcome.waits) return await queries.noteWaits(system, due)
    if (!outcome.isDone) return await queries.noteFailed(system, due, outcome.refused)
    const storageKey = keyOf(due)
    // a killed worker may have left another file of this export
    await documents.remove(storageKey)
    await documents.keep(storageKey, path)
    await keep(system, due, { storageKey, digest: await digestOf(path) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The file is offered once it stands in the journal who has it, with its digest. */
async function keep(
  system: Db,
  due: queries.DueExport,
  { storageKey, digest }: { storageKey: string; digest: string },
): Promise<void> {
  const { clientUid, eventUid, personUid, signInUid, sessionUid, format, names } = due
  await system.transaction().execute(async (tx) => {
    if (!(await queries.noteReady(tx, due, { storageKey, fileName: nameOf(due) }))) return
    await recordBeside(tx, { clientUid, personUid, signInUid, sessionUid }, [
      {
        action: 'record_exported',
        subjectType: 'event',
        subjectUid: eventUid,
        eventUid,
        after: { format, names, sha256: digest },
      },
    ])
  })
}

const keyOf = ({ uid, format }: Pick<queries.DueExport, 'uid' | 'format'>) =>
  `export-${uid}.${format === 'pdf' ? 'pdf' : 'zip'}`

/** The name is ours: nothing that people wrote stands in it. */
const nameOf = ({ kind, number, format }: queries.DueExport): string =>
  `${kind === 'drill' ? 'DRILL-' : ''}record-${number}${format === 'csv' ? '-csv' : ''}.${format === 'pdf' ? 'pdf' : 'zip'}`

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

/** A file lasts for 24 hours. */
export async function dropExpiredExports(system: Db, documents: DocumentStore): Promise<void> {
  for (const expired of await queries.listExpired(system)) {
    await documents.remove(keyOf(expired))
    await queries.deleteExport(system, expired)
  }
}
