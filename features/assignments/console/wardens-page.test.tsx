import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { readSignInOrigins } from '#features/authority/calls.ts'
import { getCoverage } from '#features/coverage/calls/coming-days.ts'
import { listPeople } from '#features/people/calls/people.ts'
import { listPlaces } from '#features/places/calls.ts'
import type { AssignmentUid, BuildingUid, FloorUid, PersonUid, WaitingUid, WardenRoleUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, quay, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { doWaitingNow, dropWaiting, getNow } from '../calls/waiting.ts'
import {
  changeRole,
  downloadAssignments,
  listAssignments,
  listRoles,
  offerRole,
  withdrawAssignment,
} from '../calls/wardens.ts'
import type { AssignmentRow, Coverage, RoleRow } from './wardens.data.ts'

const server = serverForEachTest()
const open = (at = '/console/wardens') => renderScreen(<Console />, { at, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const uid = (n: number) => `00000000-0000-4000-8000-00000000fd0${n}`
const tower = { uid: uid(1) as BuildingUid, name: 'Tower A' }
const floorUid = uid(2) as FloorUid

const role = (over: Partial<RoleRow> = {}): RoleRow => ({
  uid: uid(3) as WardenRoleUid,
  code: 'FW',
  name: 'Floor Warden',
  domain: 'Floor' as const,
  modules: ['Floor_Evacuation'],
  in_use: true,
  holders: 1,
  was_assigned: true,
  on_duty_at: null,
  version: '1',
  command_order: null,
  called: 'first',
  ...over,
})
const assignment = (over: Partial<AssignmentRow> = {}): AssignmentRow => ({
  uid: uid(4) as AssignmentUid,
  person: { uid: uid(5) as PersonUid, first_name: 'Kim', last_name: 'Lee' },
  role: { uid: role().uid, name: 'Floor Warden', domain: 'Floor' },
  site: quay,
  places: [{ uid: floorUid, name: 'Tower A - Level 3' }],
  from: '2026-01-01',
  to: '2026-12-31',
  state: 'accepted' as const,
  reason: null,
  is_on_duty: false,
  is_waiting: false,
  version: '1',
  ...over,
})
const coverage: Coverage = {
  site: quay,
  day: '2026-11-23',
  days: Array.from({ length: 14 }, (_, n) => ({
    day: `2026-${n < 8 ? `11-${23 + n}` : `12-0${n - 7}`}`,
    without: n % 3,
  })),
  wardens: [{ name: 'Ada Chief', role: 'Chief Warden', building: null }],
  roles: [{ uid: role().uid, name: 'Floor Warden' }],
  buildings: [tower],
  floors: [
    {
      uid: uid(6) as FloorUid,
      building: tower.uid,
      name: 'Ground',
      cells: [{ role: role().uid, accepted: ['Kim Lee'], offered: 0 }],
    },
    {
      uid: floorUid,
      building: tower.uid,
      name: 'Level 1',
      cells: [{ role: role().uid, accepted: ['A', 'B'], offered: 1 }],
    },
    { uid: uid(7) as FloorUid, building: tower.uid, name: 'Level 2', cells: [] },
  ],
  by_building: false,
}
const usual = { version: '1', retired_at: null, people: 0, wardens: 0, assignments: 0 }

/** The places of the site, in its zone. */
const placesIn = (timezone: string) => ({
  sites: [
    {
      ...usual,
      ...quay,
      code: 'HQ',
      timezone,
      drill_every_days: 365,
      drill_shifts: '',
      buildings: 1,
      floors: 1,
      documents: 0,
      event: null,
    },
  ],
  buildings: [{ ...usual, ...tower, code: 'TA', floors: 1 }],
  floors: [
    {
      ...usual,
      uid: uid(7) as FloorUid,
      building: tower.uid,
      code: 'L2',
      name: 'Level 2',
      level: 2,
      kind: 'floor' as const,
    },
  ],
  by_building: false,
})

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listAssignments, listPage([assignment()]))
  server.answer(listRoles, { rows: [role()], without_manager: [], may_change: true })
  server.answer(getCoverage, coverage)
  server.answer(listPlaces, placesIn('Australia/Sydney'))
})

