#!/usr/bin/env node
// Checks the record of an event: a bundle that Evac exported, as a ZIP file or unpacked. Needs Node 20 or newer and
// nothing else. Writes no file. docs/check-a-record.md says what it proves and what it does not.
//
//   node record-check.mjs BUNDLE.zip|FOLDER… [--key KEY] [--head "SIZE ROOT"]… [--witness KEY]…
//
// Exit code 0: INTACT. 1: BROKEN. 2: it could not be checked. Of several bundles it is the worst.
import * as crypto from 'node:crypto'
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createInflateRaw, inflateRawSync } from 'node:zlib'

const usage = 'Usage: node record-check.mjs BUNDLE.zip|FOLDER… [--key KEY] [--head "SIZE ROOT"]… [--witness KEY]…'
const tileWidth = 256
const hashLength = 32
/** Small files are read whole. None of them is larger than this. */
const mostBytes = 1 << 20

class Broken extends Error {}
class NotChecked extends Error {}
const broken = (sentence) => {
  throw new Broken(sentence)
}

const { createHash, createPublicKey, verify } = crypto
/** At once where Node can, which is faster. */
const sha256 = crypto.hash
  ? (data) => crypto.hash('sha256', data, 'buffer')
  : (data) => createHash('sha256').update(data).digest()

const leafInput = Buffer.alloc(1 + hashLength)
const nodeInput = Buffer.alloc(1 + 2 * hashLength, 1)
function leafHash(commit) {
  leafInput.set(commit, 1)
  return sha256(leafInput)
}
function nodeHash(left, right) {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashLength)
  return sha256(nodeInput)
}

/** RFC 6962: grows by full subtrees of falling height, and knows its root at any size. */
class MerkleTree {
  constructor(subtrees = []) {
    this.subtrees = [...subtrees]
  }
  with(hashes) {
    const tree = new MerkleTree(this.subtrees)
    for (const hash of hashes) tree.add(hash)
    return tree
  }
  add(hash, height = 0) {
    let grown = { hash, height }
    for (let last = this.subtrees.at(-1); last?.height === grown.height; last = this.subtrees.at(-1)) {
      this.subtrees.pop()
      grown = { hash: nodeHash(last.hash, grown.hash), height: grown.height + 1 }
    }
    this.subtrees.push(grown)
  }
  root() {
    const hashes = this.subtrees.map(({ hash }) => hash)
    return hashes.length === 0 ? sha256('') : hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}

const rootOf = (hashes) => new MerkleTree().with(hashes).root()

// ---- the files of a bundle

/** A name that stays inside the bundle. */
function safeName(name) {
  const isBad = name === '' || name.startsWith('/') || /[\\\0:]/.test(name) || name.split('/').includes('..')
  return isBad ? broken(`The bundle contains a file named '${name}'.`) : name
}

async function openFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map()
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const name = path.slice(join(folder, '/').length).split(/[\\/]/).join('/')
    files.set(safeName(name), { stream: () => createReadStream(path), whole: () => readFile(path) })
  }
  return files
}

function openZip(path) {
  const file = openSync(path)
  const { size } = fstatSync(file)
  const read = (from, length) => {
    if (length > size - from) broken('The ZIP file is cut off.')
    const bytes = Buffer.alloc(length)
    return readSync(file, bytes, 0, length, from) === length ? bytes : broken('The ZIP file is cut off.')
  }
  const { from, length, count } = findDirectory(read, size)
  const directory = read(from, length)
  const files = new Map()
  let at = 0
  for (let nth = 0; nth < count; nth++) {
    const member = readMember(directory, at)
    at = member.next
    if (member.name.endsWith('/')) continue
    if (files.has(safeName(member.name))) broken(`The bundle contains '${member.name}' twice.`)
    const stream = () => readContent(path, read, member)
    const isSmall = Math.max(member.bytes, member.packed) <= mostBytes
    files.set(member.name, isSmall ? { stream, whole: () => readWhole(read, member) } : { stream })
  }
  return files
}

/** Where the list of files stands. A ZIP of over 4 GB says so in fields of 64 bits. */
function findDirectory(read, size) {
  const tail = read(Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0) throw new NotChecked('This is not a ZIP file.')
  const found = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    from: tail.readUInt32LE(end + 16),
  }
  if (found.count !== 0xffff && found.length !== 0xffffffff && found.from !== 0xffffffff) return found
  if (end < 20 || tail.readUInt32LE(end - 20) !== 0x07064b50) broken('The ZIP file does not give its size.')
  const wide = read(Number(tail.readBigUInt64LE(end - 12)), 56)
  if (wide.readUInt32LE(0) !== 0x06064b50) broken('The ZIP file does not give its size.')
  return {
    count: Number(wide.readBigUInt64LE(32)),
    length: Number(wide.readBigUInt64LE(40)),
    from: Number(wide.readBigUInt64LE(48)),
  }
}

