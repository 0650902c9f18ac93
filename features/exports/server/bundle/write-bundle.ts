import { readFile } from 'node:fs/promises'
import { bundleFiles, checkerFile, type IsInReach } from '#features/log/server/bundle.service.ts'
import { listCovering } from '#features/log/server/erasing/covering.queries.ts'
import { lineOfAddition } from '#features/log/server/log-additions.service.ts'
import { loggedAdditions } from '#features/records/server/additions.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { ZipWriter } from '#server/platform/process-apart/zip-writer.ts'
import { csvFiles } from '../csv-files.ts'
import { type ExportTask, TooLarge } from '../export-task.ts'
import { makePdf } from '../pdf/make-pdf.ts'
import { isPdfInstalled } from '../pdf/pdf-packages.ts'
import { reachOfLines } from '../reach-of-lines.ts'
import { capResponses, capStatus, type RecordData } from '../record-data.ts'
import { type StoredRecord, storedRecordOf } from '../stored-record.ts'
import { readmeOf } from './readme.ts'

/** manifest.json names the SHA-256 of each file outside log/, so it comes last. */
export async function writeBundle(tx: Tx, task: ExportTask, data: RecordData, onProgress: (percent: number) => void) {
  const zip = new ZipWriter(task.path)
  const files: Record<string, string> = {}
  const add = async (path: string, content: Parameters<ZipWriter['add']>[1]) => {
    const digest = await zip.add(path, content)
    if (!path.startsWith('log/')) files[path] = digest
  }
  const of = { clientUid: task.reach.clientUid, eventUid: task.eventUid }
  const stored = await storedRecordOf(tx, of, data)
  const additions = new NotedAdditions(reachOfLines(data, stored))
  const signer = { ...task.key, publicKey: Buffer.from(task.key.publicKey, 'base64') }
  for await (const { path, content } of bundleFiles(tx, of, {
    signer,
    heads: task.heads,
    isInReach: additions.isInReach,
  }))
    await add(path, content)
  const { covered } = await listCovering(tx, of, task.head?.size)
  const logged = await loggedAdditions(tx, of.clientUid, of.eventUid)
  await add(
    'entries.ndjson',
    additions.lines(logged, data, (n) => covered.has('entries', n)),
  )
  onProgress(60)
  await add('record.json', [JSON.stringify(recordJson(task, data, stored), null, 2)])
  for (const { path, content } of csvFiles(tx, task, data)) await add(`csv/${path}`, content)
  onProgress(75)
  const pdf = await pdfOf(tx, task, data)
  if (pdf) await add('record.pdf', [pdf])
  await add('README.txt', [readmeOf(task, data, Boolean(pdf))])
  await add('record-check.mjs', [await readFile(checkerFile)])
  await add('manifest.json', [JSON.stringify({ files }, null, 2)])
  await zip.end()
}

/** A bundle without its PDF is whole: the lines prove, the PDF shows. */
async function pdfOf(tx: Tx, task: ExportTask, data: RecordData): Promise<Buffer | undefined> {
  if (!isPdfInstalled()) return undefined
  return makePdf(tx, { ...task, names: 'needed' }, data, () => undefined).catch((error: unknown) => {
    if (error instanceof TooLarge) return undefined
    throw error
  })
}

const recordJson = ({ head }: ExportTask, { record, additions, isWhole }: RecordData, stored: StoredRecord) => ({
  // CAP's words
  status: capStatus(record),
  responseType: capResponses(record),
  head,
  whole: isWhole,
  record: stored.record,
  additions: additions.map(({ mine: _, ...addition }) => addition),
})

/** entries.ndjson follows the entries of the journal that the bundle shows: those are what is checked. */
class NotedAdditions {
  readonly #noted: { n: number; uid: string; commit: string }[] = []
  readonly isInReach: IsInReach

  constructor(isInReach: IsInReach) {
    this.isInReach = (file, line) => {
      const isShown = isInReach(file, line)
      if (isShown && file === 'journal') this.#note(line)
      return isShown
    }
  }

  #note({ action, after, n }: Parameters<IsInReach>[1]) {
    const { entry_uid: uid, commit } = (after ?? {}) as { entry_uid?: string; commit?: string }
    if (action === 'record_entry_added' && uid && commit) this.#noted.push({ n: Number(n), uid, commit })
  }

  *lines(
    additions: Awaited<ReturnType<typeof loggedAdditions>>,
    { isWhole, ...data }: RecordData,
    isErased: (n: number) => boolean,
  ) {
    const shown = new Set(data.additions.map(({ uid }) => uid))
    for (const { n, uid, commit } of this.#noted) {
      const isShown = isWhole || shown.has(uid)
      yield `${lineOfAddition(commit, additions.get(uid), { isErased: isErased(n), isShown })}\n`
    }
  }
}
