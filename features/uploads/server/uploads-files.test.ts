import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { rowsOf } from '#server/testing/import-test.ts'
import { getTableTemplates, getUpload, listUploadProblems } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>
const table = 'code,first_name,last_name,floor\nP9,Dan,Diaz,B1/G\n'

async function zipOf(files: [string, string | Buffer][]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** The same archive with another name of the same length in it. */
const renamed = (zip: Buffer, from: string, to: string) =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

async function reasonsOf(at: Uploading, files: Record<string, string | Buffer>) {
  const { uid } = await at.check(files)
  const { problems } = await at.call(listUploadProblems, { params: { uid } })
  return problems.map(({ reason }) => reason)
}

test('NUM-05 IMP-18 the zip of the templates can be uploaded as it is, and changes nothing', async () => {
  await using at = await openUploading()
  const { content } = await at.call(getTableTemplates, {})

  const upload = await at.check({ 'templates.zip': Buffer.from(content, 'base64') })

  expect(upload).toMatchObject({ state: 'checked', problems: 0, files: [], may_apply: false })
})

test('IMP-01 T37 a zip with paths, a file twice, another zip or no zip at all is read as far as it is one', async () => {
  await using at = await openUploading()
  const climbing = renamed(await zipOf([['aaapeople.csv', table]]), 'aaapeople.csv', '../people.csv')
  const twice = renamed(
    await zipOf([
      ['people.csv', table],
      ['peopla.csv', table],
    ]),
    'peopla.csv',
    'people.csv',
  )

  expect(await reasonsOf(at, { 'a.zip': climbing })).toEqual(['The zip contains a path: ../people.csv.'])
  expect(await reasonsOf(at, { 'a.zip': await zipOf([['export/people.csv', table]]) })).toEqual([
    'The zip contains a path: export/people.csv.',
  ])
  expect(await reasonsOf(at, { 'a.zip': twice })).toEqual(['The zip contains people.csv twice.'])
  expect(await reasonsOf(at, { 'a.zip': Buffer.from('no zip') })).toEqual(['The zip cannot be read.'])
  const nested = await at.check({
    'a.zip': await zipOf([
      ['people.csv', table],
      ['b.zip', await zipOf([['roles.csv', 'x']])],
      ['evil.exe', 'x'],
      ['documents/fake.pdf', '\u0000\u0001'],
    ]),
  })
  expect(nested).toMatchObject({ state: 'checked', problems: 0, added: 1 })
  expect(nested.left_out).toEqual([
    { file: 'b.zip', reason: 'A zip inside a zip cannot be read.' },
    { file: 'evil.exe', reason: 'Not a file of the import format.' },
    { file: 'documents/fake.pdf', reason: 'This is not a PDF, picture or office document.' },
  ])
  expect(at.troubles).toEqual([])
})

test('IMP-01 T37 a zip that holds more than 600 MB is given up, whatever it says of its size', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  await using at = await openUploading()
  const zeros = Buffer.alloc(301 * 1024 * 1024)

  const zip = await zipOf([
    ['people.csv', zeros],
    ['roles.csv', zeros],
  ])

  expect(zip.length).toBeLessThan(2 * 1024 * 1024)
  expect(await reasonsOf(at, { 'bomb.zip': zip })).toEqual(['The zip contains more than 600 MB.'])
})

