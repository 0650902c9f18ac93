#!/usr/bin/env node
// Checks the record of an event: a bundle that Evac exported, as a ZIP file or unpacked. Needs Node 20 or newer and
// nothing else. Writes no file. docs/check-a-record.md says what it proves and what it does not.
//
//   node record-check.mjs BUNDLE.zip|FOLDER [--key KEY] [--head "SIZE ROOT"]
//
// Exit code 0: INTACT. 1: BROKEN. 2: it could not be checked.
import * as crypto from 'node:crypto'
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInflateRaw } from 'node:zlib'

const usage = 'Usage: node record-check.mjs BUNDLE.zip|FOLDER [--key KEY] [--head "SIZE ROOT"]'
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
    files.set(member.name, { stream: () => readContent(path, read, member) })
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

async function* readContent(path, read, { name, bytes, packed, from, method }) {
  if (packed === 0) return
  const local = read(from, 30)
  if (local.readUInt32LE(0) !== 0x04034b50) broken('The ZIP file is damaged.')
  const start = from + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
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
  /** Lines without their ends. The last one need not have any. */
  async *lines(name) {
    let rest = Buffer.alloc(0)
    for await (const piece of this.content(name)) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      let from = 0
      for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
        yield bytes.subarray(from, to)
        from = to + 1
      }
      rest = bytes.subarray(from)
    }
    if (rest.length > 0) yield rest
  }
}

// ---- keys and heads

/** C2SP signed-note: NAME+ID+KEY. */
function readKey(text) {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim())
  const bytes = match && Buffer.from(match[3], 'base64')
  if (bytes?.length !== 33 || bytes[0] !== 1) throw new NotChecked(`This is not a key: ${text.trim()}`)
  const id = sha256(Buffer.concat([Buffer.from(`${match[1]}\n`), bytes])).subarray(0, 4)
  if (id.toString('hex') !== match[2]) throw new NotChecked(`This is not a key: ${text.trim()}`)
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)])
  return { text: text.trim(), name: match[1], id, key: createPublicKey({ key: spki, format: 'der', type: 'spki' }) }
}

/** C2SP tlog-checkpoint: the size and root that one of the keys has signed. */
function readHead(file, note, keys) {
  const cut = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, cut)
  const signer = note
    .slice(cut + 1)
    .split('\n')
    .map((line) => /^— (\S+) (\S+)$/.exec(line))
    .flatMap((match) => keys.filter((key) => match && isSignedBy(key, match, text)))[0]
  if (!signer) broken(`${file} is not signed by ${keys.length === 1 ? keys[0].text : 'a key of key.txt'}.`)
  const [origin, size, root] = text.split('\n')
  const isOfLog = origin.startsWith(`${signer.name}/record/`) && /^[1-9]\d{0,14}$/.test(size)
  if (!isOfLog) broken(`${file} is not the head of a record.`)
  return { file, origin, signer, event: origin.slice(`${signer.name}/record/`.length), size: Number(size), root }
}