afterEach(() => page.viewport(390, 844))

test('PPL-24 assignments stand with person, role, place, days, state and the reason of a decline', async () => {
  server.answer(
    listAssignments,
    listPage([
      assignment({ state: 'declined', reason: 'On leave' }),
      assignment({ uid: uid(8) as AssignmentUid, is_on_duty: true }),
    ]),
  )
  const screen = await open()

  await expect.element(page.getByRole('rowheader', { name: 'Lee, Kim' }).first()).toBeVisible()
  for (const text of ['Declined', 'On leave', 'On duty'])
    await expect.element(page.getByRole('table').getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Harbour Quarter: Tower A - Level 3' }).first()).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('combobox', { name: 'State' }).selectOptions('Declined')
  expect(screen.address()).toBe('/console/wardens?state=declined')
})

test('ORG-50 ORG-51 assignments are sorted by a header, and downloaded with filters and order', async () => {
  server.answer(downloadAssignments, { csv: '\ufeffLast name\r\n' })
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const screen = await open('/console/wardens')
  await button('Days').click()
  await expect.element(page.getByRole('columnheader', { name: 'Days' })).toHaveAttribute('aria-sort', 'ascending')
  expect(screen.address()).toBe('/console/wardens?sort=days')
  await expectNoAxeViolations()

  await button('Download this list').click()

  await expect
    .poll(() => saved.mock.instances.map((link) => (link as HTMLAnchorElement).download))
    .toEqual(['assignments.csv'])
  expect(server.received(downloadAssignments)[0]?.input.body).toEqual({ sort: 'days' })
})

test('PPL-25 a role is offered from a cell of the coverage to someone found by name', async () => {
  server.answer(listPeople, listPage([personRow(1)]))
  server.answer(offerRole, { offered: 1, told: 1 })
  await open('/console/wardens/coverage')
  await page.getByRole('button', { name: /^Floor Warden, Level 2: no one/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer a role' })
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('per')
  await dialog.getByRole('button', { name: /^Person 0001/ }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'Tower A - Level 2' })).toBeChecked()
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Offer', exact: true }).click()

  await expect.element(page.getByText('Offered to 1 person.')).toBeVisible()
  expect(server.received(offerRole)[0]?.input.body).toMatchObject({
    people: [personRow(1).uid],
    role: role().uid,
    site: quay.uid,
    places: [uid(7)],
    from: '2026-11-23',
    to: '2027-11-23',
    accepted: false,
    tell: true,
  })
})

test("PPL-25 'From' is today at the site, wherever the administrator is", async () => {
  const todayIn = (timeZone?: string) => new Date().toLocaleDateString('en-CA', { timeZone })
  // the first and the last zone to begin a day never have the same one
  const zone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((timeZone) => todayIn(timeZone) !== todayIn()) as string
  server.answer(listPlaces, placesIn(zone))
  await open()
  await button('Offer a role').click()

  await expect.element(page.getByRole('dialog').getByLabelText('From')).toHaveValue(todayIn(zone))
})

test('PPL-25 the own floor of one person is ticked, and the next offer keeps the role and begins with no one', async () => {
  const floor = { place: 'Tower A - Level 2' }
  server.answer(listPeople, listPage([{ ...personRow(1), ...floor }, personRow(2)]))
  server.answer(offerRole, { offered: 1, told: 1 })
  await open()
  await button('Offer a role').click()
  const dialog = page.getByRole('dialog', { name: 'Offer a role' })
  const search = dialog.getByRole('searchbox', { name: 'Search people' })
  const level2 = dialog.getByRole('checkbox', { name: /^Tower A - Level 2/ })
  await search.fill('per')
  await dialog.getByRole('button', { name: /^Person 0001/ }).click()
  await dialog.getByRole('combobox', { name: 'Role' }).selectOptions('Floor Warden (Floor)')
  await expect.element(level2).toBeChecked()
  await expect.element(dialog.getByText('Tower A - Level 2 (their own floor)')).toBeVisible()
  await search.fill('per')
  await dialog.getByRole('button', { name: /^Person 0002/ }).click()
  await expect.element(level2).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Remove Person 0002' }).click()
  await dialog.getByRole('button', { name: 'Offer & next' }).click()

  await expect.element(page.getByText('Offered to 1 person.')).toBeVisible()
  await expect.element(search).toHaveFocus()
  await expect.element(dialog.getByRole('button', { name: /^Remove/ })).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue(role().uid)
  await expect.element(level2).not.toBeChecked()
  await expect.element(dialog.getByRole('button', { name: 'Offer', exact: true })).toBeDisabled()
  expect(server.received(offerRole)[0]?.input.body).toMatchObject({ people: [personRow(1).uid], places: [uid(7)] })
  await expectNoAxeViolations()
})

test('AUTH-30 longer days of a role that starts events show what is known of the sign-in, shorter ones do not', async () => {
  server.answer(listRoles, {
    rows: [role({ modules: ['Event_Management'] })],
    without_manager: [],
    may_change: true,
  })
  server.answer(readSignInOrigins, [
    {
      person: assignment().person.uid,
      name: 'Kim Lee',
      password_was_shown: false,
      password_merged: null,
      addresses: [{ by: 'Mal Lory', at: '2026-11-22T23:42:07.000Z' }],
    },
  ])
  await open()
  await button('Change Kim Lee').click()
  const dialog = page.getByRole('dialog', { name: 'Floor Warden of Kim Lee' })
  await dialog.getByLabelText('To').fill('2026-11-30')
  expect(server.received(readSignInOrigins)).toEqual([])

  await dialog.getByLabelText('To').fill('2027-12-31')

  await expect.element(dialog.getByText('Address entered by Mal Lory on 23 Nov 2026.')).toBeVisible()
})

test('AUTH-30 a role that starts events is offered with what is known of each sign-in, any other one without', async () => {
  const chief = role({
    uid: uid(8) as WardenRoleUid,
    name: 'Chief Warden',
    domain: 'Site',
    modules: ['Event_Management'],
  })
  server.answer(listRoles, { rows: [role(), chief], without_manager: [], may_change: true })
  server.answer(listPeople, listPage([personRow(1), personRow(2)]))
  const addresses = [{ by: 'Mal Lory', at: '2026-11-22T23:42:07.000Z' }]
  server.answer(readSignInOrigins, [
    { person: personRow(1).uid, name: 'Kim Lee', addresses, password_was_shown: false, password_merged: null },
    { person: personRow(2).uid, name: 'Jo Park', addresses: [], password_was_shown: true, password_merged: null },
  ])
  await open()
  await button('Offer a role').click()
  const dialog = page.getByRole('dialog', { name: 'Offer a role' })
  for (const name of [/^Person 0001/, /^Person 0002/]) {
    await dialog.getByRole('searchbox', { name: 'Search people' }).fill('per')
    await dialog.getByRole('button', { name }).click()
  }
  await dialog.getByRole('combobox', { name: 'Role' }).selectOptions('Floor Warden (Floor)')
  expect(server.received(readSignInOrigins)).toEqual([])
  await dialog.getByRole('combobox', { name: 'Role' }).selectOptions('Chief Warden (Site, may start an event)')

  await expect.element(dialog.getByText('Kim Lee: Address entered by Mal Lory on 23 Nov 2026.')).toBeVisible()
  await expect.element(dialog.getByText('Jo Park: Password set from a shown invitation.')).toBeVisible()
  await expectNoAxeViolations()
})

test("PPL-27 coverage: a name, '2 accepted, 1 offered', 'No warden', 14 days and the wide wardens", async () => {
  const screen = await open('/console/wardens/coverage')

  await expect.element(page.getByRole('rowheader', { name: /Level 2/ }).getByText('No warden')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Floor Warden, Ground: Kim Lee/ })).toBeVisible()
  await expect.element(page.getByText('2 accepted, 1 offered')).toBeVisible()
  await expect.element(page.getByText('Ada Chief, Chief Warden')).toBeVisible()
  expect(page.getByRole('list', { name: 'Days' }).getByRole('button').elements()).toHaveLength(14)
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Tue 24 1 without a warden' }).click()
  expect(screen.address()).toBe('/console/wardens/coverage?day=2026-11-24')
})

