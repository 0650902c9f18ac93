import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listRoles, offerRole } from '#features/assignments/calls/wardens.ts'
import { listPlaces } from '#features/places/calls.ts'
import type { BuildingUid, FloorUid, GroupUid, WardenRoleUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, quay, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listFloorChoices, listPeople, listPeopleChoices } from '../calls/people.ts'
import { changePeople } from '../calls/people-bulk.ts'
import { showInvitation } from '../calls/sign-in-acts.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const open = () => renderScreen(<Console />, { at: '/console/people', auth: null })
const bodies = () => server.received(changePeople).map(({ input }) => input.body)
/** Without what only asked for the difference. */
const sent = () => bodies().filter(({ preview }) => !preview)
const nothing = { difference: [], upload: null }
const [dental, tower, level] = ['1', '2', '3'].map((n) => `00000000-0000-4000-8000-00000000fd0${n}`) as [
  GroupUid,
  BuildingUid,
  FloorUid,
]

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPeopleChoices, {
    sites: [quay],
    buildings: [{ uid: tower, name: 'Tower A', site: quay.uid }],
    groups: [{ uid: dental, name: 'Dental' }],
  })
  server.answer(listFloorChoices, [{ uid: level, name: 'Level 3' }])
  server.answer(listPeople, listPage([personRow(1), personRow(2), personRow(3)]))
  server.answer(changePeople, { done: 2, waits: 0, left: [], ...nothing })
})

afterEach(() => page.viewport(390, 844))

function serveFloorWarden() {
  const usual = { version: '1', retired_at: null, people: 0, wardens: 0, assignments: 0 }
  server.answer(listRoles, {
    rows: [
      {
        uid: dental as string as WardenRoleUid,
        code: 'FW',
        name: 'Floor Warden',
        domain: 'Floor',
        modules: [],
        command_order: null,
        called: 'first',
        in_use: true,
        holders: 0,
        was_assigned: true,
        on_duty_at: null,
        version: '1',
      },
    ],
    without_manager: [],
    may_change: true,
  })
  server.answer(listPlaces, {
    sites: [
      {
        ...usual,
        ...quay,
        code: 'HQ',
        timezone: 'Australia/Sydney',
        drill_every_days: 365,
        drill_shifts: '',
        buildings: 1,
        floors: 1,
        documents: 0,
        event: null,
      },
    ],
    buildings: [],
    floors: [],
    by_building: false,
  })
}

test('PPL-14 ticked people are invited by the keyboard, and who was left stands with the reason', async () => {
  const left = [{ person: personRow(3).uid, name: 'Person 0003', reason: 'No assignment and no grant.' }]
  server.answer(changePeople, { done: 2, waits: 0, left, ...nothing })
  await open()
  await box('Tick all on this page').click()
  await expect.element(page.getByText('3 people ticked')).toBeVisible()
  await expectNoAxeViolations()
  await button('Invite').click()
  await expectNoAxeViolations()
  await userEvent.keyboard('{Escape}')
  await button('Invite').click()
  await inDialog('Invite').click()

  await expect.element(page.getByText('2 invitations sent.')).toBeVisible()
  await expect
    .element(page.getByRole('dialog', { name: 'Left as they are' }).getByText('No assignment and no grant.'))
    .toBeVisible()
  await inDialog('Done').click()
  expect(page.getByText('3 people ticked').query()).toBeNull()
  expect(sent()).toEqual([{ people: [1, 2, 3].map((n) => personRow(n).uid), act: 'invite' }])
})

test('PPL-13 the invitations of ticked people are shown for print, a page each', async () => {
  server.answer(showInvitation, ({ input: { params } }) =>
    params.uid === personRow(3).uid
      ? refused('invalid_transition', 'This person already has a password.')
      : {
          link: `https://evac.test/#token=${params.uid}`,
          what: 'Floor Warden',
          expires_at: '2026-11-29T23:42:00.000Z',
        },
  )
  await open()
  await box('Tick all on this page').click()
  await button('Show invitations').click()
  await inDialog('Show').click()

  const dialog = page.getByRole('dialog', { name: 'Hand over the invitations' })
  await expect.element(dialog.getByRole('img', { name: 'QR code of the invitation of Person 0002' })).toBeVisible()
  await expect.element(dialog.getByText('This person already has a password.')).toBeVisible()
  await expectNoAxeViolations()
  const sheets = [...document.querySelectorAll('.console-print > .console-sheet h3')].map(
    ({ textContent }) => textContent,
  )
  expect(sheets).toEqual(['Person 0001', 'Person 0002'])
})

