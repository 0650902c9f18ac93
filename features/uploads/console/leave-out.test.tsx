import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { UploadUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, serveConsole } from '#web/testing/console.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  applyUpload,
  downloadLeftOutRows,
  getUpload,
  listUploadChanges,
  listUploadProblems,
  listUploads,
  type Upload,
} from '../calls.ts'

const server = serverForEachTest()
const uid = '00000000-0000-4000-8000-00000000e001' as UploadUid
const none = { number: 0, of: 40 }
/** 2,999 rows without a wrong cell, and two with one. */
const upload = (over: Partial<Upload> = {}): Upload => ({
  uid,
  kind: 'tables',
  state: 'checked',
  by: 'Nora Lind',
  at: '2026-11-22T23:42:07.000Z',
  problems: 2,
  added: 2999,
  changed: 0,
  ended: 0,
  left: 0,
  left_out: [],
  own_name: null,
  end_missing: false,
  windows: [],
  ends: { people: none, assignments: none },
  must_type: null,
  progress: null,
  notice: null,
  may_apply: true,
  files: [{ file: 'people.csv', added: 2999, changed: 0, ended: 0, left: 0 }],
  without_floor: 0,
  hints: [],
  bad_files: [{ file: 'people.csv', rows: 2, is_kept: true }],
  bad_rows: 2,
  good_rows: 2999,
  applied_at: null,
  undo_until: null,
  undone_at: null,
  ...over,
})
const problems = [
  { file: 'people.csv', line: 1207, column: 'email', reason: 'is not an email address' },
  { file: 'people.csv', line: 2044, column: 'floor', reason: "'B1/NO' is not a known floor" },
]
const open = () => renderScreen(<Console />, { at: `/console/tables/${uid}`, auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listUploads, listPage([upload()]))
  server.answer(listUploadChanges, listPage([]))
  server.answer(listUploadProblems, { problems, total: 2 })
})

afterEach(() => page.viewport(390, 844))

test('IMP-53 IMP-54 the good rows are brought in once it is confirmed how many are left out, and these are downloaded', async () => {
  let state = upload()
  server.answer(getUpload, () => state)
  server.answer(applyUpload, () => {
    state = upload({ state: 'applied', may_apply: false })
    return { state: 'applied' as const }
  })
  server.answer(downloadLeftOutRows, 'left_out_because,code\r\n')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  await open()

  await expect.element(page.getByText(/^2 cells are wrong, in 2 rows. Nothing has been written./)).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '2,999', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: 'Download the errors' }).query()).toBeNull()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Bring in the 2,999 good rows' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave out 2 rows?' })
  await expect.element(dialog.getByText(/^This brings in 2,999 good rows and leaves out 2 rows./)).toBeVisible()
  expect(server.received(applyUpload)).toEqual([])
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Bring in the 2,999 good rows' }).click()

  await expect.element(page.getByText(/^2 rows were left out./)).toBeVisible()
  expect(server.received(applyUpload)[0]?.input.body).toEqual({ ends: null, leave_out: 2 })
  await page.getByRole('button', { name: 'Download 2 rows of people.csv' }).click()
  await expect.poll(() => saved).toEqual(['people.csv'])
  expect(server.received(downloadLeftOutRows)[0]?.url).toContain(`/uploads/${uid}/left-out/people.csv`)
  vi.restoreAllMocks()
})

test('IMP-53 IMP-08 many ends ask for their number in the same dialog', async () => {
  server.answer(getUpload, upload({ must_type: 30, ends: { people: { number: 30, of: 61 }, assignments: none } }))
  server.answer(applyUpload, { state: 'applying' })
  await open()
  await page.getByRole('button', { name: 'Bring in the 2,999 good rows' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave out 2 rows?' })
  const confirm = dialog.getByRole('button', { name: 'Bring in the 2,999 good rows' })

  await expect.element(confirm).toBeDisabled()
  await dialog.getByLabelText('Type 30 to continue').fill('30')
  await confirm.click()

  await expect.poll(() => server.received(applyUpload)[0]?.input.body).toEqual({ ends: 30, leave_out: 2 })
})

test('IMP-53 where files end who is missing nothing is left out, and the page says so', async () => {
  const kept = { bad_files: [], bad_rows: 0, good_rows: 0, files: [], may_apply: false }
  server.answer(getUpload, upload({ ...kept, end_missing: true }))
  await open()

  await expect.element(page.getByText(/No row can be left out while people and assignments end/)).toBeVisible()
  expect(page.getByRole('button', { name: /Bring in|Apply/ }).query()).toBeNull()
})

test('IMP-54 rows of plans are not offered, and the page says so', async () => {
  const bad_files = [{ file: 'peeps.csv', rows: 1, is_kept: false }]
  server.answer(getUpload, upload({ bad_files, bad_rows: 1, good_rows: 1 }))
  await open()

  await expect.element(page.getByText(/Rows of plans are not kept: correct them in your own file./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Bring in the 1 good row' })).toBeVisible()
  expect(page.getByRole('button', { name: /rows? of peeps.csv/ }).query()).toBeNull()
})

test('IMP-54 the file of a table that a browser has numbered is that table', async () => {
  await renderScreen(<Console />, { at: '/console/tables', auth: null })
  await userEvent.upload(page.getByTestId('files'), [
    new File(['x'], 'floors (1).csv'),
    new File(['x'], 'mine (1).csv'),
  ])

  await expect.element(page.getByText('floors.csv', { exact: true })).toBeVisible()
  await expect.element(page.getByText('mine (1).csv', { exact: true })).toBeVisible()
})

test('NUM-04 the page says on which lines of two numbers only the first is kept', async () => {
  const two = { file: 'people.csv', reason: 'Two numbers: only the first is kept.' }
  server.answer(getUpload, upload({ hints: [{ ...two, rows: 33, lines: [4, 9] }] }))
  await open()

  await expect
    .element(page.getByText('people.csv, lines 4, 9 and 31 more: Two numbers: only the first is kept.'))
    .toBeVisible()
})

test('IMP-55 the page says how many people no event would count, until they are in', async () => {
  let state = upload({ problems: 0, bad_files: [], bad_rows: 0, without_floor: 40 })
  server.answer(getUpload, () => state)
  server.answer(applyUpload, () => {
    state = { ...state, state: 'applied', may_apply: false }
    return { state: 'applied' as const }
  })
  await open()

  const told = page.getByText('40 will have no floor: they are counted in no event.')
  await expect.element(told).toBeVisible()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(told).not.toBeInTheDocument()
})