function readMember(directory, at) {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) broken('The ZIP file is damaged.')
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
  const name = directory.subarray(at + 46, at + 46 + nameLength).toString()
  const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
  const narrow = [24, 20, 42].map((field) => directory.readUInt32LE(at + field))
  const [bytes, packed, from] = widen(name, narrow, extra)
  const method = directory.readUInt16LE(at + 10)
  if (method !== 0 && method !== 8) broken(`'${name}' is compressed in a way that not every ZIP program can read.`)
  return { name, bytes, packed, from, method, next: at + 46 + nameLength + extraLength + commentLength }
}

/** Fields that are full stand in the extra field of 64 bits, in this order. */
function widen(name, narrow, extra) {
  if (!narrow.includes(0xffffffff)) return narrow
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return narrow.map((value) => {
    if (value !== 0xffffffff) return value
    if (at + 8 > extra.length) broken(`'${name}' does not give its size.`)
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

/** Where the content of a file begins. */
function startOf(read, from) {
  const local = read(from, 30)
  if (local.readUInt32LE(0) !== 0x04034b50) broken('The ZIP file is damaged.')
  return from + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
}

/** The content of a small file. A log has thousands of them: a stream for each would take most of the time and memory. */
function readWhole(read, { name, bytes, packed, from, method }) {
  if (packed === 0) return Buffer.alloc(0)
  const raw = read(startOf(read, from), packed)
  const content = method === 8 ? unpacked(raw, { name, bytes }) : raw
  return content.length === bytes ? content : broken(`'${name}' is not the size that the ZIP file gives.`)
}

function unpacked(raw, { name, bytes }) {
  try {
    return inflateRawSync(raw, { maxOutputLength: bytes + 1 })
  } catch (error) {
    return broken(
      error.code === 'ERR_BUFFER_TOO_LARGE'
        ? `'${name}' is not the size that the ZIP file gives.`
        : `'${name}' cannot be unpacked.`,
    )
  }
}

async function* readContent(path, read, { name, bytes, packed, from, method }) {
  if (packed === 0) return
  const start = startOf(read, from)
  const raw = createReadStream(path, { start, end: start + packed - 1 })
  let count = 0
  for await (const piece of method === 8 ? inflate(raw, name) : raw) {
    count += piece.length
    if (count > bytes) break
    yield piece
  }
  if (count !== bytes) broken(`'${name}' is not the size that the ZIP file gives.`)
}

async function* inflate(raw, name) {
  const inflated = createInflateRaw()
  raw.on('error', (error) => inflated.destroy(error)).pipe(inflated)
  try {
    yield* inflated
  } catch {
    broken(`'${name}' cannot be unpacked.`)
  }
}

class Bundle {
  constructor(files) {
    this.files = files
  }
  names(prefix = '') {
    return [...this.files.keys()].filter((name) => name.startsWith(prefix))
  }
  content(name) {
    return this.files.has(name) ? this.files.get(name).stream() : broken(`The bundle lacks ${name}.`)
  }
  async read(name, most = mostBytes) {
    const { whole } = this.files.get(name) ?? {}
    if (whole) return whole()
    const pieces = []
    let count = 0
    for await (const piece of this.content(name)) {
      count += piece.length
      if (count > most) broken(`${name} is too large.`)
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
  /** Lines without their ends, as many as are read at one time. The last one need not have any. */
  async *lines(name) {
    let rest = Buffer.alloc(0)
    for await (const piece of this.content(name)) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      const lines = []
      let from = 0
      for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
        lines.push(bytes.subarray(from, to))
        from = to + 1
      }
      rest = bytes.subarray(from)
      yield lines
    }
    if (rest.length > 0) yield [rest]
  }
}

// ---- keys and heads

/** Ed25519 of a log, and of a witness (C2SP tlog-cosignature). */
const kinds = { log: 1, witness: 4 }

/** C2SP signed-note: NAME+ID+KEY. */
function readKey(text, kind = kinds.log) {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim())
  const bytes = match && Buffer.from(match[3], 'base64')
  if (bytes?.length !== 33 || bytes[0] !== kind) throw new NotChecked(`This is not a key: ${text.trim()}`)
  const id = sha256(Buffer.concat([Buffer.from(`${match[1]}\n`), bytes])).subarray(0, 4)
  if (id.toString('hex') !== match[2]) throw new NotChecked(`This is not a key: ${text.trim()}`)
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)])
  return { text: text.trim(), name: match[1], id, key: createPublicKey({ key: spki, format: 'der', type: 'spki' }) }
}

/** The text of a signed note, and its signatures: what was signed, by name and bytes. */
function readNote(note) {
  const cut = note.lastIndexOf('\n\n') + 1
  const lines = note.slice(cut + 1).split('\n')
  const signatures = lines
    .map((line) => /^— (\S+) (\S+)$/.exec(line))
    .flatMap((match) => (match ? [{ name: match[1], bytes: Buffer.from(match[2], 'base64') }] : []))
  return { text: note.slice(0, cut), signatures }
}

/** C2SP tlog-checkpoint: the size and root that one of the keys has signed. */
function readCheckpoint(file, note, keys) {
  const { text, signatures } = readNote(note)
  const signer = keys.find((key) => signatures.some((signature) => isSignedBy(key, signature, text)))
  if (!signer) broken(`${file} is not signed by ${keys.length === 1 ? keys[0].text : 'a key of key.txt'}.`)
  const [origin, size, root, extension] = text.split('\n')
  if (!/^[1-9]\d{0,14}$/.test(size)) broken(`${file} is not the head of a record.`)
  return { file, text, signatures, origin, signer, size: Number(size), root, extension }
}

