import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { UploadUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  applyUpload,
  checkUpload,
  dropUpload,
  exportTables,
  getTablesExport,
  getTableTemplates,
  getUpload,
  listUploadChanges,
  listUploadProblems,
  listUploads,
  openUpload,
  storeUploadPart,
  type Upload,
} from '../calls.ts'

const server = serverForEachTest()
const uid = '00000000-0000-4000-8000-00000000e001' as UploadUid
const ends = { people: { number: 0, of: 40 }, assignments: { number: 0, of: 5 } }
const upload = (over: Partial<Upload> = {}): Upload => ({
  uid,
  kind: 'tables',
  undo_until: null,
  undone_at: null,
  state: 'checked',
  by: 'Nora Lind',
  at: '2026-11-22T23:42:07.000Z',
  problems: 0,
  notice: null,
  windows: [],
  ...{
    added: 1,
    changed: 1,
    ended: 0,
    left: 1,
    left_out: [],
    own_name: null,
    end_missing: false,
    ends,
    must_type: null,
  },
  bad_files: [],
  bad_rows: 0,
  good_rows: 2,
  without_floor: 0,
  hints: [],
  files: [{ file: 'people.csv', added: 1, changed: 1, ended: 0, left: 1 }],
  progress: null,
  may_apply: true,
  applied_at: null,
  ...over,
})
const places = [
  { code: 'B1/G', name: 'North House - Ground' },
  { code: 'B1/L1', name: 'North House - Level 1' },
]
const change = { file: 'people.csv', line: 3, places }
const changes = [
  {
    ...change,
    seq: 1,
    kind: 'added' as const,
    title: 'P9 Dan Diaz',
    cells: [
      { column: 'floor', before: null, after: 'B2/G' },
      { column: 'is_client_master', before: null, after: 'no' },
    ],
  },
  {
    ...change,
    seq: 2,
    kind: 'changed' as const,
    title: 'P1 Ada Abara',
    cells: [{ column: 'floor', before: 'B1/G', after: 'B1/L1' }],
  },
  { ...change, seq: 3, kind: 'left' as const, title: 'the person is on duty in a running event', cells: [] },
]
const open = (at: '/console/tables' | `/console/tables/${string}`) => renderScreen(<Console />, { at, auth: null })
const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listUploads, listPage([upload()]))
  server.answer(listUploadChanges, listPage(changes))
})

afterEach(() => page.viewport(390, 844))

test('IMP-01 IMP-08 files are chosen, one is left out again, and the rest is sent in parts and checked', async () => {
  server.answer(openUpload, { uid })
  server.answer(storeUploadPart, { kept: true, reason: null })
  server.answer(checkUpload, { state: 'checking' })
  server.answer(getUpload, upload({ state: 'checking', progress: { stage: 'reading', done: 10, total: 40 } }))
  const screen = await open('/console/tables')
  await expect.element(page.getByText('Drop files here or choose them')).toBeVisible()
  await expectNoAxeViolations()
  const large = new File([new Uint8Array(4 * 1024 * 1024 + 1)], 'people.csv')
  await userEvent.upload(page.getByTestId('files'), [
    large,
    new File(['x'], 'roles.csv'),
    new File(['x'], 'assignments.csv'),
  ])
  await page.getByRole('button', { name: 'Leave out roles.csv' }).click()
  await page.getByRole('checkbox', { name: 'End people and assignments that the files no longer have' }).click()
  await page.getByRole('button', { name: 'Check', exact: true }).click()

  await expect.element(page.getByText('Checking: 10 of 40')).toBeVisible()
  expect(screen.address()).toBe(`/console/tables/${uid}`)
  const parts = server.received(storeUploadPart).map(({ url }) => url.split('/files/')[1])
  expect(parts).toEqual(['people.csv?part=1', 'people.csv?part=2', 'assignments.csv?part=1'])
  expect(server.received(checkUpload)[0]?.input.body).toEqual({
    files: [
      { file: 'people.csv', parts: 2 },
      { file: 'assignments.csv', parts: 1 },
    ],
    end_missing: true,
  })
})

test('IMP-15 the history says what became of each upload; a site is not offered to end who is missing', async () => {
  serveConsole(server, someMe({ reach: { kind: 'site', name: 'Quay' }, rights: ['people', 'tables'] }))
  server.answer(
    listUploads,
    listPage([
      upload({ state: 'applied' }),
      upload({ uid: uid.replace('e001', 'e002') as UploadUid, problems: 2, state: 'checked' }),
    ]),
  )
  await open('/console/tables')

  await expect.element(page.getByRole('cell', { name: '1 added, 1 changed', exact: true })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '2 errors' })).toBeVisible()
  await userEvent.upload(page.getByTestId('files'), [new File(['x'], 'people.csv')])
  await expect.element(page.getByRole('button', { name: 'Check', exact: true })).toBeVisible()
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
})