function isSignedBy(key, [, name, signature], text) {
  const bytes = Buffer.from(signature, 'base64')
  if (name !== key.name || !bytes.subarray(0, 4).equals(key.id)) return false
  return verify(null, Buffer.from(text), key.key, bytes.subarray(4))
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

/** Lines whose text is not here, by the reason. */
class WithheldLines {
  reasons = new Map()
  count({ withheld }) {
    this.reasons.set(withheld, (this.reasons.get(withheld) ?? 0) + 1)
  }
  told() {
    const all = [...this.reasons.values()].reduce((sum, count) => sum + count, 0)
    const each = [...this.reasons].map(([reason, count]) => `${reason} ${count}`).join(', ')
    return all > 0 ? [`${all} withheld (${each})`] : []
  }
}

const withheldMark = Buffer.from('{"withheld":')

/** The commit of a line. Of a withheld one, what it says. */
function commitOf(line, withheld) {
  if (!line.subarray(0, withheldMark.length).equals(withheldMark)) return sha256(line)
  const told = parse(line)
  if (typeof told?.withheld !== 'string' || typeof told.commit !== 'string') return Buffer.alloc(0)
  withheld.count(told)
  return Buffer.from(told.commit, 'base64')
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Each line against its commit. `onLine` sees those that are not withheld. */
async function checkLines(bundle, { file, commits, words, withheld, onLine = () => undefined }) {
  const logged = commits.length / hashLength
  let n = 0
  for await (const line of bundle.lines(file)) {
    n++
    if (n > logged) continue
    const expected = commits.subarray((n - 1) * hashLength, n * hashLength)
    const text = Buffer.from(line)
    if (!commitOf(text, withheld).equals(expected)) broken(words.entry(n))
    if (!text.subarray(0, withheldMark.length).equals(withheldMark)) onLine(text, n)
  }
  if (n !== logged) broken(words.count(logged, n))
}

const wordsOfLog = {
  entry: (n) => `Entry ${n} is not what was logged: it, or one before it, was changed, added or removed.`,
  count: (logged, brought) => `The log has ${logged} entries; this bundle has ${brought}.`,
}
const wordsOf = (file) => ({
  entry: (n) => `Line ${n} of ${file} is not what was closed: it, or one before it, was changed, added or removed.`,
  count: (closed, brought) => `${file} was closed with ${closed} lines; this bundle has ${brought}.`,
})

const telling = ['record_closed', 'record_entry_added', 'log_moved'].map((action) => `"action":"${action}"`)

/** What the journal says of other files. */
class Journal {
  closing
  additions = new Set()
  moves = []
  isPartial = false
  note(line, n) {
    if (!telling.some((mark) => line.includes(mark))) return
    const { action, after, recorded_at: at } = parse(line) ?? {}
    if (action === 'record_closed') this.closing = after
    if (action === 'record_entry_added' && after?.commit) this.additions.add(after.commit)
    if (action === 'log_moved') this.moves.push({ n, date: String(at).slice(0, 10) })
  }
}

const dataFiles = ['people', 'texts', 'messages']

/**
 * People, texts and messages against the closing. Returns those that could not be checked, because the entry that closed
 * them is withheld.
 */
async function checkDataFiles(bundle, { closing, isPartial }, withheld) {
  const unchecked = new Set()
  for (const name of dataFiles) {
    const file = `${name}.ndjson`
    const closed = closing?.files?.[name]
    const listed = `log/${name}.commits`
    const commits = bundle.files.has(listed) ? await bundle.read(listed, 1 << 30) : Buffer.alloc(0)
    if (closed && (commits.length !== closed.lines * hashLength || sha256(commits).toString('hex') !== closed.sha256))
      broken(`${listed} is not what was closed.`)
    const onLine = () => {
      if (!closed && !isPartial) broken(`${file} has lines, but no entry of the journal closed them.`)
      if (!closed) unchecked.add(file)
    }
    if (bundle.files.has(file)) await checkLines(bundle, { file, commits, words: wordsOf(file), withheld, onLine })
    else if (closed?.lines) broken(`The bundle lacks ${file}.`)
  }
  return [...unchecked].map((file) => `${file} could not be checked: the entry that closed it is withheld.`)
}

/**
 * Each addition against its entry in the journal, and each entry against the additions. Tells how many additions could
 * not be checked, because entries of the journal are withheld.
 */
async function checkAdditions(bundle, journal, withheld) {
  const brought = new Set()
  let [n, unchecked] = [0, 0]
  for await (const line of bundle.files.has('entries.ndjson') ? bundle.lines('entries.ndjson') : []) {
    n++
    const commit = commitOf(Buffer.from(line), withheld).toString('base64')
    const isLogged = journal.additions.has(commit)
    if (!isLogged && !journal.isPartial) broken(`Addition ${n} is not what was logged.`)
    if (!isLogged) unchecked++
    brought.add(commit)
  }
  const missing = [...journal.additions].filter((commit) => !brought.has(commit)).length
  if (missing > 0) broken(`The log has ${journal.additions.size} additions; this bundle lacks ${missing} of them.`)
  return unchecked ? [`${unchecked} additions could not be checked: their entries are withheld.`] : []
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

/** An earlier head, from a mail or from paper. */
function checkGiven({ size, root }, { roots, moves }) {
  if (roots.get(size)?.toString('base64') === root) return
  const move = moves.find(({ n }) => n <= size)
  if (!move) broken('The given head does not belong to this log.')
  broken(
    `This log continued in another database on ${move.date} from entry ${move.n}; what was published after that is missing.`,
  )
}

// ---- the whole

async function check({ path, key, given }) {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new NotChecked(`There is no ${path}.`)
  const bundle = new Bundle(await (found.isDirectory() ? openFolder(path) : openZip(path)))
  const own = bundle.files.has('key.txt')
    ? String(await bundle.read('key.txt'))
        .split('\n')
        .filter(Boolean)
    : []
  const keys = key ? [readKey(key)] : own.map(readKey)
  if (keys.length === 0) throw new NotChecked('The bundle has no key.txt: give a key with --key.')
  const head = readHead('log/checkpoint', String(await bundle.read('log/checkpoint')), keys)
  const heads = await readHeads(bundle, { head, keys: [...keys, ...own.map(readKey)] })

  const commits = await readCommits(bundle, head.size)
  const sizes = new Set([head.size, ...heads.map(({ size }) => size), ...(given ? [given.size] : [])])
  const roots = await buildTree(bundle, commits, sizes)
  for (const { file, size, root } of [head, ...heads])
    if (roots.get(size)?.toString('base64') !== root) broken(`${file} does not belong to this log.`)

  const withheld = new WithheldLines()
  const journal = new Journal()
  const onLine = (line, n) => journal.note(line, n)
  await checkLines(bundle, { file: 'journal.ndjson', commits, words: wordsOfLog, withheld, onLine })
  journal.isPartial = withheld.reasons.size > 0
  if (given) checkGiven(given, { roots, moves: journal.moves })
  const unchecked = [
    ...(await checkDataFiles(bundle, journal, withheld)),
    ...(await checkAdditions(bundle, journal, withheld)),
  ]
  await checkManifest(bundle)
  return tell({ head, heads, journal, withheld, given, unchecked, isKeyGiven: Boolean(key) })
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

function tell({ head, heads, journal, withheld, given, unchecked, isKeyGiven }) {
  const { closing, moves } = journal
  const before = closing?.previous
  return [
    'INTACT',
    ...(closing ? [`Record ${closing.number} (${closing.kind}), event ${head.event}`] : [`Event ${head.event}`]),
    `${head.size} entries, ${heads.length} earlier and present heads, log head ${head.size} ${head.root}`,
    ...(before ? [`The record before it: Record ${before.number}, log head ${before.size} ${before.root}`] : []),
    ...withheld.told(),
    ...unchecked,
    ...moves.map(({ n, date }) => `This log continued in another database on ${date} from entry ${n}.`),
    ...(given ? [`The given head is the log's first ${given.size} entries.`] : []),
    `Signed by ${head.signer.text}`,
    ...(isKeyGiven ? [] : ['This key came with the bundle. Compare it with the one that was published or mailed.']),
    'No one has changed, removed, added or reordered an entry since this head was sent out. It does not prove that what people recorded was true.',
  ]
}

function readArguments(words) {
  const options = {}
  const paths = []
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '--key') options.key = words[++at] ?? ''
    else if (words[at] === '--head') options.given = readGiven(words[++at] ?? '')
    else paths.push(words[at])
  }
  if (paths.length !== 1 || paths[0].startsWith('--') || options.key === '') throw new NotChecked(usage)
  return { path: paths[0], ...options }
}

function readGiven(text) {
  const match = /^([1-9]\d{0,14}) ([A-Za-z0-9+/]{43}=)$/.exec(text.trim())
  if (!match) throw new NotChecked(`This is not a head: ${text}\n${usage}`)
  return { size: Number(match[1]), root: match[2] }
}

try {
  for (const line of await check(readArguments(process.argv.slice(2)))) console.log(line)
} catch (error) {
  process.exitCode = error instanceof Broken ? 1 : 2
  if (error instanceof Broken) console.log(`BROKEN\n${error.message}`)
  else console.error(error instanceof NotChecked ? error.message : `It could not be checked: ${error.message}`)
}