/** The head of a record. From version 2 on it says so. */
function readHead(file, note, keys) {
  const head = readCheckpoint(file, note, keys)
  const prefix = `${head.signer.name}/record/`
  if (!head.origin.startsWith(prefix)) broken(`${file} is not the head of a record.`)
  return { ...head, event: head.origin.slice(prefix.length), isTwo: /^log 2 /.test(head.extension ?? '') }
}

function isSignedBy(key, { name, bytes }, text) {
  if (name !== key.name || !bytes.subarray(0, 4).equals(key.id)) return false
  return verify(null, Buffer.from(text), key.key, bytes.subarray(4))
}

/** C2SP tlog-cosignature: when the witness has signed, in milliseconds. Undefined: it has not. */
function witnessedAt(key, { text, signatures }) {
  for (const { name, bytes } of signatures) {
    if (name !== key.name || bytes.length !== 76 || !bytes.subarray(0, 4).equals(key.id)) continue
    const seconds = bytes.readBigUInt64BE(4)
    const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)
    if (verify(null, message, key.key, bytes.subarray(12))) return Number(seconds) * 1000
  }
}

// ---- the tree

const tilePath = (level, idx, width) => {
  const digits = String(idx).padStart(Math.ceil(String(idx).length / 3) * 3, '0')
  const parts = digits.match(/\d{3}/g).map((part, at, all) => (at < all.length - 1 ? `x${part}` : part))
  return `log/tile/${level}/${parts.join('/')}${width < tileWidth ? `.p/${width}` : ''}`
}

/** The commits of all entries, from log/tile/entries. */
async function readCommits(bundle, size) {
  const commits = Buffer.alloc(size * hashLength)
  for (let idx = 0; idx * tileWidth < size; idx++) {
    const width = Math.min(tileWidth, size - idx * tileWidth)
    const path = tilePath('entries', idx, width)
    const entries = await bundle.read(path)
    if (entries.length !== width * (2 + hashLength)) broken(`${path} is not the size that the head gives.`)
    for (let at = 0; at < width; at++) {
      if (entries.readUInt16BE(at * (2 + hashLength)) !== hashLength) broken(`${path} is not a list of entries.`)
      entries.copy(commits, (idx * tileWidth + at) * hashLength, at * (2 + hashLength) + 2, (at + 1) * (2 + hashLength))
    }
  }
  return commits
}

/** Builds the tree anew. Returns its roots at these sizes. Throws if the tiles of the bundle are not its own. */
async function buildTree(bundle, commits, sizes) {
  const size = commits.length / hashLength
  const tree = new MerkleTree()
  const roots = new Map()
  const full = []
  for (let from = 0; from < size; from += tileWidth) {
    const width = Math.min(tileWidth, size - from)
    const at = (n) => commits.subarray((from + n) * hashLength, (from + n + 1) * hashLength)
    const leaves = Array.from({ length: width }, (_, n) => leafHash(at(n)))
    for (const n of sizes) if (n > from && n <= from + width) roots.set(n, tree.with(leaves.slice(0, n - from)).root())
    const hash = await checkTile(bundle, 0, from / tileWidth, leaves)
    if (!hash) continue
    tree.add(hash, 8)
    full.push(hash)
  }
  await checkUpperTiles(bundle, full)
  return roots
}

/** The root of the first `size` entries. Undefined: there are fewer. */
function rootAt(commits, size) {
  if (size < 1 || size * hashLength > commits.length) return undefined
  const tree = new MerkleTree()
  for (let at = 0; at < size; at++) tree.add(leafHash(commits.subarray(at * hashLength, (at + 1) * hashLength)))
  return tree.root().toString('base64')
}

/** RFC 9162, 2.1.3.2: the root to which the hashes lead from a leaf. Undefined: they are too few or too many. */
function rootOfProof(leaf, index, size, hashes) {
  let [first, last, hash] = [BigInt(index), BigInt(size) - 1n, leaf]
  if (first > last) return undefined
  for (const other of hashes) {
    if (last === 0n) return undefined
    if (first % 2n === 1n || first === last) {
      hash = nodeHash(other, hash)
      while (first % 2n === 0n && first !== 0n) [first, last] = [first / 2n, last / 2n]
    } else hash = nodeHash(hash, other)
    ;[first, last] = [first / 2n, last / 2n]
  }
  return last === 0n ? hash : undefined
}

async function checkUpperTiles(bundle, full) {
  for (let level = 1, below = full; below.length > 0; level++) {
    const above = []
    for (let at = 0; at < below.length; at += tileWidth)
      above.push(await checkTile(bundle, level, at / tileWidth, below.slice(at, at + tileWidth)))
    below = above.filter(Boolean)
  }
}

/** Returns the hash of a full tile. */
async function checkTile(bundle, level, idx, hashes) {
  const path = tilePath(level, idx, hashes.length)
  if (!(await bundle.read(path)).equals(Buffer.concat(hashes))) broken(`${path} does not belong to this log.`)
  return hashes.length === tileWidth ? rootOf(hashes) : undefined
}

