import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test as base, expect } from 'vitest'
import {
  closeRecord,
  endedDrill,
  everything,
  runChecker,
  sealWhole,
  signerOf,
  writeBundle,
  writeEntry,
} from '#server/testing/event-log.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { headProves } from '../words.ts'
import { signHead } from './heads.service.ts'
import { additionLine, commitOf, newSalt } from './log-line.ts'
import { openSigner, verifierKey } from './signed-note.ts'

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('record', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  const drill = await endedDrill(server, 8)
  await sealWhole(server, drill.of)
  const early = await signHead(server.db, signerOf(server), drill.of)
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

test('LOG-11 LOG-12 a bundle is INTACT, and the checker tells what of and with which key', async ({ record }) => {
  using bundle = await record.bundle()

  const { code, lines } = await bundle.check('--head', record.head)

  expect([code, lines[0]]).toEqual([0, 'INTACT'])
  expect(lines).toEqual(
    expect.arrayContaining([
      `Record 14 (drill), event ${record.drill.eventUid}`,
      'The record before it: Record 13, log head 4 x',
      `Signed by ${verifierKey(signerOf(record.server))}`,
    ]),
  )
  expect(lines.at(-1)).toBe(headProves)
  expect(lines.some((line) => line.includes('withheld'))).toBe(false)
})

test('LOG-12 an earlier head is proved to be a prefix', async ({ record }) => {
  using bundle = await record.bundle()

  const { code, lines } = await bundle.check('--head', record.early, '--key', verifierKey(signerOf(record.server)))

  expect([code, lines[0]]).toEqual([0, 'INTACT'])
  expect(lines).toContain(`The given head is the log's first ${record.early.split(' ')[0]} entries.`)
})

type Change = (lines: string[], at: number) => unknown
const changes: Record<string, Change> = {
  'a letter changed': (lines, at) => lines.splice(at, 1, (lines[at] as string).replace('"action":"', '"action":"x')),
  'a line out': (lines, at) => lines.splice(at, 1),
  'a line in': (lines, at) => lines.splice(at, 0, lines[0] as string),
  'two lines swapped': (lines, at) => lines.splice(at, 2, lines[at + 1] as string, lines[at] as string),
}
test.for(Object.keys(changes))('LOG-13 with %s the bundle is BROKEN at that entry', async (what, { record }) => {
  using bundle = await record.bundle()
  const lines = bundle.linesOf('journal.ndjson')
  changes[what]?.(lines, 5)
  bundle.write('journal.ndjson', lines)

  expect(await bundle.check()).toMatchObject({ code: 1, lines: ['BROKEN', brokenAt(6)] })
})

test('LOG-13 with the end cut off the bundle is BROKEN, and the checker counts', async ({ record }) => {
  using bundle = await record.bundle()
  bundle.write('journal.ndjson', bundle.linesOf('journal.ndjson').slice(0, -3))

  expect(await bundle.check()).toMatchObject({
    code: 1,
    lines: ['BROKEN', `The log has ${record.size} entries; this bundle has ${record.size - 3}.`],
  })
})

test('LOG-12 LOG-13 with a line of people changed the bundle is BROKEN at that line; so with one out', async ({
  record,
}) => {
  using bundle = await record.bundle()
  const lines = bundle.linesOf('people.ndjson')
  expect(lines.length).toBeGreaterThan(8)
  bundle.write('people.ndjson', lines.with(2, (lines[2] as string).replace('"status":"', '"status":"un')))
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

test('LOG-12 LOG-13 a head that was never of this log is refused, and a bundle of an older head too', async ({
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

test('LOG-12 a head that another key has signed is refused', async ({ record }) => {
  using bundle = await record.bundle()
  const other = openSigner(new Uint8Array(32).fill(3), record.server.config.appUrl)
  const [text = ''] = readFileSync(bundle.path('log/checkpoint'), 'utf8').split(/(?<=\n)\n/)
  writeFileSync(bundle.path('log/checkpoint'), other.sign(text))

  const own = verifierKey(signerOf(record.server))
  expect((await bundle.check('--key', own)).lines).toEqual(['BROKEN', `log/checkpoint is not signed by ${own}.`])
  expect(await bundle.check()).toMatchObject({ code: 1, lines: ['BROKEN', `log/checkpoint is not signed by ${own}.`] })
})

test('LOG-12 a tile, a head, an addition, a file beside the manifest: what was changed is named', async ({
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
  expect(await told('record.json', '{}')).toBe('record.json is not listed in manifest.json.')
  expect((await bundle.check()).code).toBe(0)
})

test('LOG-12 lines beyond the reach are withheld as not in your area, and the rest is INTACT', async ({ record }) => {
  using bundle = await record.bundle((_, { building }) => building === undefined)
  const people = bundle.linesOf('people.ndjson')

  const { code, lines } = await bundle.check()

  expect(code).toBe(0)
  expect(people.every((line) => line.startsWith('{"withheld":"not in your area","commit":"'))).toBe(true)
  const texts = bundle.linesOf('texts.ndjson').length + bundle.linesOf('messages.ndjson').length
  expect(lines).toContain(`${people.length + texts} withheld (not in your area ${people.length + texts})`)
})

test('LOG-11 without a bundle, with a wrong key or a wrong head nothing is checked, and the exit code is 2', async ({
  record,
}) => {
  using bundle = await record.bundle()

  expect(await runChecker()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: node record-check.mjs/) })
  expect(await runChecker('/nowhere')).toMatchObject({ code: 2, lines: [] })
  expect(await bundle.check('--key', 'nonsense')).toMatchObject({ code: 2, stderr: 'This is not a key: nonsense\n' })
  expect(await bundle.check('--head', '5')).toMatchObject({ code: 2, lines: [] })
})
