import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { ownRow, role, serveRoles, towerB, warden, wardenId, wardensOnDuty } from '#web/testing/attendance-data.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { type RenderScreenOptions, renderScreen } from '#web/testing/render-screen.tsx'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { listWardensOnDuty, type RoleWardens } from '../../calls/attendance.ts'
import { WardensOnDutyScreen } from './wardens-on-duty-screen.tsx'

const server = serverForEachTest()

async function open(roles: RoleWardens[], options: RenderScreenOptions = {}, inB?: RoleWardens[]) {
  serveRoles(server, roles, inB)
  const screen = await renderScreen(<WardensOnDutyScreen />, { at: '/warden/onduty', ...options })
  await expect.element(page.getByRole('combobox', { name: 'Building' })).toBeVisible()
  return screen
}
const select = () => page.getByRole('combobox', { name: 'Building' })
const roleButton = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const counters = () =>
  [...document.querySelectorAll('dl[aria-label=Wardens] > div')].map((one) => [
    one.querySelector('dt')?.textContent,
    Number(one.querySelector('dd')?.textContent),
  ])
const people = () => [
  role(1, 'Chief Warden', ownRow),
  role(
    2,
    'Floor Warden',
    warden(1),
    warden(2, { status: 'Unknown' }),
    warden(3, { status: 'Off Duty' }),
    warden(4, { status: 'Not Available' }),
  ),
]

test('DUTY-01 DUTY-02 DUTY-03 the building can be chosen; who is off duty counts as not available', async () => {
  await open(people())

  expect([...(select().element() as HTMLSelectElement).options].map(({ text }) => text)).toEqual(['Tower A', 'Tower B'])
  expect(counters()).toEqual([
    ['On Duty', 2],
    ['Unknown', 1],
    ['Not Avail.', 2],
  ])
  await expect.element(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible()
  await expectNoAxeViolations()
})

test('DUTY-04 DUTY-05 DUTY-14 each role opens to its wardens, in the order given', async () => {
  await open(people())
  expect(
    page
      .getByRole('heading', { level: 2 })
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Chief WardenOn Duty 1 · Unknown 0 · Not Avail. 0', 'Floor WardenOn Duty 1 · Unknown 1 · Not Avail. 2'])

  await roleButton('Floor Warden').click()

  const list = page.getByRole('list', { name: 'Wardens, Floor Warden' })
  expect([...list.element().children].map((row) => row.querySelector('p')?.textContent)).toEqual([
    'Warden 01',
    'Warden 02',
    'Warden 03',
    'Warden 04',
  ])
  await expect.element(list.getByText('Tower A - Level 1').first()).toBeVisible()
  await expectNoAxeViolations()
})

test('DUTY-07 DUTY-08 each warden has message and phone links, each role a Broadcast link', async () => {
  const { address, state } = await open(people())
  await roleButton('Floor Warden').click()

  const to = `/message/warden/${wardenId(1)}?from=%2Fwarden%2Fonduty`
  await expect.element(page.getByRole('link', { name: 'Message Warden 01' })).toHaveAttribute('href', to)
  await expect.element(page.getByRole('link', { name: 'Call Warden 01' })).toHaveAttribute('href', 'tel:+61491000001')
  await page.getByRole('link', { name: 'Broadcast to Floor Warden' }).click()

  expect(address()).toBe('/message/group')
  expect(state()).toMatchObject({ senderWardenSignInUid: someSignIn, sms_allowed: true })
  expect((state() as { audience: { id: string }[] }).audience.map(({ id }) => id)).toEqual([1, 2, 3, 4].map(wardenId))
})

test('DUTY-09 Broadcast is blocked when oneself is the only one', async () => {
  await open(people())
  await roleButton('Chief Warden').click()

  await expect.element(page.getByRole('button', { name: 'Broadcast to Chief Warden' })).toBeDisabled()
})

test('DUTY-11 AMB-010 another building is asked for by its id, and a message leads back to it', async () => {
  const { address } = await open(people(), {}, [role(3, 'Area Warden', warden(5))])

  await select().selectOptions('Tower B')

  await roleButton('Area Warden').click()
  expect(server.received(listWardensOnDuty).map(({ input }) => input.query)).toEqual([{}, { building_id: towerB.id }])
  expect(counters()[0]).toEqual(['On Duty', 1])
  const back = encodeURIComponent(`/warden/onduty?building=${towerB.id}`)
  expect(address()).toBe(decodeURIComponent(back))
  const link = page.getByRole('link', { name: 'Message Warden 05' })
  await expect.element(link).toHaveAttribute('href', `/message/warden/${wardenId(5)}?from=${back}`)
})

test('UX-20 an opened role is still open after a visit to a thread', async () => {
  const { unmount } = await open(people())
  await roleButton('Floor Warden').click()
  await unmount()

  await open(people())

  await expect.element(page.getByRole('list', { name: 'Wardens, Floor Warden' })).toBeVisible()
  expect(page.getByRole('list', { name: 'Wardens, Chief Warden' }).query()).toBeNull()
})

test('DUTY-11 a building that has left the event gives way to the default one', async () => {
  server.answer(listWardensOnDuty, ({ input: { query } }) =>
    query.building_id ? refused('not_found') : wardensOnDuty(people()),
  )
  await renderScreen(<WardensOnDutyScreen />, { at: `/warden/onduty?building=${towerB.id}` })

  await expect.element(roleButton('Floor Warden')).toBeVisible()
  await expect.element(select()).toHaveDisplayValue('Tower A')
})

test.for(['no_event', 'not_on_duty'] as const)("DUTY-10 PROD-12 with %s it reads 'No data found'", async (error) => {
  server.answer(listWardensOnDuty, { error, message: 'x', buildings: [], roles: [] })
  await renderScreen(<WardensOnDutyScreen />)

  await expect.element(page.getByText('No data found')).toBeVisible()
  const reason = page.getByText('You are not on duty in this event. Please report in first.')
  expect(reason.elements()).toHaveLength(error === 'not_on_duty' ? 1 : 0)
  await expectNoAxeViolations()
})

test("DUTY-10 a building without wardens reads 'No data found'", async () => {
  await open([])

  await expect.element(page.getByText('No data found')).toBeVisible()
  await expectNoAxeViolations()
})

test('RT-17 DUTY-16 UX-11 what changes elsewhere shows by itself and is read out, and an open role stays open', async () => {
  const { queryClient } = await open(people())
  await roleButton('Floor Warden').click()
  const refresh = createTopicRefresh(queryClient)

  serveRoles(server, [role(2, 'Floor Warden', warden(1), warden(2))])
  refresh.note([{ topic: 'attendance', ids: [] }])

  await expect.poll(counters).toEqual([
    ['On Duty', 2],
    ['Unknown', 0],
    ['Not Avail.', 0],
  ])
  await expect
    .poll(() => document.querySelector('[data-counters]')?.textContent)
    .toBe('On Duty 2, Unknown 0, Not Avail. 0')
  await expect.element(page.getByRole('list', { name: 'Wardens, Floor Warden' })).toBeVisible()
  refresh.stop()
})

test('UI a list that could not be loaded can be tried again', async () => {
  server.answer(listWardensOnDuty, refused('unavailable'))
  await renderScreen(<WardensOnDutyScreen />)
  await expect.element(page.getByText('The service is busy. Please try again in a moment.')).toBeVisible()

  serveRoles(server, people())
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(roleButton('Floor Warden')).toBeVisible()
})