// ---- lines

const withheldMark = Buffer.from('{"withheld":')
const isWithheld = (line) => line.subarray(0, withheldMark.length).equals(withheldMark)

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/**
 * Each line of a file against its commit. `onLine` sees lines with their numbers: shown ones, or why they are withheld.
 */
async function checkLines(bundle, { file, commits, words, onLine = () => undefined }) {
  const logged = commits.length / hashLength
  let n = 0
  const check = (line) => {
    n++
    if (n > logged) return
    const told = isWithheld(line) ? (parse(line) ?? {}) : undefined
    const commit = told ? Buffer.from(String(told.commit), 'base64') : sha256(line)
    if (!commit.equals(commits.subarray((n - 1) * hashLength, n * hashLength))) broken(words.entry(n))
    onLine(told ? undefined : line, n, told?.withheld)
  }
  for await (const lines of bundle.lines(file)) lines.forEach(check)
  if (n !== logged) broken(words.count(logged, n))
}

const wordsOfLog = {
  entry: (n) => `Entry ${n} is not what was logged: it, or one before it, was changed, added or removed.`,
  count: (logged, brought) => `The log has ${logged} entries; this bundle has ${brought}.`,
  line: (n) => `Entry ${n}`,
}
const wordsOf = (file) => ({
  entry: (n) => `Line ${n} of ${file} is not what was closed: it, or one before it, was changed, added or removed.`,
  count: (closed, brought) => `${file} was closed with ${closed} lines; this bundle has ${brought}.`,
  line: (n) => `Line ${n} of ${file}`,
})

/** Actions that tell of the log, of other files, or of time. */
const telling = new Set([
  ...['event_ended', 'record_closed', 'record_entry_added', 'log_opened', 'log_form', 'log_moved', 'log_broken'],
  ...['lines_erased', 'people_packed'],
])
const actionMark = Buffer.from('"action":"')

/** False of most lines, without parsing them. */
function mayTell(line) {
  for (let at = line.indexOf(actionMark); at >= 0; at = line.indexOf(actionMark, at + 1)) {
    const from = at + actionMark.length
    if (telling.has(line.toString('latin1', from, line.indexOf(34, from)))) return true
  }
  return false
}
const dayMs = 86_400_000
const laggingMs = 600_000

/** What the journal says. */
class Journal {
  /** The first entry of version 2. */
  formFrom = Number.POSITIVE_INFINITY
  additions = new Map()
  moves = []
  breaks = []
  erasures = []
  packings = []
  lagging = []
  newest = { at: Number.NEGATIVE_INFINITY, n: 0 }
  withheld = new Withheld()

  note(line, n, withheld) {
    if (!line) return this.withheld.add('journal', n, withheld)
    this.noteTime(line, n)
    if (n === 1 && line.includes('"v":2,')) this.formFrom = 1
    if (!mayTell(line)) return
    const { action, after, recorded_at: at } = parse(line) ?? {}
    if (action === 'event_ended') this.endedAt = Date.parse(at)
    if (action === 'record_closed') this.closing = after
    if (action === 'record_entry_added' && after?.commit) this.additions.set(after.commit, n)
    if (action === 'log_opened') this.opening = after
    if (action === 'log_form' && this.formFrom > n) [this.form, this.formFrom] = [{ ...after, n }, n]
    if (action === 'log_moved') this.moves.push({ ...after, n, at })
    if (action === 'log_broken') this.breaks.push({ n, at, ...after })
    if (action === 'lines_erased') this.erasures.push({ n, at, ...after })
    if (action === 'people_packed') this.packings.push({ n, ...after })
  }

  noteTime(line, n) {
    const at = Date.parse(/"recorded_at":"([^"]{20,32})"/.exec(line.toString('latin1'))?.[1] ?? '')
    if (this.newest.at - at > laggingMs) this.lagging.push({ n, after: this.newest.n, ms: this.newest.at - at })
    if (at > this.newest.at) this.newest = { at, n }
  }

  get ended() {
    return this.endedAt ?? (this.closing?.ended ? Date.parse(this.closing.ended) : undefined)
  }
}

/** Lines whose text is not here, by file, with the reason. */
class Withheld {
  files = new Map()
  add(file, n, reason) {
    const lines = this.files.get(file) ?? new Map()
    this.files.set(file, lines.set(n, reason))
  }
  of(file) {
    return this.files.get(file) ?? new Map()
  }
  /** How many lines are withheld for each reason. */
  reasons() {
    const reasons = new Map()
    for (const lines of this.files.values())
      for (const reason of lines.values()) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    return reasons
  }
  get isEmpty() {
    return this.files.size === 0
  }
}

const erasable = ['journal', 'people', 'ends', 'texts', 'messages', 'record', 'entries']
const mostRanges = 1_000_000

/** Ranges of lines in rising order, none in another. Throws if they are none. */
function requireRanges(lines, n) {
  let last = 0
  const isRange = (range) => {
    const [from, to, ...more] = Array.isArray(range) ? range : []
    const isRising = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from > last && to >= from
    last = to
    return isRising && more.length === 0
  }
  if (!Array.isArray(lines) || lines.length > mostRanges || !lines.every(isRange))
    broken(`Entry ${n} does not say which lines were erased.`)
  return lines
}