test('PPL-21 ticked people move to a floor', async () => {
  await open()
  await box('Tick Person 0001').click()
  await box('Tick Person 0002').click()
  await button('Move').click()
  await expect.element(inDialog('Move')).toBeDisabled()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Building' }).selectOptions('Harbour Quarter - Tower A')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Floor' }).selectOptions('Level 3')
  await inDialog('Move').click()

  await expect.element(page.getByText('Moved 2 people.')).toBeVisible()
  expect(sent()).toEqual([{ people: [personRow(1).uid, personRow(2).uid], act: 'move', place: level }])
})

test('PPL-18 PPL-08 ticked people come into a group or are deactivated; a refusal keeps the ticks', async () => {
  await open()
  await box('Tick Person 0001').click()
  await button('Add to a group').click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Group' }).selectOptions('Dental')
  await expect.element(page.getByText('0 changes')).toBeVisible()
  server.answer(changePeople, refused('busy', 'Another change is being saved. Try again.'))
  await inDialog('Add').click()
  await expect.element(page.getByText('Another change is being saved. Try again.')).toBeVisible()
  server.answer(changePeople, { done: 1, waits: 0, left: [], ...nothing })
  await inDialog('Add').click()
  await expect.element(page.getByText('Added 1 person.')).toBeVisible()

  server.answer(changePeople, { done: 0, waits: 1, left: [], ...nothing })
  await box('Tick Person 0001').click()
  await button('Deactivate').click()
  await inDialog('Deactivate').click()
  await expect.element(page.getByText('Deactivated. For 1 person on duty, this waits.')).toBeVisible()
  expect(sent().at(-1)).toEqual({ people: [personRow(1).uid], act: 'deactivate' })
})

test('PPL-94 a role is offered to ticked people, each on their own floor; visitors are left out', async () => {
  serveFloorWarden()
  server.answer(listPeople, listPage([personRow(1), personRow(2), personRow(3, { kind: 'visitor' })]))
  const message = 'Without a floor at Harbour Quarter: Person 0002'
  server.answer(offerRole, refused('invalid_request', message, [{ field: 'people', row: 1, message }]))
  await open()
  await box('Tick all on this page').click()
  await button('Offer a role').click()
  const dialog = page.getByRole('dialog', { name: 'Offer a role' })
  await expect.element(dialog.getByText('1 person left out: visitors and inactive people hold no role.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Role' }).selectOptions('Floor Warden (Floor)')
  await expect.element(dialog.getByRole('checkbox', { name: 'Each on their own floor' })).toBeChecked()
  expect(dialog.getByRole('group', { name: 'Places' }).query()).toBeNull()
  await expectNoAxeViolations()

  await inDialog('Offer').click()
  await expect.element(dialog.getByText(message)).toBeVisible()
  await inDialog('Remove Person 0002').click()
  await box('Tell them by email or text').click()
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('0002')
  await dialog.getByRole('button', { name: /^Person 0002/ }).click()
  server.answer(offerRole, { offered: 2, told: 0 })
  await inDialog('Offer').click()

  await expect.element(page.getByText('Offered to 2 people.')).toBeVisible()
  await expect.element(page.getByText('3 people ticked')).not.toBeInTheDocument()
  expect(server.received(offerRole).at(-1)?.input.body).toMatchObject({
    people: [personRow(1).uid, personRow(2).uid],
    places: [],
    own_floors: true,
    tell: false,
  })
})

test('PPL-15 the dialog has the difference, and whom it leaves, before anything changes', async () => {
  const row = { title: 'P1 Person 0001', kind: 'changed' as const }
  const cells = [{ column: 'floor', before: 'A/L1', after: 'A/L3' }]
  const left = [{ person: personRow(2).uid, name: 'Person 0002', reason: 'No assignment.' }]
  server.answer(changePeople, { done: 1, waits: 0, left, difference: [{ ...row, cells }], upload: null })
  await open()
  await box('Tick Person 0001').click()
  await button('Deactivate').click()

  const list = page.getByRole('list', { name: 'What changes' })
  await expect.element(page.getByText('1 change, 1 left as they are')).toBeVisible()
  await expect.element(list.getByText('A/L1 → A/L3')).toBeVisible()
  await expect.element(list.getByText('Left as they are. No assignment.')).toBeVisible()
  await expectNoAxeViolations()
  expect(bodies()).toEqual([{ people: [personRow(1).uid], act: 'deactivate', preview: true }])
})

test('PPL-18 ORG-35 a site changes no group; on a phone cards are ticked and nothing scrolls sideways', async () => {
  await page.viewport(320, 800)
  serveConsole(server, someMe({ rights: ['people'], reach: { kind: 'site', name: 'Quay' } }))
  server.answer(listPeople, listPage([personRow(1)]))
  const screen = await open()
  await box('Tick Person 0001').click()

  await expect.element(button('Deactivate')).toBeVisible()
  expect(button('Add to a group').query()).toBeNull()
  await expectNoAxeViolations()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  expect(screen.address()).toBe('/console/people')
})
