import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

type Content = AsyncIterable<Buffer | string> | Iterable<Buffer | string>

/** Writes a ZIP file member by member: none of them is ever whole in memory. */
export class ZipWriter {
  #zip = new ZipFile()
  #written: Promise<void>

  constructor(path: string) {
    this.#written = pipeline(this.#zip.outputStream, createWriteStream(path))
    // `end` throws it
    this.#written.catch(() => undefined)
  }

  /**
   * Returns the SHA-256 of the content in hexadecimal digits, once all of it is written. `isPacked`: compressing it would
   * save nothing.
   */
  async add(name: string, content: Content, { isPacked = false } = {}): Promise<string> {
    const digest = createHash('sha256')
    const stream = Readable.from(hashing(content, digest), { objectMode: false })
    this.#zip.addReadStream(stream, name, { mtime: new Date(0), compress: !isPacked })
    await Promise.race([finished(stream), this.#written])
    return digest.digest('hex')
  }

  async end(): Promise<void> {
    this.#zip.end()
    await this.#written
  }
}

async function* hashing(content: Content, digest: ReturnType<typeof createHash>) {
  for await (const piece of content) {
    const bytes = Buffer.from(piece as string)
    digest.update(bytes)
    if (bytes.length > 0) yield bytes
  }
}
