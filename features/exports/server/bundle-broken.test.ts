/** @module-tag long */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { sha256 } from '#features/log/server/merkle.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { inItself, runChecker } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'

/** The bundle as a folder, with a manifest that fits what was changed: only the log can tell. */
function unpacked(members: ReadonlyMap<string, Buffer>) {
  const at = asFile(Buffer.alloc(0), 'none')
  const folder = join(at.folder, 'bundle')
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  for (const [name, content] of members) write(name, content)
  const change = (name: string, by: (lines: string[]) => string[]) => {
    const lines = by(`${members.get(name)}`.trim().split('\n'))
    write(name, lines.map((line) => `${line}\n`).join(''))
    const { files } = JSON.parse(`${members.get('manifest.json')}`)
    files[name] = sha256(readFileSync(join(folder, name))).toString('hex')
    write('manifest.json', JSON.stringify({ files }))
  }
  return { folder, change, [Symbol.dispose]: at[Symbol.dispose] }
}

const cases: [string, string, (lines: string[]) => string[], RegExp][] = [
  [
    'a letter changed',
    'journal.ndjson',
    ([a = '', b = '', ...rest]) => [a, b.replace('"v":2', '"v":1'), ...rest],
    /^Entry 2 is not/,
  ],
  ['a line out', 'journal.ndjson', ([a = '', , ...rest]) => [a, ...rest], /^Entry 2 is not/],
  ['one in', 'journal.ndjson', ([a = '', ...rest]) => [a, a, ...rest], /^Entry 2 is not/],
  ['two swapped', 'journal.ndjson', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest], /^Entry 2 is not/],
  ['the end cut', 'journal.ndjson', (lines) => lines.slice(0, -1), /^The log has \d+ entries; this bundle has/],
  [
    'a line of people changed',
    'people.ndjson',
    ([a = '', ...rest]) => [a.replace('"v":2', '"v":1'), ...rest],
    /^Line 1 of people/,
  ],
]

/** The checker is a process each time. */
const patience = { timeout: 120_000 }

test(
  'SEAL-12 SEAL-13 an exported bundle is BROKEN at what was changed, even with a manifest that fits',
  patience,
  async ({ server }) => {
    const { eventUid, manager } = await givenRecord(server)
    const members = await unzip((await exported(server, manager, eventUid, 'bundle')).file)

    using whole = unpacked(members)
    expect((await runChecker(whole.folder)).lines).toContain(inItself)
    for (const [what, name, by, expected] of cases) {
      using bundle = unpacked(members)
      bundle.change(name, by)
      const { code, lines } = await runChecker(bundle.folder)
      expect({ what, code, first: lines[0] }).toEqual({ what, code: 1, first: 'BROKEN' })
      expect(lines[1], what).toMatch(expected)
    }
  },
)

test('LOG-15 AAR-02 the bundle of a reader of one building withholds the lines of others, and is INTACT', async ({
  server,
}) => {
  const { eventUid, org } = await givenRecord(server)
  const modules = ['Event_Records'] as const
  const reader = await server.given.warden(org, { role: 'Floor Warden', firstName: 'Reader' })
  await server.db
    .updateTable('wardenRole')
    .set({ modules: [...modules] })
    .where('clientUid', '=', org.clientUid)
    .where('name', '=', 'Floor Warden')
    .execute()
  const call = await server.as(reader)
  const { file } = await exported(server, call, eventUid, 'bundle')
  using zip = asFile(file, 'record.zip')
  const { lines } = await runChecker(zip.path)

  expect(lines[0]).toBe(inItself)
  expect(lines.join('\n')).toMatch(/^\d+ lines outside the reader's area\.$/m)
  expect(`${(await unzip(file)).get('people.ndjson')}`).not.toContain('Chief')
})

const tools = ['unzip', 'python3'].filter((program) => {
  try {
    execFileSync(program, [program === 'unzip' ? '-v' : '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

test.skipIf(tools.length < 2)(
  "AAR-40 other people's programs unpack the bundle and read its spreadsheets",
  async ({ server }) => {
    const { eventUid, manager } = await givenRecord(server)
    using zip = asFile((await exported(server, manager, eventUid, 'bundle')).file, 'record.zip')
    const script = `import csv, io, sys, zipfile
rows = list(csv.reader(io.StringIO(zipfile.ZipFile(sys.argv[1]).read('csv/people.csv').decode('utf-8-sig'), newline='')))
print(len(rows), len(set(map(len, rows))))`

    expect(`${execFileSync('unzip', ['-t', zip.path])}`).toContain('No errors detected')
    expect(`${execFileSync('python3', ['-c', script, zip.path])}`.trim()).toBe('5 1')
  },
)
