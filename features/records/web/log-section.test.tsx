import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getRecord } from '../calls/records.ts'
import { RecordScreen } from './record-screen.tsx'
import { answerWith, someEvent, someHead, someRecord } from './records.fixture.tsx'

const server = serverForEachTest()
const open = () => renderScreen(<RecordScreen />, { at: `/event/records/${someEvent}` })
const log = page.getByRole('region', { name: 'Log', exact: true })
const noMail = log.getByText('No mail server is set up: keep this head somewhere else.', { exact: true })

test('LOG-09 LOG-10 SEAL-12 the log of a record: head, QR code, key, what it proves, and three steps to check it', async () => {
  server.answer(getRecord, answerWith(someRecord))
  await open()

  await expect.element(log.getByText(`Log head 1204 ${someHead.root}`, { exact: true })).toBeVisible()
  await expect.element(log.getByText(`Key ${someHead.key}`, { exact: true })).toBeVisible()
  await expect.element(log.getByRole('img', { name: 'QR code of the log head' })).toBeVisible()
  const sentence =
    'With this head the checker shows later whether an entry up to it was changed, removed, added or reordered. It does not prove that what people recorded was true.'
  await expect.element(log.getByText(sentence, { exact: true })).toBeVisible()
  await expect.element(log.getByRole('heading', { name: 'How to check this record' })).toBeVisible()
  expect(log.getByRole('listitem').elements()).toHaveLength(3)
  await expect
    .element(log.getByRole('link', { name: 'record-check.mjs' }))
    .toHaveAttribute('href', '/api/record/checker')
  await expect.element(log.getByText(/time stamp authority/)).not.toBeInTheDocument()
  await expect.element(noMail).not.toBeInTheDocument()
  document.querySelector<HTMLElement>('.pin-bottom')?.style.setProperty('position', 'static')
  await expectNoAxeViolations()
})

test('LOG-09 a time stamp is told, and without a mail server that the head is to be kept', async () => {
  server.answer(getRecord, answerWith(someRecord, [], { heads: [{ ...someHead, stamped: true }], has_mail: false }))
  await open()

  await expect.element(log.getByText(/time stamp authority/)).toBeVisible()
  await expect.element(noMail).toBeVisible()
})
