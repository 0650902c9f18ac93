import { onlineManager } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { listDocuments } from '#features/assignments/calls/assignments.ts'
import { getRole } from '#features/duty/calls/report-in.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { getPushKey } from '#features/reach/calls/push.ts'
import { chooseTheme } from '../lib/look/theme.ts'
import type { StoredAuth } from '../session/stored-auth.ts'
import { expectNoAxeViolations } from '../testing/axe.ts'
import { cutOff, serverForEachTest } from '../testing/fake-server.ts'
import { floorData, occupants, peepPerson } from '../testing/floor-data.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { reportData, withoutEvent } from '../testing/report-data.ts'
import { flags, someAssignment } from '../testing/stored-auth.ts'
import { MyRoleScreen } from './my-role-screen.tsx'

const server = serverForEachTest()
beforeEach(() => {
  server.answer(getRole, reportData())
  server.answer(listDocuments, { documents: [] })
  server.answer(getPushKey, { key: null })
  server.answer(getFloorData, { error: 'no_event', message: '' })
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

  const links = page.getByRole('region', { name: 'Documents' }).getByRole('link')
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

test('UX-83 while loading, role, chief and documents are outlined where they will be', async () => {
  const answer = Promise.withResolvers<void>()
  const { data } = reportData()
  const chief = { id: someAssignment, name: 'Grace Okafor', role: 'Chief Warden', phone: '61491570156' }
  server.answer(getRole, () => answer.promise.then(() => ({ data: { ...data, chief } })))
  server.answer(listDocuments, () => answer.promise.then(() => ({ documents })))
  await show()
  const parts = () => [...document.querySelectorAll<HTMLElement>('[data-part]')]
  const topOf = (heading: string) => page.getByRole('heading', { name: heading }).element().getBoundingClientRect().top
  await expect.poll(() => parts().map(({ dataset }) => dataset.part)).toEqual(['buttons', 'line', 'line'])
  const before = topOf('Documents')

  answer.resolve()

  await expect.element(page.getByRole('link', { name: 'Call Grace Okafor' })).toBeVisible()
  await expect.poll(parts).toEqual([])
  expect(Math.abs(topOf('Documents') - before)).toBeLessThan(40)
})

test('UX-71 UX-83 without signal nothing is outlined', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  await show()

  await expect.element(page.getByText('Not on this phone yet. It needs a connection.').first()).toBeVisible()
  expect(document.querySelectorAll('.skeleton').length).toBe(0)
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

const chief = { id: someAssignment, name: 'Grace Okafor', role: 'Chief Warden', phone: '61491000001' }

test.each(['dark', 'light'] as const)(
  'UX-52 on duty it begins with the own floor, who needs help there, and the chief (%s)',
  async (theme) => {
    chooseTheme(theme)
    server.answer(getRole, reportData({ chief }))
    server.answer(getFloorData, floorData(occupants(3), { peep: [peepPerson(1), peepPerson(2)] }))

    await show()

    await expect.element(page.getByText('You are on duty')).toBeVisible()
    const floor = page.getByRole('link', { name: 'floor evacuation Level 3, 3 people' })
    await expect.element(floor).toHaveAttribute('href', '/floor/evacuation')
    await expect.element(page.getByRole('heading', { name: '2 need assistance on Level 3' })).toBeVisible()
    await expect.element(page.getByText('Person 01, Person 02')).toBeVisible()
    const call = page.getByRole('link', { name: 'Call Grace Okafor' })
    await expect.element(call).toHaveAttribute('href', 'tel:+61491000001')
    const message = page.getByRole('link', { name: 'Message Grace Okafor' })
    await expect.element(message).toHaveAttribute('href', `/message/warden/${someAssignment}?from=%2Fme%2Frole`)
    await expectNoAxeViolations()
  },
)

test('UX-52 without the modules there is no way to the floor and no message, off duty no word of duty', async () => {
  server.answer(getRole, reportData({ chief }))
  await show({ module_access: flags('Module_Wardens_On_Duty') })
  await expect.element(page.getByRole('link', { name: 'Call Grace Okafor' })).toBeVisible()
  expect(page.getByRole('link', { name: /floor evacuation|Message/ }).query()).toBeNull()
  expect(server.received(getFloorData)).toHaveLength(0)
})