test('PPL-26 ORG-44 an assignment is withdrawn with a reason; of a warden on duty it waits', async () => {
  server.answer(listAssignments, listPage([assignment({ is_on_duty: true })]))
  server.answer(withdrawAssignment, { status: 'waiting' })
  await open()
  await button('Withdraw Kim Lee').click()
  await expect.element(page.getByText(/^They are on duty\./)).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Moves away')
  await expectNoAxeViolations()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()

  await expect.element(page.getByText('This happens when they are off duty.')).toBeVisible()
  expect(server.received(withdrawAssignment)[0]?.input.body).toEqual({ reason: 'Moves away' })
})

test('PPL-23 ORG-42 a role on duty keeps its modules; who can start no event is told', async () => {
  server.answer(listRoles, {
    rows: [role({ on_duty_at: 'Harbour Quarter' })],
    without_manager: [quay],
    may_change: true,
  })
  server.answer(changeRole, { status: 'done' })
  await open('/console/wardens/roles')
  await expect.element(page.getByText('No one can start an event at Harbour Quarter.')).toBeVisible()
  await expectNoAxeViolations()
  await button('Change Floor Warden').click()
  const dialog = page.getByRole('dialog', { name: 'Floor Warden' })
  await expect.element(dialog.getByRole('combobox', { name: 'Covers a' })).toBeDisabled()
  await expect.element(dialog.getByRole('checkbox', { name: /^Floor evacuation/ })).toBeDisabled()
  await expect
    .element(dialog.getByText('An event is running at Harbour Quarter. This can be changed when it has ended.'))
    .toBeVisible()
  await dialog.getByText('Event management', { exact: true }).click()
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(changeRole)[0]?.input.body).toMatchObject({
    modules: ['Floor_Evacuation', 'Event_Management'],
  })
})

