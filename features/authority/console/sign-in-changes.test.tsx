import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, personRow, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listSignInChanges } from '../calls.ts'
import { OwnSignInChanges, SignInChanges } from './sign-in-changes.tsx'

const server = serverForEachTest()
const change = (n: number) => ({
  uid: `change ${n}`,
  what: 'address' as const,
  by: 'Ada Admin',
  at: '2026-11-27T03:04:00Z',
})
const none = { changes: [], contact: 'safety@harbour.test' }
const rows = [{ ...change(1), person: { uid: personRow(1).uid, name: 'Kim Lee' } }]
const heading = page.getByRole('heading', { name: 'Sign-in changes' })

beforeEach(async () => {
  await page.viewport(1440, 900)
  localStorage.clear()
  givenConsole('a token')
  serveConsole(server)
})

afterEach(() => page.viewport(390, 844))

test('AUTH-27 each change says of whom, what, by whom and when, and the rest stands in the audit log', async () => {
  server.answer(listSignInChanges, { rows, total: 6, own: none })
  await renderScreen(<SignInChanges mayReadLog />, { at: '/console', auth: null })

  await expect.element(page.getByRole('listitem')).toMatchTextContent(/^Kim Lee: Sign-in address changed/)
  await expect.element(page.getByRole('listitem')).toMatchTextContent(/By Ada Admin, 27 Nov 2026, 14:04 AEDT$/)
  await expect
    .element(page.getByRole('link', { name: 'Kim Lee' }))
    .toHaveAttribute('href', `/console/people/${personRow(1).uid}`)
  await expect.element(page.getByText(/^And 5 older changes: see/)).toBeVisible()
  await expect.element(page.getByText('Of the last 14 days.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'see the audit log' })).toHaveAttribute('href', '/console/audit')
  await expectNoAxeViolations()
  await page.viewport(390, 844)
  await expectNoAxeViolations()
})

test('AUTH-27 an empty list says of which days, and without an answer nothing is said to be empty', async () => {
  server.answer(listSignInChanges, { rows: [], total: 0, own: none })
  const view = await renderScreen(<SignInChanges mayReadLog={false} />, { at: '/console', auth: null })
  await expect.element(page.getByText('None in the last 14 days.')).toBeVisible()
  await view.unmount()

  server.answer(listSignInChanges, refused('unavailable'))
  await renderScreen(<SignInChanges mayReadLog={false} />, { at: '/console', auth: null })
  await expect.element(page.getByText(/^Sign-in changes: /)).toBeVisible()
  expect(heading.query()).toBeNull()
})

test('AUTH-27 the own changes stand above every page until they are closed on this device', async () => {
  let changes = [change(1)]
  server.answer(listSignInChanges, () => ({ rows: [], total: 0, own: { ...none, changes } }))
  const view = await renderScreen(<OwnSignInChanges />, { at: '/console', auth: null })
  const notice = page.getByRole('region', { name: 'Changes to your sign-in' })

  await expect.element(notice).toMatchTextContent(/Your sign-in address was changed. Ada Admin did this at 27 Nov 2026/)
  await expect.element(notice).toMatchTextContent(/If you did not expect it, call safety@harbour.test./)
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(notice).not.toBeInTheDocument()
  await view.unmount()

  changes = [change(2), change(1)]
  await renderScreen(<OwnSignInChanges />, { at: '/console', auth: null })
  await expect.element(notice).toBeVisible()
  expect(notice.getByRole('listitem').elements()).toHaveLength(1)
})
