import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { noteUnread } from '#web/live/unread.ts'
import {
  buildingStatus,
  level,
  ownRow,
  serveFloors,
  towerA,
  towerB,
  warden,
  wardenId,
  wholeOf,
} from '#web/testing/attendance-data.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { type RenderScreenOptions, renderScreen } from '#web/testing/render-screen.tsx'
import { flags, someSignIn } from '#web/testing/stored-auth.ts'
import { chooseBuilding, type FloorWardenGroup, getBuildingStatus } from '../../calls/attendance.ts'
import { FloorWardenStatusScreen } from './floor-warden-status-screen.tsx'

const unknown = { status: 'Unknown' } as const
const notAvailable = { status: 'Not Available' } as const
const offDuty = { status: 'Off Duty' } as const

const server = serverForEachTest()

async function open(floors: FloorWardenGroup[], options: RenderScreenOptions = {}, inB?: FloorWardenGroup[]) {
  serveFloors(server, floors, inB)
  const screen = await renderScreen(<FloorWardenStatusScreen />, { at: '/floor/warden/status', ...options })
  await expect.element(page.getByRole('combobox', { name: 'Building' })).toBeVisible()
  return screen
}

const floors = () => page.getByRole('list', { name: 'Floors', exact: true })
const floor = (name: string) => floors().getByRole('button', { name: new RegExp(`^${name}`) })
const counters = () =>
  [...document.querySelectorAll('dl[aria-label=Wardens] > div')].map((one) => [
    one.querySelector('dt')?.textContent,
    Number(one.querySelector('dd')?.textContent),
  ])
const mixed = () => [
  level(1, warden(1), warden(2, unknown), warden(3, notAvailable)),
  level(2, warden(4, offDuty)),
  level(3),
]

test('FWS-01 FWS-02 FWS-03 the building can be chosen, the event is named, the wardens are counted', async () => {
  await open(mixed())

  const select = page.getByRole('combobox', { name: 'Building' })
  expect([...(select.element() as HTMLSelectElement).options].map(({ text }) => text)).toEqual(['Tower A', 'Tower B'])
  await expect.element(page.getByRole('heading', { name: 'Fire' })).toBeVisible()
  expect(counters()).toEqual([
    ['On Duty', 1],
    ['Unknown', 1],
    ['Not Avail.', 1],
    ['Off Duty', 1],
    ['Total', 4],
  ])
  await expectNoAxeViolations()
})

test('FWS-04 the bar is divided in proportion; what no one is leaves no mark', async () => {
  await open([level(1, warden(1), warden(2), warden(3), warden(4, unknown))])

  const parts = [...document.querySelectorAll<HTMLElement>('[data-bar] > *')]
  expect(parts.map(({ dataset }) => dataset.status)).toEqual(['on_duty', 'unknown'])
  const [onDuty = 0, other = 0] = parts.map((part) => part.getBoundingClientRect().width)
  expect(onDuty / other).toBeCloseTo(3, 1)
})

test('FWS-05 AMB-101 each floor has its status in a word and a colour, and its counts, in the order given', async () => {
  await open([wholeOf(towerA, warden(9)), ...mixed(), level(4, warden(5, unknown))])

  const rows = [...floors().element().querySelectorAll('h3')].map((row) => row.textContent)
  expect(rows).toEqual([
    'Tower A (whole building)CoveredOn Duty 1 · Unknown 0 · Not Avail. 0',
    'Level 1CoveredOn Duty 1 · Unknown 1 · Not Avail. 1',
    'Level 2Not CoveredOn Duty 0 · Unknown 0 · Not Avail. 1',
    'Level 3No Floor WardensOn Duty 0 · Unknown 0 · Not Avail. 0',
    'Level 4UnknownOn Duty 0 · Unknown 1 · Not Avail. 0',
  ])
  const colours = [...document.querySelectorAll<HTMLElement>('[data-colour]')].map(({ dataset }) => dataset.colour)
  expect(colours).toEqual(['green', 'green', 'red', 'grey', 'yellow'])
})

