import { expect, test } from 'vitest'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { addPerson } from '#features/people/calls/people.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import {
  applyUpload,
  checkUpload,
  downloadUploadProblems,
  dropUpload,
  getUpload,
  listUploadProblems,
  listUploads,
  openUpload,
} from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

const people = (rows: string) => `code,first_name,last_name,floor\n${rows}`

test('IMP-04 IMP-07 a check finds the difference with lines and cells, and writes nothing of it', async () => {
  await using at = await openUploading()
  // a reference locks the rows that it names, without another version of them
  const versions = async () => (await rowVersions(at.db)).map((row) => row.replace(/\d+ \d+(?=\(\d+,\d+\)$)/, ''))
  const before = await versions()
  const table = people('P1,Ada,Abara,B1/L1\nP3,Cleo,Cho,B1/L1\nP9,Dan,Diaz,B1/G\n')

  const upload = await at.check({
    'people.csv': table,
    'peeps.csv': 'person,assistance\nP3,Secret help\nP9,Other help\n',
  })

  expect(at.troubles).toEqual([])
  expect(upload).toMatchObject({ state: 'checked', problems: 0, may_apply: true, must_type: null })
  expect(upload.files).toEqual([
    { file: 'people.csv', added: 1, changed: 1, ended: 0, left: 0 },
    { file: 'peeps.csv', added: 1, changed: 1, ended: 0, left: 0 },
  ])
  const rows = await at.changes(upload.uid)
  expect(rows).toContainEqual(
    expect.objectContaining({
      file: 'people.csv',
      kind: 'changed',
      line: 2,
      title: 'P1 Ada Abara',
      cells: [{ column: 'floor', before: 'B1/G', after: 'B1/L1' }],
      places: [
        { code: 'B1/G', name: 'North House - Ground' },
        { code: 'B1/L1', name: 'North House - Level 1' },
      ],
    }),
  )
  expect(rows).toContainEqual(
    expect.objectContaining({
      file: 'peeps.csv',
      kind: 'changed',
      title: 'P3 Cleo Cho',
      cells: [{ column: 'assistance', before: null, after: null }],
    }),
  )
  expect(JSON.stringify(rows)).not.toMatch(/Secret|Other help|Tell in person/)
  expect(await at.changes(upload.uid, { file: 'people.csv', kind: 'added' })).toMatchObject([
    { title: 'P9 Dan Diaz', line: 4 },
  ])
  expect(await versions()).toEqual(before)
})

test('IMP-07 T1 the difference names buildings and floors beside their codes, never those of another organisation', async () => {
  await using at = await openUploading()
  const other = await at.server.given.organisation()
  await rowsOf(at.db, `update building set code = 'B9' where uid = '${other.buildingUid}'`)
  const tables = {
    'buildings.csv': 'site,code,name\nS1,B1,North House\nS1,B9,New House\n',
    'roles.csv': 'code,name,area_domain,modules\nBW,Building Warden,Building,\n',
    'assignments.csv':
      'person,role,site,locations,date_from,date_to\nP1,FLOOR,S1,B1/G;B1/L1,today,today+9\nP3,BW,S1,B1;B9,today,today+9\n',
  }

  const { uid, problems } = await at.check(tables)

  expect(problems).toBe(0)
  const rows = await at.changes(uid, { file: 'assignments.csv', kind: 'added' })
  expect(rows.map(({ title, places }) => [title.slice(0, 2), places])).toEqual([
    [
      'P1',
      [
        { code: 'B1/G', name: 'North House - Ground' },
        { code: 'B1/L1', name: 'North House - Level 1' },
      ],
    ],
    // B9 comes with this upload
    ['P3', [{ code: 'B1', name: 'North House' }]],
  ])
})

