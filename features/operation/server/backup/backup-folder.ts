import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Manifest = Type.Object({
  format: Type.Literal(1),
  product: Type.Literal('evac'),
  createdAt: Type.String({ pattern: '^[0-9TZ:.-]{10,30}$' }),
  /** In execution order. The last one determines the shape of the rows. */
  migrations: Type.Array(Type.String()),
  tables: Type.Array(
    Type.Object({
      name,
      columns: Type.Array(name, { minItems: 1 }),
      rows: Type.Integer({ minimum: 0 }),
      file: Type.String({ pattern: '^tables/[a-z0-9_]+[.]gz$' }),
      sha256,
    }),
  ),
  documents: Type.Array(
    Type.Object({ file: Type.String({ pattern: '^documents/[A-Za-z0-9_-]+[.][A-Za-z0-9]+$' }), sha256 }),
  ),
})

/**
 * The content of a backup, with a digest per file, so that nothing of a damaged backup is loaded. Anyone who can change a
 * backup can change its digests, so names in it must not be paths outside the folder or SQL.
 */
export type Manifest = Static<typeof Manifest>
/** `file` is inside the backup's folder. */
export type BackedUpFile = Manifest['documents'][number]
export type BackedUpTable = Manifest['tables'][number]

/** An unusable backup. The message gives the operator the reason. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export const manifestFile = 'manifest.json'

/** Writes a backup under a temporary name and renames it once it is complete. Only the owner may read it. */
export async function createFolder(folder: string) {
  if (await stat(folder).catch(() => undefined)) throw new BackupError(`${folder} already exists: name a new folder.`)
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
    /** Deletes the unfinished folder, which contains personal data and takes space. */
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

/** The manifest of a complete, undamaged backup. Throws BackupError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => undefined)
  if (text === undefined) throw new BackupError(`${folder} is not a backup: it has no ${manifestFile}.`)
  const manifest = parse(text)
  if (!Value.Check(Manifest, manifest))
    throw new BackupError(`${folder} is not a backup that this version of Evac can read.`)
  for (const { file, sha256 } of [...manifest.tables, ...manifest.documents]) await check(folder, file, sha256)
  return manifest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function check(folder: string, file: string, expected: string) {
  const digest = createHash('sha256')
  await pipeline(createReadStream(join(folder, file)), digest).catch(() => {
    throw new BackupError(`The backup is incomplete: ${file} is missing.`)
  })
  if (digest.digest('hex') !== expected)
    throw new BackupError(`The backup is damaged: ${file} has changed since it was made.`)
}