test("FWS-06 FWS-09 FWS-10 a floor opens to 'Floor / Area Wardens', or 'No Floor Wardens'", async () => {
  await open(mixed())

  await floor('Level 1').click()
  await expect.element(page.getByRole('heading', { name: 'Floor / Area Wardens' })).toBeVisible()
  const list = page.getByRole('list', { name: 'Wardens of Level 1' })
  expect([...list.element().children].map((row) => row.querySelector('p')?.textContent)).toEqual([
    'Warden 01',
    'Warden 02',
    'Warden 03',
  ])
  await expect.element(list.getByText('Not Available')).toBeVisible()
  await expectNoAxeViolations()

  await floor('Level 1').click()
  await expect.element(list).not.toBeInTheDocument()
  await floor('Level 3').click()
  await expect.element(page.getByText('No Floor Wardens', { exact: true }).last()).toBeVisible()
  await expectNoAxeViolations()
})

test('FWS-07 AMB-102 message and phone links of each warden; none to message oneself, none without a number', async () => {
  await open([level(1, ownRow, warden(1, { phone: null }), warden(2, { unread: true }))])
  await floor('Level 1').click()

  await expect
    .element(page.getByRole('link', { name: 'Call Grace Okafor' }))
    .toHaveAttribute('href', 'tel:+61491000090')
  await expect.element(page.getByRole('button', { name: 'No phone number for Warden 01' })).toBeDisabled()
  const address = `/message/warden/${wardenId(1)}?from=%2Ffloor%2Fwarden%2Fstatus`
  await expect.element(page.getByRole('link', { name: 'Message Warden 01' })).toHaveAttribute('href', address)
  await expect.element(page.getByRole('link', { name: 'Message Warden 02, unread' })).toBeVisible()
  expect(page.getByRole('link', { name: 'Message Grace Okafor' }).elements()).toEqual([])
  for (const target of floors().element().querySelectorAll('button, a')) {
    const { width, height } = target.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(48)
  }
  await expectNoAxeViolations()
})

test('UX-20 opened floors are still open after a visit to a thread', async () => {
  const { unmount } = await open(mixed())
  await floor('Level 1').click()
  await floor('Level 2').click()
  await unmount()

  await open(mixed())

  for (const name of ['Wardens of Level 1', 'Wardens of Level 2'])
    await expect.element(page.getByRole('list', { name })).toBeVisible()
})

test('AMB-080 a message that arrives marks its sender', async () => {
  await open([level(1, warden(1))])
  await floor('Level 1').click()

  noteUnread({ status: 'ok', message: null, unread_messages_from_wardens: [wardenId(1)] })

  await expect.element(page.getByRole('link', { name: 'Message Warden 01, unread' })).toBeVisible()
})

test('AMB-102 without the messaging module no link leads to its pages', async () => {
  await open([level(1, warden(1))], { auth: { module_access: flags('Module_Floor_Warden_Status') } })
  await floor('Level 1').click()

  await expect.element(page.getByRole('link', { name: 'Call Warden 01' })).toBeVisible()
  expect(page.getByText(/^(Message|Broadcast)/).elements()).toEqual([])
  expect(page.getByRole('link').elements()).toHaveLength(1)
})

test('FWS-08 FWS-14 AMB-104 Broadcast opens the group page with the other wardens of the floor', async () => {
  const { address, state } = await open([level(1, ownRow, warden(1), warden(2, offDuty))])
  await floor('Level 1').click()

  await page.getByRole('link', { name: 'Broadcast to Level 1' }).click()

  expect(address()).toBe('/message/group')
  expect(state()).toEqual({
    audience: [warden(1), warden(2, offDuty)].map(({ id, name, wardenSignInUid, status }) => ({
      id,
      name,
      wardenSignInUid,
      status,
    })),
    senderWardenSignInUid: someSignIn,
    sms_allowed: true,
  })
})

test('FWS-13 Broadcast is blocked without recipients: no one there, or only oneself', async () => {
  await open([level(1, ownRow), level(2)])

  for (const name of ['Level 1', 'Level 2']) {
    await floor(name).click()
    await expect.element(page.getByRole('button', { name: `Broadcast to ${name}` })).toBeDisabled()
  }
  expect(page.getByRole('link', { name: /^Broadcast/ }).elements()).toEqual([])
  await expectNoAxeViolations()
})

test('FWS-11 API-34 choosing a building loads its data', async () => {
  await open([level(1, warden(1))], {}, [level(7, warden(2, unknown))])

  await page.getByRole('combobox', { name: 'Building' }).selectOptions('Tower B')

  await expect.element(floor('Level 7')).toBeVisible()
  expect(server.received(chooseBuilding).map(({ input }) => input.body)).toEqual([{ buildingId: towerB.id }])
  await expect.element(page.getByRole('combobox', { name: 'Building' })).toHaveValue(towerB.id)
  expect(counters()[1]).toEqual(['Unknown', 1])
})

