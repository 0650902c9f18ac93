import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sendLateRecords } from '#features/records/calls/late.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { occupant } from '#web/testing/floor-data.ts'
import { dismissToasts } from '#web/testing/toasts.ts'
import { setPersonStatus } from '../calls/evacuation.ts'
import { choose, floorOnScreen, record, sheet, shows } from './floor.fixture.tsx'

const { server, open, serve } = floorOnScreen()

test('OUTBOX a record that was turned down stands at the foot of the page with its reason, until it is read', async () => {
  await open()
  server.answer(setPersonStatus, refused('no_event'))
  server.answer(sendLateRecords, refused('not_found'))
  await record(1, 'Safe on floor')

  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect.element(bar).toBeVisible()
  await shows(1, 'Unknown')
  await expectNoAxeViolations()
  await bar.click()
  await expect.element(sheet().getByText('The event is over, so this was not recorded.')).toBeVisible()
  await expect.element(sheet().getByText(/^Safe on floor, \d\d:\d\d:\d\d$/)).toBeVisible()
  await expectNoAxeViolations()

  await choose('Remove')
  await expect.element(bar).not.toBeInTheDocument()
})

test('OUTBOX a record that was turned down can be tried again', async () => {
  await open()
  server.answer(setPersonStatus, refused('no_event'))
  server.answer(sendLateRecords, refused('not_found'))
  await record(1, 'Safe on floor')
  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect.element(bar).toBeVisible()
  dismissToasts()
  await bar.click()

  serve()
  await choose('Try again')

  await shows(1, 'Safe on floor')
})

test('OUTBOX a warden learns that a newer danger stands', async () => {
  await open()
  server.answer(setPersonStatus, {
    status: 'success',
    person: { id: occupant(1).id, status: 'danger', on_floor: true },
    superseded: true,
  })
  await record(1, 'Safe on floor')

  await shows(1, 'Danger on floor')
  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect.element(bar).toBeVisible()
  dismissToasts()
  await bar.click()
  await expect.element(sheet().getByText(/The danger stands\./)).toBeVisible()
  await choose('Understood')
  await expect.element(sheet()).not.toBeInTheDocument()
})

test('OUTBOX a warden learns that what was noted before the event does not count in it', async () => {
  await open()
  server.answer(setPersonStatus, {
    status: 'success',
    person: { id: occupant(1).id, status: 'unknown', on_floor: false },
    superseded: true,
  })
  await record(1, 'Safe on floor')

  await shows(1, 'Unknown')
  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect.element(bar).toBeVisible()
  dismissToasts()
  await bar.click()
  await expect.element(sheet().getByText(/^You noted this before the event began/)).toBeVisible()
  expect(
    sheet()
      .getByText(/danger/i)
      .query(),
  ).toBeNull()
  await choose('Understood')
  await expect.element(sheet()).not.toBeInTheDocument()
})

test('F31 a phone that cannot save sends at once, and the warden is told that it is not saved', async () => {
  await open()
  server.answer(setPersonStatus, cutOff)
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError')
  })
  await record(1, 'Safe on floor')

  await expect.element(page.getByText(/^This phone cannot save records\. Keep this page open/)).toBeVisible()
  await shows(1, 'Safe on floor (waiting)')
})