test('PPL-23 ORG-44 ORG-45 Overview warns of sites without a manager and lists what waits; doing it now is asked, and the last manager stays', async () => {
  const waiting = { uid: uid(9) as WaitingUid, kind: 'assignment_end' as const, person: 'Kim Lee' }
  const since = '2026-11-22T23:42:00.000Z'
  server.answer(getNow, { events: [], waiting: [{ ...waiting, site: 'Harbour Quarter', by: 'Nora Lind', since }] })
  server.answer(doWaitingNow, refused('on_duty', 'Kim Lee is the only Event Manager on duty.'))
  server.answer(dropWaiting, { status: 'dropped' })
  server.answer(listRoles, { rows: [], without_manager: [quay], may_change: true })
  await open('/console')
  await expect.element(page.getByText('No one can start an event at Harbour Quarter.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Waiting (1)' })).toBeVisible()
  await expect.element(page.getByText(/Requested by Nora Lind, 10:42 AEDT/)).toBeVisible()
  await expectNoAxeViolations()
  await button('Do it now: Kim Lee').click()
  const dialog = page.getByRole('alertdialog', { name: 'Take Kim Lee off duty?' })
  const words = 'They are on duty at Harbour Quarter. Their phone will show that they are no longer authorised.'
  await expect.element(dialog.getByText(words)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Do it now' }).click()
  await expect.element(dialog.getByText('Kim Lee is the only Event Manager on duty.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await button('Cancel change: Kim Lee').click()

  await expect.poll(() => server.received(dropWaiting).length).toBe(1)
})

test('ORG-35 at 320 px assignments are cards and the coverage scrolls in itself', async () => {
  await page.viewport(320, 800)
  await open()
  await expect.element(page.getByText('Lee, Kim')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await expectNoAxeViolations()
  await page.getByRole('link', { name: 'Coverage' }).click()
  await expect.element(page.getByText('No warden')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await expectNoAxeViolations()
})