test('FWS-11 a building that could not be loaded leaves the old one, and says so', async () => {
  await open([level(1, warden(1))])
  server.answer(chooseBuilding, refused('not_found'))

  await page.getByRole('combobox', { name: 'Building' }).selectOptions('Tower B')

  await expect
    .element(page.getByText('The building was not changed. This is no longer available. Please refresh.'))
    .toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Building' })).toHaveValue(towerA.id)
  await expect.element(floor('Level 1')).toBeVisible()
})

test.for(['no_event', 'not_on_duty'] as const)(
  "FWS-12 PROD-12 with %s the event name reads 'NO EVENT'",
  async (status) => {
    server.answer(getBuildingStatus, { status, message: 'NO EVENT' })
    await renderScreen(<FloorWardenStatusScreen />)

    await expect.element(page.getByRole('heading', { name: 'NO EVENT' })).toBeVisible()
    const reason = page.getByText('You are not on duty in this event. Please report in first.')
    expect(reason.elements()).toHaveLength(status === 'not_on_duty' ? 1 : 0)
    await expectNoAxeViolations()
  },
)

test('FWS-05 the floors where no one is on duty stand first, with their number and a way to each', async () => {
  await open([wholeOf(towerA, warden(9, unknown)), ...mixed()])
  const summary = page.getByRole('region', { name: 'Floors without a warden on duty' })

  await expect.element(summary.getByRole('status')).toHaveTextContent('2 floors without a warden on duty')
  expect(chips()).toEqual(['Tower A - Level 2: Not Covered', 'Tower A - Level 3: No Floor Wardens'])
  expect(summary.element().getBoundingClientRect().top).toBeLessThan(floors().element().getBoundingClientRect().top)
  await summary.getByRole('button', { name: 'Tower A - Level 2: Not Covered' }).click()

  await expect.element(floor('Level 2')).toHaveFocus()
  await expect.element(page.getByRole('list', { name: 'Wardens of Level 2' })).toBeVisible()
})

test('FWS-05 once each floor has a warden on duty the summary says that', async () => {
  await open([level(1, warden(1))])
  await expect.element(page.getByText('Every floor has a warden on duty')).toBeVisible()

  expect(page.getByRole('region', { name: 'Floors without a warden on duty' }).getByRole('button').elements()).toEqual(
    [],
  )
})

const region = () => page.getByRole('region', { name: 'Floors without a warden on duty' })
const chips = () => [...region().element().querySelectorAll('li button')].map(({ ariaLabel }) => ariaLabel)

test('UX-43 all floors of the event without a warden on duty are there at once, by building, however many', async () => {
  const eight = Array.from({ length: 8 }, (_, nth) => level(nth + 1))
  await open(eight, {}, [level(20), level(21, warden(1))])

  await expect.element(region().getByRole('heading', { name: 'All buildings' })).toBeVisible()
  await expect.element(region().getByRole('status').first()).toHaveTextContent('9 floors without a warden on duty')
  expect(chips()).toEqual([
    ...eight.map(({ name }) => `Tower A - ${name}: No Floor Wardens`),
    'Tower B - Level 20: No Floor Wardens',
  ])
  await expect.element(page.getByRole('button', { name: /^Tower B - Level 20/ })).toBeVisible()
  await expectNoAxeViolations()
})

