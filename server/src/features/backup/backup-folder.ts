import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Everything a restore must know, and the digest of every file: nothing of a damaged backup is loaded. */
export interface Manifest {
  format: 1
  product: 'evac'
  createdAt: string
  /** In the order they were run; the last one names the shape of the rows. */
  migrations: string[]
  tables: BackedUpTable[]
  documents: BackedUpFile[]
}
export interface BackedUpFile {
  /** Within the backup's folder. */
  file: string
  sha256: string
}
export interface BackedUpTable extends BackedUpFile {
  name: string
  columns: string[]
  rows: number
}

/** A backup that cannot be used; the message says why, for the person at the terminal. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const manifestFile = 'manifest.json'

/** Writes a backup beside its place; it gets its name when it is whole. Only its owner may read it. */
export async function createFolder(folder: string) {
  if (await stat(folder).catch(() => undefined)) throw new BackupError(`${folder} is there already: name a new folder.`)
  const unfinished = `${folder}.${process.pid}.unfinished`
  await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 })
  await mkdir(join(unfinished, 'documents'), { mode: 0o700 })
  return {
    async write(file: string, content: Readable, ...through: Transform[]): Promise<BackedUpFile> {
      const digest = createHash('sha256')
      const target = createWriteStream(join(unfinished, file), { mode: 0o600, flush: true })
      await pipeline([content, ...through, digesting(digest), target])
      return { file, sha256: digest.digest('hex') }
    },
    async finish(manifest: Manifest) {
      await writeFile(join(unfinished, manifestFile), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true })
      await rename(unfinished, folder)
    },
    /** It holds what the whole would, and the space that others need. */
    async drop() {
      await rm(unfinished, { recursive: true })
    },
  }
}

function digesting(digest: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      digest.update(chunk)
      done(null, chunk)
    },
  })
}

/** The manifest of a backup whose files are all there and undamaged. Throws BackupError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => undefined)
  if (text === undefined) throw new BackupError(`${folder} is no backup: it has no ${manifestFile}.`)
  const manifest = parse(text)
  if (manifest?.product !== 'evac' || manifest.format !== 1)
    throw new BackupError(`${folder} is not a backup that this version of Evac can read.`)
  for (const { file, sha256 } of [...manifest.tables, ...manifest.documents]) await check(folder, file, sha256)
  return manifest
}

function parse(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest
  } catch {
    return undefined
  }
}

async function check(folder: string, file: string, expected: string) {
  const digest = createHash('sha256')
  await pipeline(createReadStream(join(folder, file)), digest).catch(() => {
    throw new BackupError(`The backup is not whole: ${file} is missing.`)
  })
  if (digest.digest('hex') !== expected)
    throw new BackupError(`The backup is damaged: ${file} has changed since it was made.`)
}
