import { expect, test } from 'vitest'
import { getNow } from '#features/assignments/calls/waiting.ts'
import { deactivatePerson } from '#features/people/calls/people.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { applyUpload, checkUpload, getUpload, openUpload } from '../calls.ts'
import { workInThread } from './upload-threads.service.ts'
import { openUploading } from './uploads.fixture.ts'

const people = (rows: string) => `code,first_name,last_name,floor\n${rows}`
const many = (count: number, floor = 'B1/G') =>
  Array.from({ length: count }, (_, n) => `M${n},Mira,Many ${n},${floor}\n`).join('')
const assignments = 'person,role,site,locations,date_from,date_to,status\nP1,CHIEF,S1,,2020-01-01,2099-12-31,Accepted\n'
type Uploading = Awaited<ReturnType<typeof openUploading>>

async function countOf(at: Uploading, condition: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(at.db, `select count(*)::int as count from person where ${condition}`)
  return row?.count ?? 0
}

/** A row that the import is to insert: it waits there. */
const rowOf = (code: string) =>
  `insert into person (client_uid, code, first_name, last_name) select uid, '${code}', 'In', 'Between' from client`

test('IMP-10 killed twice, steps go on from the last one, and nothing is done twice', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people(`P3,Cleo,Chow,B1/L1\n${many(6_000)}`) })
  await at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })

  await at.killAt(rowOf('M1000'))
  const afterOne = await countOf(at, "code like 'M%'")
  await at.killAt(rowOf('M3000'))
  const afterTwo = await countOf(at, "code like 'M%'")
  const between = await at.call(getUpload, { params: { uid: upload.uid } })
  await Promise.all([at.work(), at.work()])

  expect(at.troubles).toHaveLength(2)
  expect([afterOne, afterTwo]).toEqual([1_000, 3_000])
  expect(between.state).toBe('applying')
  expect(await at.call(getUpload, { params: { uid: upload.uid } })).toMatchObject({ state: 'applied', added: 6_000 })
  expect(await countOf(at, "code like 'M%'")).toBe(6_000)
  expect(await countOf(at, "last_name = 'Chow'")).toBe(1)
  const told = "select after from journal where action in ('tables_applied', 'person_added')"
  expect(await rowsOf(at.db, told)).toEqual([{ after: { added: 6_000, changed: 1, ended: 0 } }])
})

test('IMP-10 a thread that is told to stop ends at once, and the next one goes on', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people(many(6_000)) })
  await at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })
  const announced: string[] = []
  const threads = {
    system: at.db,
    connection: at.server.database.connection,
    sends: { mails: false, texts: false },
    documents: { dataDir: at.server.config.dataDir, documentsBucket: undefined },
    announce: () => announced.push('announced'),
    onTrouble: (error: unknown) => at.troubles.push(error),
  }
  const stop = new AbortController()

  const held = await at.hold(rowOf('M1000'))
  const stopped = workInThread(threads, stop.signal)
  await held.reached()
  stop.abort()
  await stopped
  await held.release()
  const between = await at.call(getUpload, { params: { uid: upload.uid } })
  await expect
    .poll(() => workInThread(threads, new AbortController().signal).then(() => announced), { timeout: 20_000 })
    .toHaveLength(1)

  expect(between.state).toBe('applying')
  expect(at.troubles).toEqual([])
  expect(await at.call(getUpload, { params: { uid: upload.uid } })).toMatchObject({ state: 'applied', added: 6_000 })
  expect(await countOf(at, "code like 'M%'")).toBe(6_000)
})