test('UX-43 a floor of another building opens with its building, and has the focus', async () => {
  await open([level(1, warden(1))], {}, [level(20, warden(2, unknown)), level(21, warden(3))])

  await region().getByRole('button', { name: 'Tower B - Level 20: Unknown' }).click()

  await expect.element(floor('Level 20')).toHaveFocus()
  await expect.element(page.getByRole('list', { name: 'Wardens of Level 20' })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Building' })).toHaveValue(towerB.id)
})

test('UX-43 more than 24 floors are folded by building, with the number of each', async () => {
  await open(
    Array.from({ length: 24 }, (_, nth) => level(nth + 1)),
    {},
    [level(30)],
  )

  const folds = [...region().element().querySelectorAll('summary')].map(({ textContent }) => textContent)
  expect(folds).toEqual(['Tower A 24', 'Tower B 1'])
  expect(page.getByRole('button', { name: /^Tower B - Level 30/ }).elements()).toEqual([])
  await region()
    .getByText(/^Tower B/)
    .click()
  await expect.element(page.getByRole('button', { name: /^Tower B - Level 30/ })).toBeVisible()
  await expectNoAxeViolations()
})

test('UX-43 UX-04 links go to all who have not reported in, once each, after it was asked; who was not reached is named', async () => {
  const [off, one, two] = [warden(1, offDuty), warden(2, unknown), warden(3, unknown)]
  const uids = [off, one, two].map(({ wardenSignInUid }) => wardenSignInUid)
  server.answer(sendReportInLinks, {
    recordsInserted: 1,
    not_reached: [{ wardenSignInUid: two.wardenSignInUid, reason: 'No mobile number.' }],
  })
  await open([level(1, off, one), level(2, warden(4, notAvailable)), level(3, warden(5), warden(6, unknown))], {}, [
    level(20, one, two),
  ])
  const send = page.getByRole('button', { name: 'Send links to the 3 not reported in' })
  const sheet = page.getByRole('alertdialog', { name: 'Text 3 wardens a link?' })

  await send.click()
  await expect.element(sheet.getByText(/^Warden 01, Warden 02, Warden 03, of 2 floors/)).toBeVisible()
  await expect.element(sheet.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  expect(server.received(sendReportInLinks)).toEqual([])
  await send.click()
  await sheet.getByRole('button', { name: 'Send to 3' }).click()

  await expect.element(page.getByText('1 Report-in links sent.')).toBeVisible()
  expect(server.received(sendReportInLinks).map(({ input }) => input.body)).toEqual([
    { warden_sign_in_uids: uids, sender_warden_sign_in_uid: someSignIn },
  ])
  await expect.element(page.getByText('No mobile number: Warden 03. Call instead.')).toBeVisible()
  await expect.element(page.getByText('1 has reported in or got a link within the last minute.')).toBeVisible()
  await expectNoAxeViolations()
})

test.for([
  [
    'without the messaging module',
    warden(1, unknown),
    { auth: { module_access: flags('Module_Floor_Warden_Status') } },
  ],
  ['with nobody who may be asked', warden(1, notAvailable), {}],
] as const)('UX-43 LINK-07 %s no links are offered', async ([_, one, options]) => {
  await open([level(1, one)], options)

  await expect.element(region().getByText('1 floor without a warden on duty')).toBeVisible()
  expect(page.getByRole('button', { name: /^Send links/ }).elements()).toEqual([])
})

test('RT-17 DUTY-16 what changes elsewhere shows by itself, and an open floor stays open', async () => {
  const { queryClient } = await open([level(1, warden(1, unknown))])
  await floor('Level 1').click()
  const refresh = createTopicRefresh(queryClient)

  server.answer(getBuildingStatus, buildingStatus([level(1, warden(1))]))
  refresh.note([{ topic: 'attendance', ids: [] }])

  await expect.element(page.getByText('Every floor has a warden on duty')).toBeVisible()
  expect(counters().slice(0, 2)).toEqual([
    ['On Duty', 1],
    ['Unknown', 0],
  ])
  await expect.element(page.getByRole('list', { name: 'Wardens of Level 1' }).getByText('On Duty')).toBeVisible()
  const reads = server.received(getBuildingStatus).length
  refresh.note([{ topic: 'event', ids: [] }])
  await expect.poll(() => server.received(getBuildingStatus).length).toBe(reads + 1)
  refresh.stop()
})

test('UI it says how old it is, and what to do when it could not be loaded', async () => {
  server.answer(getBuildingStatus, refused('unavailable'))
  await renderScreen(<FloorWardenStatusScreen />)
  await expect.element(page.getByText('The service is busy. Please try again in a moment.')).toBeVisible()
  await expectNoAxeViolations()

  serveFloors(server, mixed())
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(page.getByText(/as of \d\d:\d\d:\d\d$/)).toBeVisible()
})

test('FWS-09 COV-04 a floor without wardens of its own says who covers it with the building', async () => {
  await open([wholeOf(towerA, warden(9)), { ...level(1), covered_by: 'Warden 09' }])

  await floor('Level 1').click()

  await expect.element(floor('Level 1').getByText('Covered by Warden 09')).toBeVisible()
  await expect.element(floors().getByText('No Floor Wardens', { exact: true }).first()).toBeVisible()
  await expectNoAxeViolations()
})
