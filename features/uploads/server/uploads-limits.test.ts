import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { UploadUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { checkUpload, dropUpload, listUploadProblems, openUpload } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>
const table = 'code,first_name,last_name,floor\nP9,Dan,Diaz,B1/G\n'

async function zipOf(names: readonly string[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const name of names) zip.addBuffer(Buffer.from(name === 'people.csv' ? table : 'x'), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function reasonsOf(at: Uploading, names: readonly string[]) {
  const { uid, left_out } = await at.check({ 'a.zip': await zipOf(names) })
  const { problems } = await at.call(listUploadProblems, { params: { uid } })
  return { reasons: problems.map(({ reason }) => reason), left: left_out.length }
}

test('IMP-01 a person has ten uploads that keep their files, however many are opened at once', async () => {
  await using at = await openUploading()
  const kept: UploadUid[] = []
  const checked = async () => {
    const { uid } = await at.call(openUpload, {}, withKey())
    await at.send(at.call, uid, 'people.csv', Buffer.from(table))
    const files = [{ file: 'people.csv', parts: 1 }]
    await at.call(checkUpload, { params: { uid }, body: { files, end_missing: false } })
    kept.push(uid)
  }
  for (let n = 0; n < 9; n++) await checked()

  const opened = await Promise.allSettled(Array.from({ length: 6 }, () => at.call(openUpload, {}, withKey())))
  const open = await rowsOf(at.db, "select uid from upload where state = 'open'")

  expect(opened.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(open).toHaveLength(1)
  await checked()
  await expect(at.call(openUpload, {}, withKey())).rejects.toMatchObject({
    code: 'invalid_transition',
    message: 'You have 10 uploads that are not applied. Apply or discard one first.',
  })
  await at.work()
  await at.call(dropUpload, { params: { uid: kept[0] as UploadUid } })
  await at.call(openUpload, {}, withKey())
})

test('IMP-01 all uploads of an organisation keep 1.2 GB, of parts that come at once, too; discarding one makes room', async () => {
  await using at = await openUploading()
  const [mb, part] = [2 ** 20, Buffer.alloc(1_000, 'x')]
  const large = await at.check({ 'people.csv': table })
  await rowsOf(at.db, `update upload_part set bytes = ${1_200 * mb - 3_500}`)
  const callers = []
  for (let n = 0; n < 8; n++)
    callers.push(await asAdministrator(at.server, await givenAdministrator(at.server, at.org, { firstName: `N${n}` })))
  const opened = await Promise.all(callers.map(async (call) => ({ call, ...(await call(openUpload, {}, withKey())) })))

  const answers = await Promise.all(opened.map(({ call, uid }) => at.send(call, uid, 'people.csv', part)))
  const refusals = answers.filter(({ status }) => status !== 200)
  await at.call(dropUpload, { params: { uid: large.uid } })
  const [last] = opened
  const room = last && (await at.send(last.call, last.uid, 'floors.csv', part))

  expect(answers.length - refusals.length).toBe(3)
  expect(new Set(refusals.map(({ status, message }) => `${status} ${message}`))).toEqual(
    new Set(['413 The uploads of your organisation hold 1.2 GB together. Apply or discard one first.']),
  )
  expect(room?.status).toBe(200)
})

test('NUM-05 IMP-01 an upload that failed its check makes way for the next and is not counted', async () => {
  await using at = await openUploading()
  const failed: UploadUid[] = []
  for (let n = 0; n < 11; n++) failed.push((await at.check({ 'people.csv': table.replace('B1/G', 'B9/G') })).uid)

  const states = await rowsOf<{ state: string }>(at.db, 'select state from upload order by created_at')
  expect(states.map(({ state }) => state)).toEqual([...Array(10).fill('dropped'), 'checked'])
  const { problems } = await at.call(listUploadProblems, { params: { uid: failed[0] as UploadUid } })
  expect(problems).toHaveLength(1)
})

test('IMP-01 T37 of a zip a hundred files are named and left out, and two thousand are read', async () => {
  await using at = await openUploading()
  const others = (count: number) => Array.from({ length: count }, (_, n) => `note${n}.txt`)

  expect(await reasonsOf(at, ['people.csv', ...others(100)])).toEqual({ reasons: [], left: 100 })
  expect(await reasonsOf(at, ['people.csv', ...others(101)])).toEqual({
    reasons: ['The zip contains more than 100 files that are not tables.'],
    left: 100,
  })
  const many = Array.from({ length: 2_001 }, (_, n) => `documents/note${n}.txt`)
  expect((await reasonsOf(at, many)).reasons).toEqual(['The zip contains more than 2,000 files.'])
  expect(at.troubles).toEqual([])
})

test('IMP-03 ORG-37 ORG-38 settings come in by organisation.csv, save what may delete or cost more', async () => {
  await using at = await openUploading()
  const upload = async (columns: string, cells: string) => {
    const { uid } = await at.check({ 'organisation.csv': `code,name,${columns}\nSMALL,Small Ltd,${cells}\n` })
    const { problems } = await at.call(listUploadProblems, { params: { uid } })
    return { uid, wrong: problems.map(({ column, reason }) => `${column} ${reason}`) }
  }
  await rowsOf(at.db, 'update client set retain_events_days = 400, sms_daily_links = 50')

  const days =
    'retain_messages_days,retain_events_days,retain_audit_days,sms_daily_links,sms_daily_alerts,daily_calls,contact_email'
  expect((await upload(days, '29,500,,40,,,nobody')).wrong).toEqual([
    'contact_email is not an email address',
    'retain_messages_days is not a whole number of 30 or more',
  ])
  expect((await upload(days, '30,399,,51,1,1,o@small.test')).wrong).toEqual([
    'sms_daily_links may be more than the installation allows: change it in Settings',
    'sms_daily_alerts may be more than the installation allows: change it in Settings',
    'daily_calls may be more than the installation allows: change it in Settings',
    'retain_messages_days may delete data: change it in Settings, which first show what would go',
    'retain_events_days may delete data: change it in Settings, which first show what would go',
  ])
  const fine = await upload(days, ',500,,40,,,o@small.test')
  const changes = await at.changes(fine.uid)
  expect(await at.apply(fine.uid)).toMatchObject({ state: 'applied', changed: 1 })

  expect(changes.flatMap(({ cells }) => cells.map((cell) => Object.values(cell).join(' ')))).toEqual([
    'contact_email  o@small.test',
    'sms_daily_links 50 40',
    'retain_events_days 400 500',
  ])
  const stored = 'select contact_email, sms_daily_links, retain_messages_days, retain_events_days from client'
  expect(await rowsOf(at.db, stored)).toEqual([
    { contactEmail: 'o@small.test', smsDailyLinks: 40, retainMessagesDays: null, retainEventsDays: 500 },
  ])
  expect(await rowsOf(at.db, "select after from journal where action = 'settings_changed'")).toEqual([
    { after: { fields: ['contact_email', 'sms_daily_links', 'retain_events_days'] } },
  ])
  await at.undo(fine.uid)
  expect(await rowsOf(at.db, stored)).toEqual([
    { contactEmail: null, smsDailyLinks: 50, retainMessagesDays: null, retainEventsDays: 400 },
  ])
})