/** Which lines of which file an entry says are gone. */
function coveringOf({ erasures, form }) {
  const covering = new Map(erasable.map((file) => [file, []]))
  const add = (file, lines, n) => {
    if (!covering.has(file)) broken(`Entry ${n} does not say which lines were erased.`)
    covering.get(file).push(requireRanges(lines, n))
  }
  for (const { file, lines, n } of erasures) add(file, lines, n)
  for (const [file, lines] of Object.entries(form?.missing ?? {})) add(file, lines, form.n)
  return (file, n) => covering.get(file).some((ranges) => isWithin(ranges, n))
}

function isWithin(ranges, n) {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const at = (low + high) >> 1
    if (n < ranges[at][0]) high = at - 1
    else if (n > ranges[at][1]) low = at + 1
    else return true
  }
  return false
}

/** Each withheld line of a log of version 2: an entry says that it was erased, or it is beyond the reader's area. */
function requireCovered(file, withheld, isCovered, words) {
  for (const [n, reason] of withheld.of(file)) {
    if (reason === 'not in your area' || (reason === 'erased' && isCovered(file, n))) continue
    broken(`${words.line(n)} is missing, and no entry says that it was erased.`)
  }
}

/** No erasure came before its day. */
function checkDue(journal, dateOf) {
  for (const { n, at, days, due, count } of journal.erasures) {
    if (days === null || days === undefined) continue
    const dueAt = journal.ended === undefined ? Date.parse(due) : journal.ended + days * dayMs
    if (!(Date.parse(at) >= dueAt)) broken(`Entry ${n} erased ${count} lines before they were due on ${dateOf(dueAt)}.`)
  }
}

// ---- other files

const filesOfOne = ['people', 'texts', 'messages']
const filesOfTwo = ['people', 'ends', 'texts', 'messages', 'record']

/**
 * The data files against what closed them. Returns those that could not be checked, because the entry that closed them is withheld.
 */
async function checkDataFiles(bundle, journal, { isTwo, isCovered, onRecordLine }) {
  const unchecked = new Set()
  const { closing, withheld, form } = journal
  for (const name of isTwo ? filesOfTwo : filesOfOne) {
    const file = `${name}.ndjson`
    const closed = own(closing?.files, name) ?? (name === 'record' ? form?.record : undefined)
    const listed = `log/${name}.commits`
    const commits = bundle.files.has(listed) ? await bundle.read(listed, 1 << 30) : Buffer.alloc(0)
    if (closed && (commits.length !== closed.lines * hashLength || sha256(commits).toString('hex') !== closed.sha256))
      broken(`${listed} is not what was closed.`)
    if (name === 'people') checkPackings(journal, commits)
    const onLine = (line, n, reason) => {
      if (!closed && withheld.isEmpty) broken(`${file} has lines, but no entry of the journal closed them.`)
      if (!closed) unchecked.add(file)
      if (!line) withheld.add(name, n, reason)
      else if (name === 'record') onRecordLine(parse(line) ?? {})
    }
    if (bundle.files.has(file)) await checkLines(bundle, { file, commits, words: wordsOf(file), onLine })
    else if (closed?.lines) broken(`The bundle lacks ${file}.`)
    if (isTwo) requireCovered(name, withheld, isCovered, wordsOf(file))
  }
  return [...unchecked].map((file) => `${file} could not be checked: the entry that closed it is withheld.`)
}

const own = (object, key) => (object && Object.hasOwn(object, key) ? object[key] : undefined)

/** What was packed while the event ran is the beginning of what was closed. */
function checkPackings({ packings }, commits) {
  for (const { n, lines, sha256: digest } of packings)
    if (sha256(commits.subarray(0, lines * hashLength)).toString('hex') !== digest)
      broken(`log/people.commits does not begin with what entry ${n} packed.`)
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
const isListOfElements = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => one === null || typeof one === 'string' || isObject(one))

/** Each field of a record two levels deep, and each element of a list of objects or texts, by its path. */
function recordPaths(record) {
  const split = (path, value) =>
    isListOfElements(value) ? value.map((element, at) => [`${path}/${at}`, element]) : [[path, value]]
  return new Map(
    Object.entries(record).flatMap(([name, value]) =>
      isObject(value) && Object.keys(value).length > 0
        ? Object.entries(value).flatMap(([field, inner]) => split(`${name}/${field}`, inner))
        : split(name, value),
    ),
  )
}

/** record.json against the lines that were closed. Of a withheld line it may say anything: nothing is known of it. */
async function checkRecord(bundle, lines, unknown) {
  if (lines.size + unknown === 0) return
  const { record } = parse(await bundle.read('record.json', 1 << 30)) ?? {}
  const differs = (path) => broken(`record.json does not say what was closed: ${path}.`)
  const said = recordPaths(isObject(record) ? record : {})
  let others = 0
  for (const [path, value] of said) {
    if (!lines.has(path)) others += value === null ? 0 : 1
    else if (!isDeepStrictEqual(value, lines.get(path))) differs(path)
    if (others > unknown) differs(path)
  }
  for (const path of lines.keys()) if (!said.has(path)) differs(path)
}