test('IMP-04 IMP-17 every bad cell is told by file, line, column and reason: 100 shown, all in the file, nothing to apply', async () => {
  await using at = await openUploading()
  const bad = Array.from({ length: 150 }, (_, n) => `Q${n},Quinn,=Q${n},B1/NO\n`).join('')

  const upload = await at.check({ 'people.csv': people(bad) })

  const shown = await at.call(listUploadProblems, { params: { uid: upload.uid } })
  expect(shown.total).toBe(150)
  expect(shown.problems).toHaveLength(100)
  expect(shown.problems[0]).toEqual({
    file: 'people.csv',
    line: 2,
    column: 'floor',
    reason: "'B1/NO' is not a known floor",
  })
  const file = await at.server.app.inject({
    url: `/api/console/uploads/${upload.uid}/problems/file`,
    headers: { authorization: `Bearer ${at.call.token}` },
  })
  expect(downloadUploadProblems.method).toBe('GET')
  expect(file.body.split('\r\n')).toHaveLength(152)
  expect(upload).toMatchObject({ problems: 150, may_apply: false })
  const apply = at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })
  expect(await refused(apply)).toEqual(['invalid_transition'])
})

test('IMP-01 a part may come again, another kind of file is named and left out, and a missing part is told', async () => {
  await using at = await openUploading()
  const { uid } = await at.call(openUpload, {})
  const [head, tail] = ['code,first_name,last_name\nP9,Dan,', 'Diaz\n']

  await at.send(at.call, uid, 'people.csv', Buffer.from('spoilt'), '2')
  await at.send(at.call, uid, 'people.csv', Buffer.from(tail), '2')
  const body = {
    files: [
      { file: 'people.csv', parts: 2 },
      { file: 'note.txt', parts: 1 },
    ],
    end_missing: false,
  }
  const early = await refused(at.call(checkUpload, { params: { uid }, body }))
  await at.send(at.call, uid, 'people.csv', Buffer.from(head))
  const note = await at.send(at.call, uid, 'note.txt', Buffer.from('x'))
  const sheet = await at.send(at.call, uid, 'people.xlsx', Buffer.from('x'))
  await at.call(checkUpload, { params: { uid }, body })
  await at.work()

  expect(early).toEqual(['invalid_request'])
  expect(note).toMatchObject({ kept: false, reason: 'Not a file of the import format.' })
  expect(sheet).toMatchObject({ kept: false, reason: 'Save it as CSV first.' })
  const upload = await at.call(getUpload, { params: { uid } })
  expect(upload).toMatchObject({ state: 'checked', added: 1, problems: 0 })
  expect(upload.left_out.map(({ file }) => file)).toEqual(['note.txt', 'people.xlsx'])
})

test('IMP-02 organisation.csv may be missing, is of this organisation, and no table has passwords', async () => {
  await using at = await openUploading()

  const upload = await at.check({ 'organisation.csv': 'code,name\nOTHER,Other Ltd\n' })
  const passwords = await at.check({ 'people.csv': 'code,first_name,last_name,password\nP9,Dan,Diaz,evacuate1\n' })

  const problemsOf = async ({ uid }: typeof upload) =>
    (await at.call(listUploadProblems, { params: { uid } })).problems.map(({ reason }) => reason)
  expect(await problemsOf(upload)).toEqual(['organisation.csv belongs to OTHER.'])
  expect(await problemsOf(passwords)).toEqual([
    'Passwords cannot be uploaded here: leave the column out and invite people instead.',
  ])
})

test('IMP-10 IMP-15 applied by the worker: rows, journal and history; the parts are gone', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people('P1,Ada,Abara,B1/L1\nP9,Dan,Diaz,B1/G\n') })

  const applied = await at.apply(upload.uid)

  expect(at.troubles).toEqual([])
  expect(applied).toMatchObject({ state: 'applied', added: 1, changed: 1, notice: null })
  const rows = await rowsOf(
    at.db,
    "select p.code, f.code as floor from person p join floor f on f.uid = p.primary_floor_uid where p.code in ('P1', 'P9') order by 1",
  )
  expect(rows).toEqual([
    { code: 'P1', floor: 'L1' },
    { code: 'P9', floor: 'G' },
  ])
  expect(await rowsOf(at.db, 'select count(*)::int as count from upload_part')).toEqual([{ count: 0 }])
  const audit = await at.call(listAudit, { query: {} })
  expect(audit.rows.map(({ action, who }) => [action, who])).toEqual([
    ['tables_applied', 'Nora Lind'],
    ['person_added', 'Nora Lind'],
    ['person_changed', 'Nora Lind'],
  ])
  const history = await at.call(listUploads, { query: {} })
  expect(history.rows).toMatchObject([{ state: 'applied', by: 'Nora Lind', added: 1, changed: 1, ended: 0 }])
  await at.work()
  expect(await at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })).toEqual({
    state: 'applied',
  })
})

