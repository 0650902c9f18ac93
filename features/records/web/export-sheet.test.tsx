import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { exportRecord, getExport, type RecordExport } from '#features/exports/calls.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getRecord } from '../calls/records.ts'
import { RecordScreen } from './record-screen.tsx'
import { answerWith, someEvent, someRecord } from './records.fixture.tsx'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const uid = '00000000-0000-4000-8000-0000000000e1'
const file = (more: Partial<RecordExport> = {}): RecordExport => ({ uid, state: 'making', progress: 0, ...more })

async function openSheet() {
  server.answer(getRecord, answerWith(someRecord))
  await renderScreen(<RecordScreen />, { at: `/event/records/${someEvent}` })
  await button('Export').click()
  await expect.element(button('PDF')).toBeVisible()
}

test('AAR-39 AAR-40 AAR-41 a file is asked for with names where needed, its progress is shown, then it is downloaded', async () => {
  let made = file({ progress: 40 })
  server.answer(exportRecord, file())
  server.answer(getExport, () => made)
  await openSheet()
  await expect.element(page.getByRole('radio', { name: 'Where needed' })).toBeChecked()
  await expect.element(button('Spreadsheets (CSV)')).toBeVisible()
  await expectNoAxeViolations()

  await button('Everything, for checking (ZIP)').click()
  await expect.element(page.getByText('Making the file… 40%', { exact: true })).toBeVisible()
  expect(server.received(exportRecord)[0]?.input.body).toEqual({ format: 'bundle', names: 'needed' })
  made = file({ state: 'ready', progress: 100, url: `/api/exports/${uid}?expires=1&signature=x` })
  const download = page.getByRole('link', { name: 'Download' })
  await expect.element(download).toHaveAttribute('href', made.url)

  await page.getByText('None', { exact: true }).click()
  await expect.element(download).not.toBeInTheDocument()
})

test('AAR-41 a file that could not be made is asked for again, and one that is too large says what to do', async () => {
  server.answer(exportRecord, file())
  server.answer(getExport, file({ state: 'failed' }))
  await openSheet()
  await button('PDF').click()
  await expect.element(page.getByText('The file could not be made. Try again.', { exact: true })).toBeVisible()

  server.answer(getExport, file({ uid, state: 'failed', message: 'Too large for this server: use the bundle.' }))
  server.answer(exportRecord, file({ uid: uid.replace('e1', 'e2') }))
  await button('PDF').click()
  await expect.element(page.getByText('Too large for this server: use the bundle.', { exact: true })).toBeVisible()
  expect(new Set(server.received(exportRecord).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
})

test('AAR-41 a server without PDF says that the page prints', async () => {
  server.answer(exportRecord, refused('pdf_unavailable'))
  await openSheet()
  await button('PDF').click()
  await expect.element(page.getByText('PDF is not installed on this server. Use Print.', { exact: true })).toBeVisible()
})