/**
 * Each addition against its entry in the journal, and each entry against the additions. Tells how many additions could
 * not be checked, because entries of the journal are withheld.
 */
async function checkAdditions(bundle, { additions, withheld }, { isTwo, isCovered }) {
  const brought = new Set()
  const isPartial = withheld.of('journal').size > 0
  let [n, unchecked] = [0, 0]
  const check = (line) => {
    n++
    const told = isWithheld(line) ? (parse(line) ?? {}) : undefined
    const commit = told ? String(told.commit) : sha256(line).toString('base64')
    const entry = additions.get(commit)
    if (entry === undefined && !isPartial) broken(`Addition ${n} is not what was logged.`)
    if (entry === undefined) unchecked++
    if (told) withheld.add('entries', n, told.withheld)
    const isExplained =
      told?.withheld === 'not in your area' || (told?.withheld === 'erased' && isCovered('entries', entry))
    if (isTwo && told && entry !== undefined && !isExplained)
      broken(`Addition ${n} is missing, and no entry says that it was erased.`)
    brought.add(commit)
  }
  for await (const lines of bundle.files.has('entries.ndjson') ? bundle.lines('entries.ndjson') : [])
    lines.forEach(check)
  const missing = [...additions.keys()].filter((commit) => !brought.has(commit)).length
  if (missing > 0) broken(`The log has ${additions.size} additions; this bundle lacks ${missing} of them.`)
  return unchecked ? [`${unchecked} additions could not be checked: their entries are withheld.`] : []
}

/** C2SP tlog-proof: the head is in the log of heads of the server. Returns the checkpoint of that. */
async function checkLogOfHeads(bundle, note, keys) {
  const missing = 'The log head is not in the log of heads.'
  if (!bundle.files.has('log/head.tlog-proof')) broken(missing)
  const proof = String(await bundle.read('log/head.tlog-proof'))
  const cut = proof.indexOf('\n\n')
  const [version, ...rest] = proof.slice(0, cut).split('\n')
  const [, index] = /^index (\d{1,15})$/.exec(rest.find((line) => line.startsWith('index ')) ?? '') ?? []
  const hashes = rest.filter((line) => !/^(index|extra) /.test(line)).map((line) => Buffer.from(line, 'base64'))
  if (version !== 'c2sp.org/tlog-proof@v1' || index === undefined || hashes.some(({ length }) => length !== hashLength))
    broken('log/head.tlog-proof is not a proof.')
  const checkpoint = readCheckpoint('log/head.tlog-proof', proof.slice(cut + 2), keys)
  if (checkpoint.origin !== `${checkpoint.signer.name}/heads`) broken('log/head.tlog-proof is not of a log of heads.')
  const root = rootOfProof(leafHash(sha256(note)), Number(index), checkpoint.size, hashes)
  if (root?.toString('base64') !== checkpoint.root) broken(missing)
  return checkpoint
}

/** manifest.json: the SHA-256 of each file outside log/. */
async function checkManifest(bundle) {
  if (!bundle.files.has('manifest.json')) broken('The bundle lacks manifest.json.')
  const { files = {} } = parse(await bundle.read('manifest.json')) ?? {}
  const found = bundle.names().filter((name) => name !== 'manifest.json' && !name.startsWith('log/'))
  for (const name of new Set([...Object.keys(files), ...found])) {
    if (!Object.hasOwn(files, name)) broken(`${name} is not listed in manifest.json.`)
    const digest = createHash('sha256')
    for await (const piece of bundle.content(name)) digest.update(piece)
    if (digest.digest('hex') !== files[name]) broken(`${name} is not the file that manifest.json names.`)
  }
}

/** A head from a mail or from paper. */
function checkGiven({ size, root }, { commits, moves, dateOf }) {
  if (rootAt(commits, size) === root) return
  const move = moves.find(({ n }) => n <= size)
  if (!move) broken('The given head does not belong to this log.')
  broken(
    `This log continued in another database on ${dateOf(Date.parse(move.at))} from entry ${move.n}; what was published after that is missing.`,
  )
}

// ---- the whole

async function check(path, { key, given, witnesses }) {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new NotChecked(`There is no ${path}.`)
  const bundle = new Bundle(await (found.isDirectory() ? openFolder(path) : openZip(path)))
  const keysHere = bundle.files.has('key.txt')
    ? String(await bundle.read('key.txt'))
        .split('\n')
        .filter(Boolean)
        .map((line) => readKey(line))
    : []
  const keys = key ? [readKey(key)] : keysHere
  if (keys.length === 0) throw new NotChecked('The bundle has no key.txt: give a key with --key.')
  const note = await bundle.read('log/checkpoint')
  const head = readHead('log/checkpoint', String(note), keys)
  const heads = await readHeads(bundle, { head, keys: [...keys, ...keysHere] })

  const commits = await readCommits(bundle, head.size)
  const sizes = new Set([head.size, ...heads.map(({ size }) => size)])
  const roots = await buildTree(bundle, commits, sizes)
  for (const { file, size, root } of [head, ...heads])
    if (roots.get(size)?.toString('base64') !== root) broken(`${file} does not belong to this log.`)

  const journal = new Journal()
  const onLine = (...line) => journal.note(...line)
  await checkLines(bundle, { file: 'journal.ndjson', commits, words: wordsOfLog, onLine })
  const isTwo = head.isTwo || journal.formFrom < Number.POSITIVE_INFINITY
  const dateOf = dates(await zoneOf(bundle))
  const context = { bundle, journal, isTwo, dateOf, head, note, keys: [...keys, ...keysHere], witnesses }
  const { unchecked, witnessed } = await checkRest(context)
  for (const each of given) checkGiven(each, { commits, moves: journal.moves, dateOf })
  const tell = isTwo ? tellTwo : tellOne
  const lines = tell({ ...context, heads, given, unchecked, witnessed, isKeyGiven: Boolean(key) })
  return { lines, journal, commits, head }
}

