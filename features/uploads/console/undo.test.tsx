import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getNow } from '#features/assignments/calls/waiting.ts'
import type { UploadUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, serveConsole } from '#web/testing/console.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getUpload, listUploadChanges, listUploadProblems, listUploads, type Upload, undoUpload } from '../calls.ts'

const server = serverForEachTest()
const uid = '00000000-0000-4000-8000-00000000e001' as UploadUid
const none = { number: 0, of: 40 }
const upload = (over: Partial<Upload> = {}): Upload => ({
  ...{
    uid,
    kind: 'tables',
    state: 'applied',
    by: 'Nora Lind',
    at: '2026-11-22T23:42:07.000Z',
    problems: 0,
    notice: null,
  },
  ...{
    added: 1,
    changed: 1,
    ended: 0,
    left: 0,
    left_out: [],
    own_name: null,
    end_missing: false,
    windows: [],
    must_type: null,
  },
  bad_files: [],
  bad_rows: 0,
  good_rows: 0,
  without_floor: 0,
  hints: [],
  files: [{ file: 'people.csv', added: 1, changed: 1, ended: 0, left: 0 }],
  ends: { people: none, assignments: none },
  progress: null,
  may_apply: false,
  applied_at: '2026-11-22T23:43:07.000Z',
  undo_until: '2026-11-29T23:43:07.000Z',
  undone_at: null,
  ...over,
})
const open = (at: '/console/tables' | `/console/tables/${string}`) => renderScreen(<Console />, { at, auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(
    listUploads,
    listPage([upload(), upload({ uid: uid.replace('e001', 'e002') as UploadUid, undo_until: null })]),
  )
  server.answer(listUploadChanges, listPage([]))
})

afterEach(() => page.viewport(390, 844))

test('IMP-14 the last upload is undone after a question, and its left rows are listed', async () => {
  let state = upload()
  server.answer(getUpload, () => state)
  server.answer(undoUpload, () => {
    state = upload({ state: 'undoing', undo_until: null, progress: { stage: 'writing', done: 1, total: 2 } })
    return { state: 'undoing' as const }
  })
  const reason = 'P1 Ada Abara: It has been changed since.'
  server.answer(listUploadProblems, { problems: [{ file: 'people.csv', line: 3, column: '', reason }], total: 1 })
  await open(`/console/tables/${uid}`)
  await expect.element(page.getByText('until 30 Nov 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Undo this?' })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Undo' }).click()

  await expect.element(page.getByText('Undoing: 1 of 2')).toBeVisible()
  expect(server.received(undoUpload)).toHaveLength(1)
  state = upload({ state: 'undone', undo_until: null, problems: 1, undone_at: '2026-11-23T00:00:00.000Z' })
  await expect.element(page.getByText('Undone.', { exact: true })).toBeVisible()
  await expect.element(page.getByText('1 row was left as it is. Everything else is as before.')).toBeVisible()
  await expect.element(page.getByText(reason)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('IMP-14 ORG-42 the history has Undo for the last one, which waits while an event runs', async () => {
  const events = [{ uid: uid as never, site: 'Quay', started_at: '2026-11-23T00:00:00.000Z' }]
  server.answer(getNow, { events, waiting: [] })
  await open('/console/tables')

  await expect
    .element(page.getByText('An event is running at Quay. This can be changed when it has ended.'))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await expectNoAxeViolations()
})