test('IMP-06 semicolons, tabs, Windows text and line ends are read; a spreadsheet and a huge row are errors', async () => {
  await using at = await openUploading()
  const windows = Buffer.from('code;first_name;last_name;floor\r\nP9;Zo\u00eb;N\u00fa\u00f1ez;B1/G\r\n', 'latin1')

  const upload = await at.check({
    'people.csv': windows,
    'event_types.csv': '\ufeffcode\ttype\nGAS\tGas\n',
    'peeps.csv': Buffer.from('person,assistance\nP3,Secr\u00e8te\n', 'latin1'),
  })
  const reasons = [
    ...(await reasonsOf(at, { 'people.csv': await zipOf([['xl/workbook.xml', 'x']]) })),
    ...(await reasonsOf(at, { 'people.csv': `code,first_name,last_name\nP9,${'x'.repeat(1_000_000)},Diaz\n` })),
    ...(await reasonsOf(at, { 'people.csv': `code,${'x,'.repeat(10_000)}first_name\n` })),
  ]

  expect(upload).toMatchObject({ problems: 0, added: 2 })
  expect(upload.windows).toEqual([
    { file: 'people.csv', samples: ['Zo\u00eb', 'N\u00fa\u00f1ez'] },
    { file: 'peeps.csv', samples: [] },
  ])
  await at.apply(upload.uid)
  expect(await rowsOf(at.db, "select first_name from person where code = 'P9'")).toEqual([{ firstName: 'Zo\u00eb' }])
  expect(reasons).toEqual([
    'is a spreadsheet: Save it as CSV first.',
    expect.stringContaining('a row is longer than 100,000 characters'),
    expect.stringContaining('names 10002 columns'),
  ])
})

test('IMP-01 IMP-16 the zip of an export brings in what has changed since, its documents with it', {
  timeout: 120_000,
}, async () => {
  await using at = await openUploading({
    'documents.csv': 'code,name,url,file,site,role,person\nD1,Plan,,plan.pdf,S1,,\n',
    'plan.pdf': '%PDF-1.7\n',
  })
  const { link } = await at.archives.ask(at.call)
  const { rawPayload } = await at.archives.open(link)
  const same = await at.check({ 'organisation.zip': rawPayload })
  await rowsOf(at.db, "update person set first_name = 'Adele' where code = 'P1'")

  const upload = await at.check({ 'organisation.zip': rawPayload })

  expect(same).toMatchObject({ problems: 0, files: [], left_out: [], may_apply: false })
  expect(upload.files).toEqual([{ file: 'people.csv', added: 0, changed: 1, ended: 0, left: 0 }])
  expect(await at.apply(upload.uid)).toMatchObject({ state: 'applied' })
  expect(await rowsOf(at.db, "select first_name from person where code = 'P1'")).toEqual([{ firstName: 'Ada' }])
})

test('IMP-07 T21 the text of a plan stands in no table but the plan and, until it is applied, its part', async () => {
  await using at = await openUploading()
  const canary = 'PEEP-CANARY'
  const bad = `person,assistance,summary,consent_on\nP3,${canary},${canary},${canary}\nNOBODY,${canary},,\n`
  const refusedOne = await at.check({ 'peeps.csv': bad })
  const upload = await at.check({ 'peeps.csv': `person,assistance,summary\nP3,${canary},${canary}\n` })
  const holding = async () => {
    const tables = await rowsOf<{ name: string }>(
      at.db,
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname = 'public' and c.relname not like 'kysely%' order by 1`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const text = 't::text'
      const hex = Buffer.from(canary).toString('hex')
      const [row] = await rowsOf<{ count: number }>(
        at.db,
        `select count(*)::int as count from "${name}" t where ${text} like '%${canary}%' or t::text like '%${hex}%'`,
      )
      if (row && row.count > 0) found.push(name)
    }
    return found
  }

  expect(refusedOne.problems).toBeGreaterThan(0)
  expect(await holding()).toEqual(['upload_part'])
  expect(await at.apply(upload.uid)).toMatchObject({ state: 'applied' })
  const told = JSON.stringify([
    await at.changes(upload.uid),
    await at.call(getUpload, { params: { uid: upload.uid } }),
    await at.call(listUploadProblems, { params: { uid: refusedOne.uid } }),
  ])
  expect(told).not.toContain(canary)
  await rowsOf(at.db, 'delete from upload_part')
  expect(await holding()).toEqual(['peep'])
})
