import { isUtf8 } from 'node:buffer'
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs'

export function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(1 << 14)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

/** A zip (xlsx, ods, numbers) or a compound file (xls). */
export const isSpreadsheet = (bytes: Buffer) => ['504b0304', 'd0cf11e0'].includes(bytes.subarray(0, 4).toString('hex'))

/** By its byte order mark, which a spreadsheet always writes. */
export function utf16In(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = bytes.subarray(0, 2).toString('hex')
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : undefined
}

export async function isUtf8File(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 }))
      decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** The database cannot store NUL, not even in a row that is left out. The sign that stands for it is refused in each cell like it. */
const substitute = '\u001a'

/**
 * Decodes UTF-8 and converts line ends to `\n`, because the parser does not count `\r\n` inside quotes as lines. Throws for
 * other encodings, which would garble names.
 */
export async function* decode(
  path: string,
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252',
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let held = ''
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const text = held + decoder.decode(bytes, { stream: true }).replaceAll('\0', substitute)
    held = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n')
  }
  yield held.replace('\r', '\n') + decoder.decode()
}

/** Tests line by line, because no UTF-8 sequence contains a line feed. */
export function firstBadLine(path: string): number {
  const lines = readFileSync(path, 'latin1').split(/\r\n?|\n/)
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1
}
