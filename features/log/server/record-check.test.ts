import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test as base, expect } from 'vitest'
import {
  bundleNow,
  closeRecord,
  endedDrill,
  everything,
  runChecker,
  sealWhole,
  signerOf,
  signingOf,
  writeBundle,
  writeEntry,
} from '#server/testing/event-log.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { signHead } from './heads.service.ts'
import { additionLine, commitOf, newSalt } from './log-line.ts'
import { openSigner, verifierKey } from './signed-note.ts'

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('record', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  const drill = await endedDrill(server, 8)
  await sealWhole(server, drill.of)
  const early = await signHead(signingOf(server), drill.of)
  const previous = { number: 13, size: 4, root: 'x' }
  const addition = additionLine(newSalt(), { kind: 'note', body: { text: 'Doors were open.' } })
  await writeEntry(server.db, drill.of, 'record_entry_added', { commit: commitOf(addition).toString('base64') })
  const { head, size } = await closeRecord(server, drill.of, { number: 14, previous })
  const headText = ({ size: at, root }: { size: number; root: Buffer }) => `${at} ${root.toString('base64')}`
  const bundle = async (isInReach = everything) => {
    const made = await writeBundle(server, drill.of, isInReach)
    made.write('entries.ndjson', [addition])
    return made
  }
  if (!early || !head) throw new Error('no head')
  return { server, drill, early: headText(early), head: headText(head), size, bundle }
})

const brokenAt = (n: number) =>
  `Entry ${n} is not what was logged: it, or one before it, was changed, added or removed.`

test('SEAL-12 SEAL-13 a bundle is INTACT, and the checker tells what of and with which key', async ({ record }) => {
  using bundle = await record.bundle()

  const { code, lines } = await bundle.check('--head', record.head)

  expect([code, lines[0]]).toEqual([0, 'INTACT'])
  expect(lines[1]).toBe(`The first ${record.size} entries are those of the head you gave.`)
  expect(lines).toEqual(
    expect.arrayContaining([
      `Record 14 (drill), event ${record.drill.eventUid}`,
      'The record before it: Record 13, log head 4 x',
      `Signed by ${verifierKey(signerOf(record.server))}`,
    ]),
  )
  expect(lines.at(-1)).toBe('This does not prove that what people recorded was true.')
})

test('SEAL-01 SEAL-13 without a head from outside a bundle is intact in itself, no more', async ({ record }) => {
  using bundle = await record.bundle()

  const { code, lines } = await bundle.check()

  expect([code, ...lines.slice(0, 2)]).toEqual([
    0,
    'INTACT in itself. No log head from outside was compared.',
    "Someone with the server's database and key could have made this bundle. Compare a head from a mail or a print with --head.",
  ])
})

test('SEAL-13 a line that is gone is BROKEN, whatever stands in its place, unless an entry says that it was erased', async ({
  record,
}) => {
  using bundle = await record.bundle()
  const mark = (line: string | undefined, why: string) =>
    JSON.stringify({ withheld: why, commit: commitOf(line ?? '').toString('base64') })
  const told = async (file: string, at: number, why: string) => {
    const lines = bundle.linesOf(file)
    bundle.write(file, lines.with(at, mark(lines[at], why)))
    const { lines: said } = await bundle.check()
    bundle.write(file, lines)
    return said[1]
  }

  for (const why of ['erased', 'missing', 'retention'])
    expect(await told('journal.ndjson', 5, why)).toBe('Entry 6 is missing, and no entry says that it was erased.')
  expect(await told('people.ndjson', 1, 'erased')).toBe(
    'Line 2 of people.ndjson is missing, and no entry says that it was erased.',
  )
  const [addition] = bundle.linesOf('entries.ndjson')
  bundle.write('entries.ndjson', [mark(addition, 'erased')])
  expect((await bundle.check()).lines[1]).toBe('Addition 1 is missing, and no entry says that it was erased.')
})