async function checkRest({ bundle, journal, isTwo, dateOf, head, note, keys, witnesses }) {
  const { withheld } = journal
  if (isTwo && journal.formFrom > head.size) broken('Entry 1 is missing, and no entry says that it was erased.')
  const isCovered = isTwo ? coveringOf(journal) : () => true
  if (isTwo) requireCovered('journal', withheld, isCovered, wordsOfLog)
  if (isTwo) checkDue(journal, dateOf)
  const [broke] = journal.breaks
  if (broke)
    broken(
      `The server found on ${dateOf(Date.parse(broke.at))} that this log no longer continued its head ${broke.size} ${broke.root}.`,
    )
  const lines = new Map()
  const onRecordLine = ({ path, value }) => lines.set(path, value)
  const unchecked = await checkDataFiles(bundle, journal, { isTwo, isCovered, onRecordLine })
  if (isTwo) await checkRecord(bundle, lines, withheld.of('record').size)
  unchecked.push(...(await checkAdditions(bundle, journal, { isTwo, isCovered })))
  const witnessed = []
  if (head.isTwo) {
    const checkpoint = await checkLogOfHeads(bundle, note, keys)
    for (const witness of witnesses) {
      const at = witnessedAt(witness, checkpoint)
      if (at === undefined) broken(`${witness.name} did not sign this log of heads.`)
      witnessed.push(`Witnessed by ${witness.name} on ${dateOf(at)}.`)
    }
  } else if (witnesses.length > 0) broken(`${witnesses[0].name} did not sign this log of heads.`)
  await checkManifest(bundle)
  return { unchecked, witnessed }
}

async function readHeads(bundle, { head, keys }) {
  const heads = []
  for (const file of bundle.names('log/heads/')) {
    const read = readHead(file, String(await bundle.read(file)), keys)
    if (read.event !== head.event || read.size > head.size) broken(`${file} does not belong to this log.`)
    heads.push(read)
  }
  return heads
}

/** The zone of the site, as record.json has it. */
async function zoneOf(bundle) {
  if (!bundle.files.has('record.json')) return 'UTC'
  return parse(await bundle.read('record.json', 1 << 30))?.record?.timezone ?? 'UTC'
}

/** Days of the site, such as '14 Nov 2026'. */
function dates(timeZone) {
  const format = (zone) =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone })
  let days
  try {
    days = format(timeZone)
  } catch {
    days = format('UTC')
  }
  return (ms) => (Number.isFinite(ms) ? days.format(ms) : 'an unknown day')
}