test('IMP-07 IMP-10 the difference has lines and cells, is filtered, and applied with its counts in a toast', async () => {
  let state: Upload = upload({ left_out: [{ file: 'note.txt', reason: 'Not a file of the import format.' }] })
  server.answer(getUpload, () => state)
  server.answer(applyUpload, () => {
    state = upload({ state: 'applying', progress: { stage: 'writing', done: 1, total: 2 } })
    return { state: 'applying' as const }
  })
  const screen = await open(`/console/tables/${uid}`)
  await expect.element(heading(/Upload of 23 Nov 2026, 10:42 AEDT/)).toBeVisible()
  await expect.element(page.getByText('note.txt: Not a file of the import format.')).toBeVisible()
  await expect
    .element(
      page.getByRole('row', {
        name: 'P1 Ada Abara Changed Floor North House - Ground → North House - Level 1 people.csv, line 3',
      }),
    )
    .toBeVisible()
  // the floor comes with this upload
  await expect.element(page.getByRole('row', { name: 'P9 Dan Diaz Added Floor B2/G people.csv, line 3' })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('combobox', { name: 'Change' }).selectOptions('Ended')
  await expect.poll(() => server.received(listUploadChanges).at(-1)?.input.query).toEqual({ kind: 'ended' })
  expect(screen.address()).toBe(`/console/tables/${uid}?kind=ended`)
  await page.getByRole('button', { name: 'Apply' }).click()

  await expect.element(page.getByText('Applying: 1 of 2')).toBeVisible()
  expect(server.received(applyUpload)[0]?.input.body).toEqual({ ends: null })
  state = upload({ state: 'applied' })
  await expect.element(page.getByText('Applied: 1 added, 1 changed, 0 ended.')).toBeVisible()
})

test('IMP-05 IMP-07 a table with other headings keeps its name, wherever the difference names its file', async () => {
  server.answer(getUpload, upload({ own_name: 'Staff list.csv' }))
  await open(`/console/tables/${uid}`)

  await expect.element(page.getByRole('rowheader', { name: 'Staff list.csv', exact: true })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Staff list.csv, line 3' }).first()).toBeVisible()
  const file = page.getByRole('combobox', { name: 'File' })
  await file.selectOptions('Staff list.csv')
  await expect.poll(() => server.received(listUploadChanges).at(-1)?.input.query).toEqual({ file: 'people.csv' })
  expect(page.getByText('people.csv').query()).toBeNull()
})

test('IMP-01 IMP-06 an upload of which nothing could be read does not say that its rows are there already', async () => {
  const left = { left_out: [{ file: 'staff.csv', reason: 'Not a file of the import format.' }] }
  server.answer(getUpload, upload({ ...left, files: [], added: 0, changed: 0, left: 0, may_apply: false }))
  await open(`/console/tables/${uid}`)

  await expect.element(page.getByText('No file could be read. Nothing was written.')).toBeVisible()
})

test('IMP-08 many ends ask for their number before anything is applied', async () => {
  server.answer(getUpload, upload({ must_type: 30, ends: { ...ends, people: { number: 30, of: 61 } } }))
  server.answer(applyUpload, refused('in_event', 'An event is running at Quay. This can be changed when it has ended.'))
  await open(`/console/tables/${uid}`)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('This ends 30 of 61 people and 0 of 5 assignments.')).toBeVisible()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await dialog.getByLabelText('Type 30 to continue').fill('30')
  await dialog.getByRole('button', { name: 'Apply' }).click()

  await expect.element(dialog.getByText(/^An event is running at Quay\./)).toBeVisible()
  expect(server.received(applyUpload)[0]?.input.body).toEqual({ ends: 30 })
  await expectNoAxeViolations()
})

test('IMP-04 IMP-06 errors stand by file, line and column, without Apply; on a phone without sideways scroll', async () => {
  await page.viewport(320, 640)
  const windows = [{ file: 'people.csv', samples: ['Zoë'] }]
  server.answer(getUpload, upload({ problems: 150, may_apply: false, files: [], windows }))
  const problem = { file: 'people.csv', line: 2, column: 'floor', reason: "'B1/NO' is not a known floor" }
  server.answer(listUploadProblems, { problems: [problem], total: 150 })
  server.answer(dropUpload, { state: 'dropped' })
  const screen = await open(`/console/tables/${uid}`)

  await expect.element(page.getByText("'B1/NO' is not a known floor")).toBeVisible()
  await expect.element(page.getByText('The first 1 of 150.')).toBeVisible()
  await expect.element(page.getByText(/Read as Windows text. Check names with accents. Zoë/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download the errors' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Apply' })).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBe(320)
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => screen.address()).toBe('/console/tables')
})

test('IMP-16 IMP-18 SEND-03 an export is prepared and leaves by a link, again by another; templates leave as a file', async () => {
  const followed: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.download || this.href)
  })
  const links = (n: number) => `https://evac.test/api/console/export/${uid}/${n}?signature=x`
  server.answer(exportTables, { uid })
  server.answer(getTablesExport, { state: 'making', link: null, message: null })
  server.answer(getTableTemplates, { name: 'templates.zip', content: btoa('zip') })
  await open('/console/tables')
  await page.getByRole('button', { name: 'Export everything' }).click()
  await expect.element(page.getByText('Preparing your export.')).toBeVisible()
  expect(followed).toEqual([])
  server.answer(getTablesExport, { state: 'ready', link: links(0), message: null })
  await expect.poll(() => followed).toEqual([links(0)])
  await expect.element(page.getByText(/^Your export is ready for an hour\./)).toBeVisible()
  await expectNoAxeViolations()
  server.answer(getTablesExport, { state: 'ready', link: links(1), message: null })
  await page.getByRole('button', { name: 'Download again' }).click()
  await expect.poll(() => followed).toEqual([links(0), links(1)])
  await page.getByRole('button', { name: 'Download templates' }).click()
  await expect.poll(() => followed.at(-1)).toBe('templates.zip')
  vi.restoreAllMocks()
})

test('SEND-03 an export that failed says why', async () => {
  server.answer(exportTables, { uid })
  server.answer(getTablesExport, {
    state: 'failed',
    link: null,
    message: 'Too large for this server. Ask its operator.',
  })
  await open('/console/tables')
  await page.getByRole('button', { name: 'Export everything' }).click()
  await expect.element(page.getByText('Too large for this server. Ask its operator.')).toBeVisible()
  await expect.element(page.getByText('Preparing your export.')).not.toBeInTheDocument()
})