test('SEAL-12 record.json is what was closed: a sentence changed, one more, one less', async ({ record }) => {
  using bundle = await record.bundle()
  const told = async (change: (of: { sentences: unknown[] }) => unknown) => {
    const before = readFileSync(bundle.path('record.json'), 'utf8')
    const { record: said } = JSON.parse(before)
    change(said)
    bundle.write('record.json', [JSON.stringify({ record: said })])
    const { lines } = await bundle.check()
    bundle.write('record.json', [before])
    return lines[1]
  }
  const differs = (path: string) => `record.json does not say what was closed: ${path}.`

  expect(await told(({ sentences }) => sentences.splice(0, 1, { number: 1, text: 'It never began.' }))).toBe(
    differs('sentences/0'),
  )
  expect(await told(({ sentences }) => sentences.push({ number: 2, text: 'More.' }))).toBe(differs('sentences/1'))
  expect(await told((said) => Reflect.deleteProperty(said, 'number'))).toBe(differs('number'))
})

test('SEAL-12 an earlier head is proved to be a prefix', async ({ record }) => {
  using bundle = await record.bundle()

  const { code, lines } = await bundle.check('--head', record.early, '--key', verifierKey(signerOf(record.server)))

  expect([code, lines[0]]).toEqual([0, 'INTACT'])
  expect(lines).toContain(`The first ${record.early.split(' ')[0]} entries are those of the head you gave.`)
})

type Change = (lines: string[], at: number) => unknown
const changes: Record<string, Change> = {
  'a letter changed': (lines, at) => lines.splice(at, 1, (lines[at] as string).replace('"action":"', '"action":"x')),
  'a line out': (lines, at) => lines.splice(at, 1),
  'a line in': (lines, at) => lines.splice(at, 0, lines[0] as string),
  'two lines swapped': (lines, at) => lines.splice(at, 2, lines[at + 1] as string, lines[at] as string),
}
test.for(Object.keys(changes))('SEAL-13 with %s the bundle is BROKEN at that entry', async (what, { record }) => {
  using bundle = await record.bundle()
  const lines = bundle.linesOf('journal.ndjson')
  changes[what]?.(lines, 5)
  bundle.write('journal.ndjson', lines)

  expect(await bundle.check()).toMatchObject({ code: 1, lines: ['BROKEN', brokenAt(6)] })
})

test('SEAL-13 with the end cut off the bundle is BROKEN, and the checker counts', async ({ record }) => {
  using bundle = await record.bundle()
  bundle.write('journal.ndjson', bundle.linesOf('journal.ndjson').slice(0, -3))

  expect(await bundle.check()).toMatchObject({
    code: 1,
    lines: ['BROKEN', `The log has ${record.size} entries; this bundle has ${record.size - 3}.`],
  })
})

test('SEAL-12 SEAL-13 with a line of people changed the bundle is BROKEN at that line; so with one out', async ({
  record,
}) => {
  using bundle = await record.bundle()
  const lines = bundle.linesOf('people.ndjson')
  expect(lines.length).toBeGreaterThan(8)
  bundle.write('people.ndjson', lines.with(2, (lines[2] as string).replace('"name" : "', '"name" : "un')))
  const changed = await bundle.check()
  bundle.write('people.ndjson', lines.slice(0, -1))

  expect(changed).toMatchObject({
    code: 1,
    lines: [
      'BROKEN',
      'Line 3 of people.ndjson is not what was closed: it, or one before it, was changed, added or removed.',
    ],
  })
  expect((await bundle.check()).lines).toEqual([
    'BROKEN',
    `people.ndjson was closed with ${lines.length} lines; this bundle has ${lines.length - 1}.`,
  ])
})

test('SEAL-12 SEAL-13 a head that was never of this log is refused, and a bundle of an older head too', async ({
  record,
}) => {
  using bundle = await record.bundle()
  const [size, root] = record.head.split(' ')

  for (const given of [`${size} ${Buffer.alloc(32).toString('base64')}`, `${Number(size) + 1} ${root}`])
    expect(await bundle.check('--head', given)).toMatchObject({
      code: 1,
      lines: ['BROKEN', 'The given head does not belong to this log.'],
    })
})

test('SEAL-12 a head that another key has signed is refused', async ({ record }) => {
  using bundle = await record.bundle()
  const other = openSigner(new Uint8Array(32).fill(3), record.server.config.appUrl)
  const [text = ''] = readFileSync(bundle.path('log/checkpoint'), 'utf8').split(/(?<=\n)\n/)
  writeFileSync(bundle.path('log/checkpoint'), other.sign(text))

  const own = verifierKey(signerOf(record.server))
  expect((await bundle.check('--key', own)).lines).toEqual(['BROKEN', `log/checkpoint is not signed by ${own}.`])
  expect(await bundle.check()).toMatchObject({ code: 1, lines: ['BROKEN', `log/checkpoint is not signed by ${own}.`] })
})

