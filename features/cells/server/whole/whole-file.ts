import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/*
 * The file of an organisation: JSON lines, compressed with Zstandard. The header; `{"table", "columns"}` before the rows of each
 * table; a row is a list of its values as PostgreSQL writes them; `{"document"}` before the pieces of each file, in base64; and at
 * the end the number of rows of each table and the SHA-256 of all lines before.
 */

const text = Type.String({ minLength: 1, maxLength: 300 })
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Header = Type.Object({
  evac: Type.Literal('organisation'),
  format: Type.Integer(),
  /** Of the product, and its newest migration. */
  version: text,
  migration: text,
  organisation: Type.Object({ uid: uuid, code: text, name: text }),
  /** The host that the organisation was at. */
  host: text,
  at: text,
  /** Of the passphrase that seals second factors, in base64. Null: they are left out. */
  salt: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
})
const Section = Type.Object({ table: text, columns: Type.Array(text) })
const Document = Type.Object({ document: text })
const Footer = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  documents: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

export type Header = Static<typeof Header>
export type Counts = Pick<Static<typeof Footer>, 'rows' | 'documents'>
type Mark = { header: Header } | Static<typeof Section> | Static<typeof Document> | { footer: Static<typeof Footer> }

/** What the operator can mend. The message says how. */
export class WholeError extends Error {
  override name = 'WholeError'
}

export const format = 1

/** Writes lines to a new file that only its owner can read, with the counts and the digest behind them. */
export async function writeWhole(path: string, lines: AsyncIterable<string>, counts: Counts): Promise<void> {
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    throw new WholeError(`${path} already exists: name a new file.`)
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    const target = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(Readable.from(withFooter(lines, counts)), createZstdCompress(), target)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true }) // it holds personal data
  }
}

async function* withFooter(lines: AsyncIterable<string>, counts: Counts): AsyncGenerator<string> {
  const digest = createHash('sha256')
  for await (const line of lines) {
    const ended = `${line}\n`
    digest.update(ended)
    yield ended
  }
  yield `${JSON.stringify({ ...counts, sha256: digest.digest('hex') })}\n`
}

/** The lines of a file: marks as what they mean, rows and pieces as they stand. Throws a WholeError if it is damaged or cut short. */
export async function* readWhole(path: string): AsyncGenerator<Mark | string> {
  const digest = createHash('sha256')
  let footer: Static<typeof Footer> | undefined
  let nth = 0
  for await (const line of linesOf(path)) {
    if (footer) throw damaged(path)
    const read = line[0] === openBracket ? line.toString() : markOf(path, line, nth)
    nth++
    if (typeof read !== 'string' && 'footer' in read) footer = read.footer
    else digest.update(line).update('\n')
    yield read
  }
  if (!footer || digest.digest('hex') !== footer.sha256) throw damaged(path)
}

const openBracket = '['.charCodeAt(0)
const newLine = '\n'.charCodeAt(0)
export const damaged = (path: string) => new WholeError(`${path} is damaged or cut short: nothing was changed.`)

function markOf(path: string, line: Buffer, nth: number): Mark {
  const value = parsed(line)
  if (nth === 0) {
    if (!Value.Check(Header, value)) throw new WholeError(`${path} is not the file of an organisation.`)
    if (value.format !== format)
      throw new WholeError(
        `${path} has the format ${value.format}, and this version reads ${format}: bring both installations to the same version.`,
      )
    return { header: value }
  }
  if (Value.Check(Section, value) || Value.Check(Document, value)) return value
  if (Value.Check(Footer, value)) return { footer: value }
  throw damaged(path)
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

/** In bytes: a line may hold what other readers take for the end of one. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path)
  const content = source.pipe(createZstdDecompress())
  source.on('error', (error) => content.destroy(error))
  let begun: Buffer[] = []
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)])
        begun = []
        from = end + 1
      }
      if (from < chunk.length) begun.push(chunk.subarray(from))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new WholeError(`There is no ${path}.`)
    if (/^(ZSTD|Z_)/.test(code ?? '')) throw damaged(path)
    throw error
  } finally {
    source.destroy()
  }
  if (begun.length > 0) throw damaged(path)
}