test('IMP-09 a change since the check shows the new difference instead of writing the old one', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people('P1,Ada,Abara,B1/L1\nP2,Ben,Brandt,B1/G\n') })
  await rowsOf(at.db, "update person set first_name = 'Adele' where code = 'P1'")

  const again = await at.apply(upload.uid)

  expect(again).toMatchObject({
    state: 'checked',
    notice: 'The data has changed since the check. Look at the new changes.',
    may_apply: true,
  })
  expect(await rowsOf(at.db, "select first_name from person where code = 'P1'")).toEqual([{ firstName: 'Adele' }])
  const [ada] = await at.changes(upload.uid, { kind: 'changed' })
  expect(ada?.cells.map(({ column }) => column)).toEqual(['first_name', 'floor'])
  expect(await at.apply(upload.uid)).toMatchObject({ state: 'applied', changed: 2 })
})

test('IMP-09 IMP-12 two are never applied at once, and other changes are told how far the first one is', async () => {
  await using at = await openUploading()
  const one = await at.check({ 'people.csv': people('P9,Dan,Diaz,B1/G\n') })
  const other = await at.check({ 'people.csv': people('P8,Eve,Eden,B1/G\n') })
  const apply = ({ uid }: typeof one) => at.call(applyUpload, { params: { uid }, body: { ends: null } })

  const answers = await Promise.allSettled([apply(one), apply(other)])
  const busy = at.call(addPerson, { body: { first_name: 'New', last_name: 'Hand', place: null } })

  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(busy).rejects.toMatchObject({ code: 'busy', message: 'Tables are being applied: 0 of 1.' })
  await Promise.all([at.work(), at.work(), at.work()])
  const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(
    at.db,
    "select count(*)::int as count from person where code in ('P8', 'P9')",
  )
  expect(count).toBe(1)
  await at.call(addPerson, { body: { first_name: 'New', last_name: 'Hand', place: null } })
})

test('IMP-15 dropped, the parts are gone and it is applied no more; after a day the parts go by themselves', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people('P9,Dan,Diaz,B1/G\n') })
  const old = await at.check({ 'people.csv': people('P8,Dan,Diaz,B1/G\n') })
  const { dropOldUploads } = await import('./upload-work.service.ts')
  await rowsOf(at.db, `update upload set created_at = now() - interval '25 hours' where uid = '${old.uid}'`)
  await rowsOf(at.db, `update upload_part set added_at = now() - interval '25 hours' where upload_uid = '${old.uid}'`)

  await dropOldUploads(at.db)
  const left = await rowsOf<{ uploadUid: string }>(at.db, 'select upload_uid from upload_part')
  await at.call(dropUpload, { params: { uid: upload.uid } })

  expect(left).toEqual([{ uploadUid: upload.uid }])
  expect(await rowsOf(at.db, 'select upload_uid from upload_part')).toEqual([])
  expect(await at.call(getUpload, { params: { uid: old.uid } })).toMatchObject({ state: 'dropped' })
  const apply = at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })
  expect(await refused(apply)).toEqual(['invalid_transition'])
})

test('IMP-15 every administrator of the whole organisation sees an upload, one of a group their own alone', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': people('P9,Dan,Diaz,B1/G\n') })
  const [site] = await rowsOf<{ uid: never }>(at.db, 'select uid from site')
  const ofSite = await asAdministrator(
    at.server,
    await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as never }),
  )
  const second = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))

  expect(await second(getUpload, { params: { uid: upload.uid } })).toMatchObject({ by: 'Nora Lind', added: 1 })
  expect(await refused(ofSite(getUpload, { params: { uid: upload.uid } }))).toEqual(['not_found'])
  expect((await ofSite(listUploads, { query: {} })).rows).toEqual([])
})