test('SEAL-12 a tile, a head, an addition, a file beside the manifest: what was changed is named', async ({
  record,
}) => {
  using bundle = await record.bundle()
  const told = async (file: string, content: string | Buffer | undefined) => {
    const before = readFileSync(bundle.path(file), { flag: 'a+' })
    if (content === undefined) rmSync(bundle.path(file))
    else writeFileSync(bundle.path(file), content)
    const { lines } = await bundle.check()
    if (before.length > 0) writeFileSync(bundle.path(file), before)
    else rmSync(bundle.path(file))
    return lines[1]
  }
  const [tile, entries] = [`log/tile/0/000.p/${record.size}`, `log/tile/entries/000.p/${record.size}`]
  const flipped = (file: string) => {
    const bytes = readFileSync(bundle.path(file))
    bytes[40] = (bytes[40] ?? 0) ^ 1
    return bytes
  }

  expect(await told(tile, flipped(tile))).toBe(`${tile} does not belong to this log.`)
  expect(await told(entries, flipped(entries))).toBe(`${tile} does not belong to this log.`)
  const early = `log/heads/${record.early.split(' ')[0]}`
  expect(await told(early, readFileSync(bundle.path(early), 'utf8').replace('/record/', '/record/0'))).toMatch(
    /not signed/,
  )
  expect(await told('entries.ndjson', '{"salt":"x"}\n')).toBe('Addition 1 is not what was logged.')
  expect(await told('entries.ndjson', undefined)).toMatch(/lacks/)
  expect(await told('README.txt', 'Read me.')).toBe('README.txt is not listed in manifest.json.')
  expect((await bundle.check()).code).toBe(0)
})

test('SEAL-12 lines beyond the reach are withheld as not in your area, and the rest is INTACT', async ({ record }) => {
  using bundle = await record.bundle((_, { building }) => building === undefined)
  const people = bundle.linesOf('people.ndjson')

  const { code, lines } = await bundle.check()

  expect(code).toBe(0)
  expect(people.every((line) => line.startsWith('{"withheld":"not in your area","commit":"'))).toBe(true)
  const texts = bundle.linesOf('texts.ndjson').length + bundle.linesOf('messages.ndjson').length
  const ends = bundle.linesOf('ends.ndjson').length
  expect(lines).toContain(`${people.length + texts + ends} lines outside the reader's area.`)
})

test('SEAL-04 SEAL-13 an entry that claims huge, overlapping, endless or nameless erasures is BROKEN, and the server goes on', async () => {
  await using server = await startTestServer()
  const claim = (claimed: object) => ({
    file: 'people',
    lines: [[1, 1]],
    count: 1,
    why: 'audit',
    days: null,
    ...claimed,
  })
  const claims: object[] = [
    { lines: [[1, 1e308]] },
    {
      lines: [
        [1, 5],
        [5, 9],
      ],
    },
    { lines: [[9, 1]] },
    { lines: [[0, 1]] },
    { lines: [[1, 2, 3]] },
    { lines: [['1', '2']] },
    { lines: 5 },
    { lines: 'all' },
    { lines: null },
    { file: '__proto__' },
    { file: 'constructor' },
    { file: null },
  ]
  for (const claimed of claims) {
    const { of } = await endedDrill(server, 1)
    await writeEntry(server.db, of, 'lines_erased', claim(claimed))
    using bundle = await bundleNow(server, of)
    const { code, lines } = await bundle.check()
    expect([claimed, code, lines]).toEqual([
      claimed,
      1,
      ['BROKEN', expect.stringMatching(/^Entry \d+ does not say which lines were erased\.$/)],
    ])
  }
})

test('SEAL-12 without a bundle, with a wrong key or a wrong head nothing is checked, and the exit code is 2', async ({
  record,
}) => {
  using bundle = await record.bundle()

  expect(await runChecker()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: node record-check.mjs/) })
  expect(await runChecker('/nowhere')).toMatchObject({ code: 2, lines: [] })
  expect(await bundle.check('--key', 'nonsense')).toMatchObject({ code: 2, stderr: 'This is not a key: nonsense\n' })
  expect(await bundle.check('--head', '5')).toMatchObject({ code: 2, lines: [] })
})