test('IMP-08 many ends ask for their number and for a code, and need both files', async () => {
  await using at = await openUploading({
    'people.csv': undefined,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })
  const before = await at.check({ 'people.csv': people(many(60)) })
  await at.apply(before.uid)
  const admin = at.admin.personUid
  await rowsOf(at.db, `update person set active = false where uid <> '${admin}' and code not like 'M%'`)
  const [keep] = await rowsOf<{ code: string }>(at.db, `select code from person where uid = '${admin}'`)
  const table = `code,first_name,last_name,floor,email\n${keep?.code},Nora,Lind,,${at.admin.email}\n${many(30).replaceAll('\n', ',\n')}`
  const header = 'person,role,site,locations,date_from,date_to\n'

  const alone = at.check({ 'people.csv': table }, { endMissing: true })
  expect(await refused(alone)).toEqual(['invalid_request'])
  const upload = await at.check(
    { 'people.csv': table, 'assignments.csv': `${header}M0,FLOOR,S1,B1/G,today,today+9\n` },
    { endMissing: true },
  )
  const stale = await asAdministrator(at.server, at.admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
  const apply = (call: typeof stale, ends: number | null) =>
    call(applyUpload, { params: { uid: upload.uid }, body: { ends } })

  expect(upload).toMatchObject({ must_type: 30, ends: { people: { number: 30, of: 61 } } })
  expect(await refused(apply(stale, 30), apply(at.call, null), apply(at.call, 29))).toEqual([
    ...['confirm_identity', 'invalid_request', 'invalid_request'],
  ])
  expect(await at.apply(upload.uid, 30)).toMatchObject({ state: 'applied', ended: 30 })
  expect(await countOf(at, 'active')).toBe(31)
})

test('ORG-13 ORG-44 the last administrator and a warden on duty are left; their ends wait', async () => {
  await using at = await openUploading()
  await at.startEvent()

  const upload = await at.check(
    {
      'people.csv': people('P3,Cleo,Cho,B1/L1\n'),
      'assignments.csv': 'person,role,site,locations,date_from,date_to\nP3,FLOOR,S1,B1/L1,today,today+9\n',
    },
    { endMissing: true },
  )
  const left = await at.changes(upload.uid, { kind: 'left' })
  const applied = await at.apply(upload.uid)

  expect(left.map(({ title }) => title)).toEqual([
    expect.stringContaining('a missing person is on duty in a running event'),
    'at least one administrator must remain: appoint another one first',
    expect.stringContaining('a person whose assignment is missing is on duty in a running event'),
  ])
  expect(at.troubles).toEqual([])
  expect(applied.state).toBe('applied')
  expect(await countOf(at, "active and code in ('P1', 'P2')")).toBe(1)
  const { waiting } = await at.call(getNow, {})
  expect(waiting.map(({ kind, person }) => `${kind} ${person}`).sort()).toEqual([
    'assignment_end Ada Abara',
    'deactivation Ada Abara',
    'deactivation Nora Lind',
  ])
  expect(await refused(at.call(deactivatePerson, { params: { uid: at.admin.personUid } }))).toEqual(['forbidden'])
})

test('ORG-41 an event keeps back more than 5,000 changes, not fewer; one that starts in the middle keeps nothing back', async () => {
  await using at = await openUploading()
  const large = await at.check({ 'people.csv': people(many(5_001)) })
  const small = await at.check({ 'people.csv': people('P9,Dan,Diaz,B1/G\n') })
  await at.startEvent()
  const kept = at.call(applyUpload, { params: { uid: large.uid }, body: { ends: null } })
  await expect(kept).rejects.toMatchObject({
    code: 'in_event',
    message: 'An event is running at Main Site. This can be changed when it has ended.',
  })
  expect(await at.apply(small.uid)).toMatchObject({ state: 'applied' })
  await rowsOf(at.db, 'update warden_sign_in set on_duty = false, closed_at = now()')
  await rowsOf(at.db, 'update event_building set active = false')
  await rowsOf(at.db, 'update event set ended_at = now()')
  await at.call(applyUpload, { params: { uid: large.uid }, body: { ends: null } })

  const held = await at.hold(rowOf('M1000'))
  const working = at.work()
  await held.reached()
  await at.startEvent()
  await held.release()
  await working

  expect(at.troubles).toEqual([])
  expect(await countOf(at, "code like 'M%'")).toBe(5_001)
})

test('ORG-10 ORG-17 a site brings in its own people and assignments alone, and no sign-in of an administrator', async () => {
  await using at = await openUploading({
    'sites.csv': 'code,name\nS1,Main Site\nS2,Other Site\n',
    'buildings.csv': 'site,code,name\nS1,B1,North House\nS2,B2,South House\n',
    'floors.csv': 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\nB2,G,Ground,0\n',
  })
  const [site] = await rowsOf<{ uid: never }>(at.db, "select uid from site where code = 'S2'")
  const own = await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as never })
  const call = await asAdministrator(at.server, own)

  const upload = await at.check(
    {
      'people.csv': people('N1,New,Hand,B2/G\nN2,New,Hand,B1/G\nP3,Cleo,Cho,B2/G\n'),
      'assignments.csv': assignments,
      'sites.csv': 'code,name\nS9,Ninth\n',
    },
    { by: call },
  )
  const problems = await rowsOf(
    at.db,
    `select file, line, "column" from upload_problem where upload_uid = '${upload.uid}' order by seq`,
  )

  expect(upload.left_out).toEqual([
    { file: 'sites.csv', reason: 'You can upload people.csv and assignments.csv only.' },
  ])
  expect(problems).toEqual([
    { file: 'people.csv', line: 3, column: 'floor' },
    { file: 'people.csv', line: 4, column: 'code' },
    { file: 'assignments.csv', line: 2, column: 'site' },
  ])
  const { uid } = await call(openUpload, {})
  await at.send(call, uid, 'people.csv', Buffer.from(people('N1,New,Hand,B2/G\n')))
  const ending = call(checkUpload, {
    params: { uid },
    body: { files: [{ file: 'people.csv', parts: 1 }], end_missing: true },
  })
  expect(await refused(ending)).toEqual(['forbidden'])
  const fine = await at.check({ 'people.csv': people('N1,New,Hand,B2/G\n') }, { by: call })
  expect(await at.apply(fine.uid, null, call)).toMatchObject({ state: 'applied', added: 1 })
})
