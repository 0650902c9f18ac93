import { onlineManager } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listDocuments } from '../calls/assignments.ts'
import { DocumentsScreen } from './documents-screen.tsx'

const asked = '00000000-0000-4000-8000-00000000d001'
const signed = (signature: string) => `https://evac.test/api/documents/d1?expires=1&signature=${signature}`
const documents = [
  { Document_Name: 'Emergency plan', Document_S3_Link: 'https://files.harbour.test/plan.pdf' },
  { Document_Name: 'Floor map', Document_S3_Link: signed('one') },
]

const server = serverForEachTest()
beforeEach(() => {
  server.answer(listDocuments, { documents })
})

const show = () =>
  renderScreen(<DocumentsScreen />, { at: `/documents/${asked}`, route: '/documents/:wardenAssignmentUID' })
const names = () =>
  page
    .getByRole('link')
    .elements()
    .map((link) => link.textContent)

test('DOCS-01 DOCS-04 lists the names of the documents of the assignment in the address', async () => {
  await show()

  await expect.poll(names).toEqual(['Emergency plan', 'Floor map'])
  expect(server.received(listDocuments)[0]?.input.query).toEqual({ wardenAssignmentUID: asked })
})

test.each(['dark', 'light'] as const)('DOCS-02 each name opens its link in a new tab, axe clean, %s', async (theme) => {
  chooseTheme(theme)

  await show()

  for (const { Document_Name, Document_S3_Link } of documents) {
    const link = page.getByRole('link', { name: Document_Name, exact: true })
    await expect.element(link).toHaveAttribute('href', Document_S3_Link)
    await expect.element(link).toHaveAttribute('target', '_blank')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(link.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48)
  }
  await expectNoAxeViolations()
})

test("DOCS-03 with no documents it reads 'No Documents'", async () => {
  server.answer(listDocuments, { documents: [] })

  await show()

  await expect.element(page.getByText('No Documents', { exact: true })).toBeVisible()
  await expectNoAxeViolations()
})

test('UX-71 without signal it says that they were never read', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))

  await show()

  await expect.element(page.getByText('Not on this phone yet. It needs a connection.')).toBeVisible()
  expect(page.getByText('Loading...', { exact: true }).query()).toBeNull()
})

test('DOCS-03 while they are read nothing is claimed', async () => {
  server.answer(listDocuments, () => new Promise(() => undefined))

  await show()

  await expect.element(page.getByText('Loading...', { exact: true })).toBeVisible()
  expect(page.getByText('No Documents').query()).toBeNull()
  await expectNoAxeViolations()
})

test('DOCS-02 a link that does not lead to the web is not drawn (AMB-071)', async () => {
  const trap = { Document_Name: 'Trap', Document_S3_Link: 'javascript:alert(1)' }
  server.answer(listDocuments, { documents: [trap, ...documents] })

  await show()

  await expect.poll(names).toEqual(['Emergency plan', 'Floor map'])
})

test('ERR-06 documents that could not be read can be asked for again', async () => {
  server.answer(listDocuments, cutOff)
  await show()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  await expectNoAxeViolations()
  server.answer(listDocuments, { documents })

  await again.click()

  await expect.poll(names).toEqual(['Emergency plan', 'Floor map'])
})

test('AMB-071 a fresh signature takes the place of the old one under the focus', async () => {
  const screen = await show()
  const link = page.getByRole('link', { name: 'Floor map' })
  await expect.element(link).toBeVisible()
  ;(link.element() as HTMLElement).focus()
  const fresh = documents.map((one, place) => (place ? { ...one, Document_S3_Link: signed('two') } : one))
  server.answer(listDocuments, { documents: fresh })

  await screen.queryClient.refetchQueries()

  await expect.element(link).toHaveAttribute('href', signed('two'))
  await expect.element(link).toHaveFocus()
})
