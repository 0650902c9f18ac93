import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { tableFiles } from '#features/directory/server/tables/bring-in.service.ts'
import { documentFolder } from '#features/directory/server/tables/export.service.ts'
import { findDocumentProblem } from '#features/organisation/server/lists/list-documents.service.ts'
import { documentBytes, uploadLimits } from '#kernel/console-kinds.ts'
import type { UploadUid } from '#kernel/ids.ts'
import type { GivenFile, LeftOut } from './uploads.queries.ts'

/** The files of an upload as a folder, what is left out of it, and what is wrong with an archive. */
export interface Unpacked {
  folder: string
  leftOut: LeftOut[]
  problems: { file: string; line: number; column: string; reason: string }[]
}

/** Why a file is no table. Null for one of the format, or an archive. */
export function reasonToLeaveOut(file: string): string | null {
  if (tableFiles.includes(file) || /\.zip$/i.test(file)) return null
  if (/\.(xlsx?|xlsm|ods|numbers)$/i.test(file)) return 'Save it as CSV first.'
  return 'Not a file of the import format.'
}

/** Writes the parts into a folder of their own, and unpacks archives. Remove the folder when the work is done. */
export async function unpack(
  uid: UploadUid,
  files: readonly GivenFile[],
  read: (file: string, nth: number) => Promise<Buffer>,
  mayHave: (file: string) => string | null,
): Promise<Unpacked & { [Symbol.asyncDispose](): Promise<void> }> {
  // by name, so that what a killed worker has left is not kept beside it
  const root = join(tmpdir(), `evac-upload-${uid}`)
  await rm(root, { recursive: true, force: true })
  await mkdir(root, { mode: 0o700 })
  const unpacking = new Unpacking(root, mayHave)
  try {
    await mkdir(join(unpacking.folder, documentFolder), { recursive: true })
    for (const { file, parts } of files) {
      async function* content() {
        for (let nth = 1; nth <= parts; nth++) yield await read(file, nth)
      }
      if (/\.zip$/i.test(file)) {
        const path = join(root, 'archive.zip')
        await pipeline(Readable.from(content()), createWriteStream(path, { mode: 0o600 }))
        await unpacking.archive(file, path)
        await rm(path)
      } else await unpacking.table(file, Readable.from(content()))
    }
    const { folder, leftOut, problems } = unpacking
    return { folder, leftOut, problems, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
  } catch (error) {
    await rm(root, { recursive: true, force: true })
    throw error
  }
}

class TooLarge extends Error {}

class Unpacking {
  readonly folder: string
  readonly leftOut: LeftOut[] = []
  readonly problems: Unpacked['problems'] = []
  readonly #mayHave: (file: string) => string | null
  readonly #names = new Set<string>()
  #room: number = uploadLimits.all
  #entries = 0

  constructor(root: string, mayHave: (file: string) => string | null) {
    this.folder = join(root, 'tables')
    this.#mayHave = mayHave
  }

  async table(file: string, content: Readable) {
    const reason = this.#mayHave(file)
    if (reason !== null) {
      content.destroy()
      this.leftOut.push({ file, reason })
      return
    }
    if (this.#names.has(file)) {
      content.destroy()
      return this.#problem(file, `${file} is there twice.`)
    }
    this.#names.add(file)
    await pipeline(content, createWriteStream(join(this.folder, file), { mode: 0o600 }))
  }

  async archive(name: string, path: string) {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(
      (error: Error) => this.#unreadable(name, error),
    )
    if (!zip) return
    try {
      for await (const entry of zip.eachEntry()) if (!(await this.#entry(name, zip, entry))) return
    } catch (error) {
      if (error instanceof TooLarge) this.#problem(name, 'The zip contains more than 600 MB.')
      else this.#unreadable(name, error as Error)
    } finally {
      zip.close()
    }
  }

  /** False if nothing further of the archive is read. */
  async #entry(archive: string, zip: ZipFile, entry: Entry): Promise<boolean> {
    const name = entry.fileName
    if (++this.#entries > uploadLimits.inZip) {
      this.#problem(archive, `The zip contains more than ${uploadLimits.inZip.toLocaleString('en-AU')} files.`)
      return false
    }
    if (name === `${documentFolder}/`) return true
    const isDocument = name.startsWith(`${documentFolder}/`) && basename(name) === name.slice(documentFolder.length + 1)
    if (name.includes('/') && !isDocument) {
      this.#problem(archive, `The zip contains a path: ${name}.`)
      return false
    }
    if (this.#names.has(name)) {
      this.#problem(archive, `The zip contains ${name} twice.`)
      return false
    }
    const reason = isDocument ? null : /\.zip$/i.test(name) ? 'A zip inside a zip cannot be read.' : this.#reason(name)
    if (reason !== null) return this.#leaveOut(archive, { file: name, reason })
    this.#names.add(name)
    const target = join(this.folder, isDocument ? join(documentFolder, basename(name)) : name)
    await pipeline(await zip.openReadStreamPromise(entry), this.#measured(), createWriteStream(target, { mode: 0o600 }))
    const refused = isDocument ? await this.#document(target) : null
    return refused === null || this.#leaveOut(archive, { file: name, reason: refused })
  }

  /** What wardens cannot open is left out, and so a problem of the row that names it. */
  async #document(path: string): Promise<string | null> {
    const { size } = await stat(path)
    const reason =
      size > documentBytes.each ? 'The file is larger than 20 MB.' : await findDocumentProblem(await readFile(path))
    if (reason !== null) await rm(path)
    return reason
  }

  /** Names of files are kept with the upload, so there is an end of them. */
  #leaveOut(archive: string, leftOut: LeftOut): boolean {
    if (this.leftOut.length >= uploadLimits.leftOut) {
      this.#problem(archive, `The zip contains more than ${uploadLimits.leftOut} files that are not tables.`)
      return false
    }
    this.leftOut.push(leftOut)
    return true
  }

  #reason = (file: string) => reasonToLeaveOut(file) ?? this.#mayHave(file)

  /** What an archive says of its sizes is not believed. */
  #measured() {
    return new Transform({
      transform: (chunk: Buffer, _, done) => {
        this.#room -= chunk.length
        done(this.#room < 0 ? new TooLarge() : null, chunk)
      },
    })
  }

  #unreadable(file: string, error: Error): undefined {
    const path = /^(invalid relative path|absolute path|invalid characters in fileName): (.*)$/.exec(error.message)
    this.#problem(file, path ? `The zip contains a path: ${path[2]}.` : 'The zip cannot be read.')
  }

  #problem(file: string, reason: string): undefined {
    this.problems.push({ file, line: 0, column: '', reason })
  }
}
