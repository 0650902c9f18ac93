import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { confirmIdentity } from '#features/sign-in/calls/console-sign-in.ts'
import type { CallReply } from '#kernel/route.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole, somePerson } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getPerson, listPeopleChoices } from '../calls/people.ts'
import { downloadPerson, erasePerson } from '../calls/person-data.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const open = () => renderScreen(<Console />, { at: `/console/people/${personRow(1).uid}`, auth: null })
const none: never[] = []
const kept: CallReply<typeof downloadPerson> = {
  organisation: 'Harbour',
  made_at: '2026-11-23T00:00:00.000Z',
  person: { code: 'P-000001' },
  account: null,
  groups: none,
  assignments: none,
  plans: null,
  documents: none,
  grants: none,
  invitations: none,
  sign_ins: none,
  sessions: none,
  events: none,
  participations: none,
  messages: none,
  texts: none,
  mails: none,
  reaches: none,
  alert_phones: none,
  alerts: none,
  calls: none,
  waiting: none,
  reports: none,
  history: none,
}

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPeopleChoices, { sites: [], buildings: [], groups: [] })
  server.answer(getPerson, somePerson({ active: false }))
  server.answer(listAudit, listPage([]))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(390, 844)
})

test('PPL-16 ORG-24 erasing asks, asks for a code, and leads back to the list', async () => {
  let isConfirmed = false
  server.answer(erasePerson, () =>
    isConfirmed ? { status: 'erased' as const } : refused('confirm_identity', 'Confirm'),
  )
  server.answer(confirmIdentity, () => {
    isConfirmed = true
    return { status: 'confirmed' as const }
  })
  const screen = await open()
  await button('Erase').click()
  const asked = page.getByRole('alertdialog', { name: 'Erase Kim Lee for good?' })
  await expect.element(asked.getByText(/This cannot be undone\./)).toBeVisible()
  await expect.element(asked.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await asked.getByRole('button', { name: 'Erase' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('textbox', { name: 'Code' })
    .fill('123456')
  await userEvent.keyboard('{Enter}')

  await expect.element(page.getByText('Erased.')).toBeVisible()
  await expect.poll(() => screen.address()).toBe('/console/people')
})

test('PPL-16 why a person is not erased stands in the question', async () => {
  server.answer(erasePerson, refused('busy', 'Tables are being checked. Try again in a minute.'))
  await open()
  await button('Erase').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click()

  await expect
    .element(page.getByRole('alert').getByText('Tables are being checked. Try again in a minute.'))
    .toBeVisible()
})

test('ORG-42 who is counted in a running event is not erased: the button says so beforehand', async () => {
  server.answer(getPerson, somePerson({ active: false, in_event_at: 'Harbour Quarter' }))
  await open()

  await expect.element(button('Erase')).toBeDisabled()
  const words = 'An event is running at Harbour Quarter. This can be changed when it has ended.'
  await expect.element(page.getByText(words)).toBeVisible()
  await expectNoAxeViolations()
})

test('PPL-16 someone active has no button to erase', async () => {
  server.answer(getPerson, somePerson())
  await open()

  await expect.element(button('Deactivate')).toBeVisible()
  expect(button('Erase').query()).toBeNull()
})

test("PPL-17 the person's data is kept as a file named after their code", async () => {
  server.answer(downloadPerson, kept)
  const files: { name: string; text: Promise<string> }[] = []
  const blobs: Blob[] = []
  const make = URL.createObjectURL
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return make(blob)
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, text: (blobs.at(-1) as Blob).text() })
  })
  await open()
  await button("Download this person's data").click()

  await expect.poll(() => files.map(({ name }) => name)).toEqual(['person-P-000001.json'])
  expect(JSON.parse((await files[0]?.text) ?? '')).toEqual(kept)
})

test('PPL-09 who was merged is not reactivated, and leads to who stayed', async () => {
  server.answer(getPerson, somePerson({ active: false, merged_into: { uid: personRow(2).uid, name: 'Kim Leigh' } }))
  const screen = await open()

  await expect.element(page.getByText('Inactive. Merged into Kim Leigh.')).toBeVisible()
  expect(button('Reactivate').query()).toBeNull()
  await page.getByRole('link', { name: 'Open Kim Leigh' }).click()
  await expect.poll(() => screen.address()).toBe(`/console/people/${personRow(2).uid}`)
})
