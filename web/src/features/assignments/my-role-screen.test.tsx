import { listDocuments } from '@evac/contract/calls/assignments.ts'
import { getRole } from '@evac/contract/calls/report-in.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '../../lib/theme.ts'
import type { StoredAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff, serverForEachTest } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { reportData, withoutEvent } from '../../testing/report-data.ts'
import { someAssignment } from '../../testing/stored-auth.ts'
import { MyRoleScreen } from './my-role-screen.tsx'

const server = serverForEachTest()
beforeEach(() => {
  server.answer(getRole, reportData())
  server.answer(listDocuments, { documents: [] })
})

const show = (auth: Partial<StoredAuth> = {}) => renderScreen(<MyRoleScreen />, { at: '/me/role', auth })
const shownUnder = (label: string) => page.getByText(label, { exact: true }).element().nextElementSibling?.textContent
const role = page.getByText('Floor Warden', { exact: true })

test('ROLE-01 ROLE-02 ROLE-03 ROLE-04 ROLE-05 ROLE-07 shows role, event, locations and area of the role call', async () => {
  await show()

  await expect.element(role).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Event' })).toBeVisible()
  await expect.element(page.getByText('Fire - Fire in a building', { exact: true })).toBeVisible()
  expect({
    role: shownUnder('Current Role'),
    active: shownUnder('Active Event'),
    locations: shownUnder('Locations'),
    area: shownUnder('My Areas (Floor)'),
  }).toEqual({
    role: 'Floor Warden',
    active: 'Yes',
    locations: 'Harbour Quarter - Tower A, Tower B',
    area: 'Tower A - Level 2, Tower A - Level 3',
  })
})

test('ROLE-02 ROLE-03 ROLE-04 ROLE-05 says so when there is no event, no location and no area', async () => {
  server.answer(getRole, withoutEvent({ locations: [], area: { domain: 'Area', locations: [] } }))

  await show()

  await expect.element(role).toBeVisible()
  await expect.element(page.getByText('NO EVENT', { exact: true })).toBeVisible()
  expect([shownUnder('Active Event'), shownUnder('Locations'), shownUnder('My Areas (Area)')]).toEqual([
    'No',
    'Not Applicable',
    'NA',
  ])
})

const documents = [
  { Document_Name: 'Emergency plan', Document_S3_Link: 'https://files.harbour.test/plan.pdf' },
  { Document_Name: 'Floor map', Document_S3_Link: 'https://files.harbour.test/map.pdf' },
]

test.each(['dark', 'light'] as const)('ROLE-06 lists the documents, each opening in a new tab (%s)', async (theme) => {
  chooseTheme(theme)
  server.answer(listDocuments, { documents })

  await show()

  const links = page.getByRole('link')
  await expect.poll(() => links.elements()).toHaveLength(2)
  const plan = page.getByRole('link', { name: 'Emergency plan' })
  await expect.element(plan).toHaveAttribute('href', 'https://files.harbour.test/plan.pdf')
  await expect.element(plan).toHaveAttribute('target', '_blank')
  await expect.element(plan).toHaveAttribute('rel', 'noopener noreferrer')
  expect(server.received(listDocuments)[0]?.input.query).toEqual({ wardenAssignmentUID: someAssignment })
  await expectNoAxeViolations()
})

test("ROLE-06 reads 'No Documents' when there are none", async () => {
  await show()

  await expect.element(page.getByText('No Documents', { exact: true })).toBeVisible()
  await expectNoAxeViolations()
})

test('ROLE-06 a link that does not lead to the web is not drawn (AMB-071)', async () => {
  server.answer(listDocuments, { documents: [{ Document_Name: 'Trap', Document_S3_Link: 'javascript:alert(1)' }] })

  await show()

  await expect.element(page.getByText('No Documents')).toBeVisible()
})

test('UI while loading no value is invented', async () => {
  server.answer(getRole, () => new Promise(() => undefined))
  server.answer(listDocuments, () => new Promise(() => undefined))

  await show()

  await expect.poll(() => page.getByText('Loading...', { exact: true }).elements()).toHaveLength(6)
  expect(page.getByText('No Documents').query()).toBeNull()
  await expectNoAxeViolations()
})

test('ERR-06 what could not be read can be asked for again, each by itself', async () => {
  server.answer(getRole, cutOff)
  await show()
  await expect.element(page.getByText('No Documents')).toBeVisible()
  await expectNoAxeViolations()

  server.answer(getRole, reportData())
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(role).toBeVisible()
})

test('UI a session without an assignment asks for no documents', async () => {
  await show({ Warden_Assignment_UID: null })

  await expect.element(page.getByText('No Documents')).toBeVisible()
  expect(server.received(listDocuments)).toHaveLength(0)
})
