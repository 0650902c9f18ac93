import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test as base, expect } from 'vitest'
import { stampHeads } from '#features/log/server/heads.service.ts'
import { addToRecord } from '#features/records/calls/additions.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { hasOpenssl, makeAuthority, serveStamps } from '#server/testing/time-stamp-authority.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'
import { isPdfInstalled } from './pdf/pdf-packages.ts'
import { isThere, told } from './pdf/pdf-tools.fixture.ts'

const gopath = '/usr/share/gocode'
const go = '/usr/bin/go'
const hasGo = existsSync(go) && existsSync(`${gopath}/src/golang.org/x/mod/sumdb/tlog`)
/** Folders of Debian's fonts with Chinese letters. */
const chinese = ['/usr/share/fonts/truetype/wqy', '/usr/share/fonts/truetype/arphic'].find(existsSync)
const names = { macron: 'Hēmi Tāmaki', chinese: '王 小明' }

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('bundle', { scope: 'file' }, async ({}, { onCleanup }) => {
  const bundle = await makeBundle()
  onCleanup(() => bundle[Symbol.dispose]())
  return bundle
})

/** The bundle of a drill with these names, on the disk and unpacked. Its head is time-stamped where openssl is there. */
async function makeBundle() {
  await using server = await startTestServer()
  const { org, persons, start, end, warden, manager } = await givenDrilled(server)
  for (const name of Object.values(names)) {
    const [firstName = '', lastName = ''] = name.split(' ')
    await server.given.occupant(org, { firstName, lastName })
  }
  const eventUid = await start()
  const { mark, refuse, clear } = await warden()
  await mark(`${persons[0]}`, 'safe')
  await refuse(`${persons[1]}`)
  await clear()
  await end()
  await writeRecords(server)
  const body = { kind: 'fact', body: { fact: 'weather', value: 'Rain, "heavy"' } } as const
  await manager(addToRecord, { params: { eventUid }, body }, withKey())
  const authority = hasOpenssl ? makeAuthority() : undefined
  if (authority) {
    await using http = await serveStamps(authority.answer)
    await stampHeads(server.db, http, (error) => {
      throw error
    })
  }
  const { file } = await exported(server, manager, eventUid, 'bundle', 'all', chinese)
  const zip = asFile(file, 'record.zip')
  for (const [name, content] of await unzip(file)) {
    mkdirSync(dirname(join(zip.folder, name)), { recursive: true })
    writeFileSync(join(zip.folder, name), content)
  }
  const at = (name: string) => join(zip.folder, name)
  return {
    authority,
    at,
    folder: zip.folder,
    path: zip.path,
    [Symbol.dispose]: () => {
      zip[Symbol.dispose]()
      authority?.[Symbol.dispose]()
    },
  }
}

/** Exporting and Go take a while on a busy machine. */
const patience = { timeout: 180_000 }

