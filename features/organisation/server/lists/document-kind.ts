import { isUtf8 } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { fileTypeFromBuffer } from 'file-type'

/** What wardens can open. */
const kinds = new Set(['pdf', 'png', 'jpg', 'docx', 'xlsx', 'pptx', 'odt', 'ods'])

export type DocumentContent = { kind: string; content: Buffer } | { problem: 'unknown' | 'protected' }

/** What a file is, by its content alone. A text is kept as UTF-8. */
export async function readDocumentContent(content: Buffer): Promise<DocumentContent> {
  const found = await fileTypeFromBuffer(content)
  if (!found) return readText(content)
  // how Office keeps a document with a password, and how it kept all of them before 2007
  if (found.ext === 'cfb') return { problem: content.includes(encryptedPackage) ? 'protected' : 'unknown' }
  if (!kinds.has(found.ext)) return { problem: 'unknown' }
  return isProtected(found.ext, content) ? { problem: 'protected' } : { kind: found.ext, content }
}

const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')

/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const noText = /[\u0000-\u0008\u000e-\u001f\u007f]/

function readText(content: Buffer): DocumentContent {
  const text = isUtf8(content) ? content.toString() : new TextDecoder('windows-1252').decode(content)
  if (text.trim() === '' || noText.test(text)) return { problem: 'unknown' }
  return { kind: 'txt', content: Buffer.from(text) }
}

function isProtected(kind: string, content: Buffer): boolean {
  if (kind === 'pdf') return /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(content.toString('latin1'))
  if (kind === 'png' || kind === 'jpg') return false
  const entries = listEntries(content)
  const manifest = entries.find(({ name }) => name === 'META-INF/manifest.xml')
  return entries.some(({ isEncrypted }) => isEncrypted) || (manifest?.read() ?? '').includes('encryption-data')
}

interface ZipEntry {
  name: string
  isEncrypted: boolean
  /** The content as text, '' if it cannot be read. */
  read(): string
}

const sizes = { end: 22, entry: 46, local: 30 }
const signatures = { end: 0x06054b50, entry: 0x02014b50, local: 0x04034b50 }
/** A manifest lists some files: more is no manifest. */
const largestManifest = 1024 * 1024

/** The entries of a zip by its directory (APPNOTE 4.3). None of a file whose directory is damaged. */
function listEntries(zip: Buffer): ZipEntry[] {
  const end = zip.lastIndexOf(littleEndian(signatures.end))
  if (end < 0 || end + sizes.end > zip.length) return []
  const entries: ZipEntry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + sizes.entry > zip.length || zip.readUInt32LE(at) !== signatures.entry) return entries
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const entry = {
      method: zip.readUInt16LE(at + 10),
      bytes: zip.readUInt32LE(at + 20),
      start: zip.readUInt32LE(at + 42),
    }
    entries.push({
      name: zip.toString('utf8', at + sizes.entry, at + sizes.entry + nameLength),
      isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      read: () => readEntry(zip, entry),
    })
    at += sizes.entry + nameLength + extraLength + commentLength
  }
  return entries
}

function readEntry(zip: Buffer, { method, bytes, start }: { method: number; bytes: number; start: number }): string {
  if (start + sizes.local > zip.length || zip.readUInt32LE(start) !== signatures.local) return ''
  const from = start + sizes.local + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
  const packed = zip.subarray(from, from + bytes)
  if (method === 0) return packed.toString('utf8', 0, largestManifest)
  try {
    return inflateRawSync(packed, { maxOutputLength: largestManifest }).toString()
  } catch {
    return ''
  }
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