const durationOf = (ms) => {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60]
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const two = (number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(rest)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

const mostTold = 10

function tellTwo({ bundle, journal, dateOf, head, heads, given, unchecked, witnessed, isKeyGiven }) {
  const { closing, opening, form, erasures, moves, lagging, withheld } = journal
  const beyond = withheld.reasons().get('not in your area') ?? 0
  const gone = [...Object.values(form?.missing ?? {})].flat().reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const notChecked = [
    ...(bundle.files.has('record.pdf') ? ['record.pdf'] : []),
    ...(bundle.names('csv/').length > 0 ? ['csv/'] : []),
  ]
  return [
    given.length > 0 ? 'INTACT' : 'INTACT in itself. No log head from outside was compared.',
    ...given.map(({ size }) => `The first ${size} entries are those of the head you gave.`),
    ...(given.length > 0
      ? []
      : [
          "Someone with the server's database and key could have made this bundle. Compare a head from a mail or a print with --head.",
        ]),
    ...witnessed,
    ...erasures.map(
      ({ file, lines, why, days, at, n }) =>
        `Erased: ${countOf(lines)} lines of ${file}, ${why}, ${days === null ? '' : `${days} days, `}on ${dateOf(Date.parse(at))} (entry ${n}).`,
    ),
    ...(form
      ? [`Before entry ${form.n} this log is of version 1: ${gone} lines were already gone, and no entry says why.`]
      : []),
    ...(beyond > 0 ? [`${beyond} lines outside the reader's area.`] : []),
    ...lagging
      .slice(0, mostTold)
      .map(({ n, after, ms }) => `Entry ${n} is dated ${durationOf(ms)} before entry ${after}.`),
    ...moves.flatMap(({ n, at, lost, host }) => [
      host
        ? `This log moved here from ${host} on ${dateOf(Date.parse(at))} and continues with entry ${n}.`
        : `This log continued in another database on ${dateOf(Date.parse(at))} from entry ${n}.`,
      ...(Array.isArray(lost) ? lost.map(([size, root]) => `Its head ${size} ${root} was lost.`) : []),
    ]),
    ...unchecked,
    ...(opening?.previous?.gone
      ? [`Log ${opening.previous.serial} is not here: its head was ${opening.previous.size} ${opening.previous.root}.`]
      : []),
    closing ? `Record ${closing.number} (${closing.kind}), event ${head.event}` : `Event ${head.event}`,
    `${head.size} entries, ${heads.length} earlier and present heads, log head ${head.size} ${head.root}`,
    ...previousOf(closing),
    `Signed by ${head.signer.text}`,
    ...(isKeyGiven ? [] : ['This key came with the bundle. Compare it with the one that was published or mailed.']),
    ...(notChecked.length > 0 ? [`${notChecked.join(' and ')} were not checked.`] : []),
    'This does not prove that what people recorded was true.',
  ]
}

const countOf = (lines) => lines.reduce((sum, [from, to]) => sum + to - from + 1, 0)
const previousOf = (closing) =>
  closing?.previous
    ? [
        `The record before it: Record ${closing.previous.number}, log head ${closing.previous.size} ${closing.previous.root}`,
      ]
    : []

/** A log of version 1: an erased line says so itself, and no entry says why. */
function tellOne({ head, heads, journal, given, unchecked, isKeyGiven }) {
  const { closing, moves, withheld } = journal
  const reasons = [...withheld.reasons()]
  const all = reasons.reduce((sum, [, count]) => sum + count, 0)
  return [
    'INTACT (version 1)',
    closing ? `Record ${closing.number} (${closing.kind}), event ${head.event}` : `Event ${head.event}`,
    `${head.size} entries, ${heads.length} earlier and present heads, log head ${head.size} ${head.root}`,
    ...previousOf(closing),
    ...(all > 0 ? [`${all} withheld (${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')})`] : []),
    ...unchecked,
    ...moves.map(
      ({ n, at }) => `This log continued in another database on ${String(at).slice(0, 10)} from entry ${n}.`,
    ),
    ...given.map(({ size }) => `The given head is the log's first ${size} entries.`),
    `Signed by ${head.signer.text}`,
    ...(isKeyGiven ? [] : ['This key came with the bundle. Compare it with the one that was published or mailed.']),
    'No one has changed, removed, added or reordered an entry since this head was sent out. It does not prove that what people recorded was true.',
  ]
}

/** Each record against the head that the next one names of it. */
function checkChain(checked) {
  const byNumber = new Map(checked.map((one) => [one.journal.closing?.number, one]))
  for (const { journal } of checked) {
    const { number, previous } = journal.closing ?? {}
    const before = previous && byNumber.get(previous.number)
    if (before && rootAt(before.commits, previous.size) !== String(previous.root).replace(/\s/g, ''))
      broken(`Record ${number} names another head of Record ${previous.number}.`)
  }
  const bySerial = new Map(checked.map((one) => [one.journal.opening?.serial, one]))
  for (const { journal } of checked) {
    const { serial, previous } = journal.opening ?? {}
    const before = previous?.root && bySerial.get(previous.serial)
    if (before && rootAt(before.commits, previous.size) !== String(previous.root).replace(/\s/g, ''))
      broken(`Log ${serial} names another head of Log ${previous.serial}.`)
  }
}

function readArguments(words) {
  const options = { given: [], witnesses: [] }
  const paths = []
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '--key') options.key = words[++at] ?? ''
    else if (words[at] === '--head') options.given.push(readGiven(words[++at] ?? ''))
    else if (words[at] === '--witness') options.witnesses.push(readKey(words[++at] ?? '', kinds.witness))
    else paths.push(words[at])
  }
  if (paths.length === 0 || paths.some((path) => path.startsWith('--')) || options.key === '')
    throw new NotChecked(usage)
  return { paths, options }
}

function readGiven(text) {
  const match = /^([1-9]\d{0,14}) ([A-Za-z0-9+/]{43}=)$/.exec(text.trim())
  if (!match) throw new NotChecked(`This is not a head: ${text}\n${usage}`)
  return { size: Number(match[1]), root: match[2] }
}

/** Prints what the work found. The exit code is the worst of all. */
async function told(work) {
  try {
    await work()
  } catch (error) {
    const code = error instanceof Broken ? 1 : 2
    process.exitCode = Math.max(process.exitCode ?? 0, code)
    if (error instanceof Broken) console.log(`BROKEN\n${error.message}`)
    else console.error(error instanceof NotChecked ? error.message : `It could not be checked: ${error.message}`)
  }
}

await told(async () => {
  const { paths, options } = readArguments(process.argv.slice(2))
  const checked = []
  for (const path of paths) {
    if (paths.length > 1) console.log(path)
    await told(async () => {
      const one = await check(path, options)
      checked.push(one)
      for (const line of one.lines) console.log(line)
    })
  }
  checkChain(checked)
})