test.skipIf(!hasGo)(
  'LOG-03, SEAL-07: the code that checks Go’s checksum database finds an exported log intact, and one flipped bit broken (needs the Debian packages golang-go and golang-golang-x-mod-dev)',
  patience,
  async ({ bundle: { at, folder } }) => {
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: gopath, GOCACHE: at('cache'), GOFLAGS: '' }
    const program = resolve(import.meta.dirname, '../../../check/go/verify.go')
    execFileSync(go, ['build', '-o', at('verify'), program], { env, stdio: 'pipe' })
    const verify = () => told(at('verify'), folder)

    expect(verify()).toMatch(/^INTACT: \d+ entries of [^/]+\/record\/[0-9a-f-]{36}\n$/)
    const tiles = readdirSync(at('log/tile'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(tiles.length).toBeGreaterThan(1)
    for (const path of [...tiles.map(({ parentPath, name }) => join(parentPath, name)), at('log/checkpoint')]) {
      const bytes = readFileSync(path)
      writeFileSync(path, Buffer.from(bytes.with(3, (bytes[3] ?? 0) ^ 1)))
      expect(verify, path).toThrow()
      writeFileSync(path, bytes)
    }
    expect(verify()).toContain('INTACT')
  },
)

test.skipIf(!hasOpenssl)(
  'LOG-09: openssl verifies the time stamp of an exported head, and of no other bytes (needs openssl)',
  patience,
  async ({ bundle: { at, authority } }) => {
    const [stamp] = readdirSync(at('log')).filter((name) => name.endsWith('.tsr'))
    const verify = (data: string) =>
      `${authority?.openssl('ts', '-verify', '-in', at(`log/${stamp}`), '-data', data, '-CAfile', 'ca.pem')}`

    expect(verify(at(`log/heads/${stamp?.replace('.tsr', '')}`))).toContain('Verification: OK')
    expect(() => verify(at('README.txt'))).toThrow()
  },
)

test.skipIf(!isThere('unzip'))(
  'AAR-40: unzip finds no fault in a bundle (needs the Debian package unzip)',
  patience,
  async ({ bundle: { path } }) => {
    expect(told('unzip', '-t', path)).toContain('No errors detected')
  },
)

/** Reads each file as a stranger's program would, and prints it as JSON. */
const reader = `
import csv, json, sys
print(json.dumps([list(csv.reader(open(name, encoding="utf-8-sig", newline=""), strict=True)) for name in sys.argv[1:]]))`

test.skipIf(!isThere('python3'))(
  'AAR-40: Python reads the spreadsheets, each with rows of one width, and the names as they were written (needs python3)',
  patience,
  async ({ bundle: { at } }) => {
    const files = readdirSync(at('csv'))
    const read = JSON.parse(told('python3', '-c', reader, ...files.map((name) => at(`csv/${name}`)))) as string[][][]

    expect(files).toHaveLength(6)
    for (const [nth, rows] of read.entries()) expect(new Set(rows.map((row) => row.length)).size, files[nth]).toBe(1)
    const people = read[files.indexOf('people.csv')] ?? []
    for (const name of Object.values(names)) expect(people.map(([first]) => first)).toContain(name)
    expect(JSON.stringify(read[files.indexOf('entries.csv')])).toContain('Rain, \\\\\\"heavy')
  },
)

test.skipIf(!isPdfInstalled() || !['pdftotext', 'pdfinfo', 'qpdf'].every(isThere))(
  'AAR-39, KIND-11: other programs read the PDF of a record: tags, headings, tables, figures that say what they show, DRILL on each page (needs the Debian packages poppler-utils and qpdf)',
  patience,
  async ({ bundle: { at } }) => {
    const pdf = at('record.pdf')
    const structure = told('pdfinfo', '-struct', pdf)
    const pages = told('pdftotext', '-layout', pdf, '-').split('\f').slice(0, -1)

    expect(told('pdfinfo', pdf)).toMatch(/Tagged: +yes/)
    for (const each of ['H1', 'Table', 'Figure']) expect(structure).toContain(each)
    expect(told('qpdf', '--qdf', '--object-streams=disable', pdf, '-')).toContain('/Alt (')
    expect(pages.length).toBeGreaterThan(1)
    for (const [nth, page] of pages.entries()) {
      expect(page).toMatch(/DRILL[\s\S]*Record 1/)
      expect(page).toMatch(new RegExp(`Log head \\d+[\\s\\S]*page ${nth + 1} of ${pages.length}`))
    }
    expect(pages.join('')).toContain(names.macron)
    expect(told('qpdf', '--check', pdf)).toContain('No syntax or stream encoding errors found')
  },
)

test.skipIf(!isPdfInstalled() || !isThere('pdftotext') || !chinese)(
  'AAR-39: pdftotext gives a Chinese name back (needs the Debian packages poppler-utils and fonts-wqy-microhei)',
  patience,
  async ({ bundle: { at } }) => {
    expect(told('pdftotext', at('record.pdf'), '-')).toContain(names.chinese)
  },
)
