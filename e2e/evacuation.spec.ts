import { card, expect, mark, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

test('PROD-14 FLOOR-17 EVENT-01 RT-13 RT-01 UX-10 UX-21 a small evacuation on two phones: start, report in, mark in danger, see it, end', async ({
  organisation,
  phone,
}) => {
  const chief = await phone()
  const warden = await phone()

  // the chief starts a fire event in Tower A
  await signInOn(chief, organisation.chief)
  await chief.getByRole('button', { name: 'Start Event' }).click()
  await chief.waitForURL('**/event/management')
  await chief.getByRole('checkbox', { name: 'Tower A' }).check()
  await chief.getByRole('combobox', { name: /type/i }).selectOption({ label: 'Fire' })
  await chief.getByRole('button', { name: 'Start Event' }).click()
  await chief.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(chief.getByText('Event has been successfully created.')).toBeVisible()
  await chief.getByRole('button', { name: 'OK' }).click()

  // a floor warden reports in and sees the floor
  await signInOn(warden, organisation.floor1)
  await expect(warden.getByText('Event In Progress')).toBeVisible()
  await reportInOn(warden)
  await openFromMenu(warden, 'floor evacuation')
  await expect(
    warden.getByText('Only record the safety status of persons who will remain on this floor.'),
  ).toBeVisible()
  await expect(warden.getByText('Amara Adeyemi 01').first()).toBeVisible()

  // the chief opens the same floor
  await chief.waitForLoadState()
  await openFromMenu(chief, 'floor evacuation')
  await chief.getByRole('combobox', { name: 'Floor', exact: true }).selectOption({ label: 'Level 1' })
  const onChief = card(chief, 'Bruno Castillo 02')
  await expect(onChief.getByRole('button', { name: /Unknown/ })).toBeVisible()

  // the browser's Back closes the sheet that is open, and leads nowhere
  await card(warden, 'Bruno Castillo 02')
    .getByRole('button', { name: /Unknown/ })
    .click()
  await expect(warden.getByRole('dialog')).toBeVisible()
  await warden.evaluate(() => history.back())
  await expect(warden.getByRole('dialog')).toHaveCount(0)
  await expect(warden).toHaveURL(/floor\/evacuation$/)

  // two taps on the warden's phone; the chief's phone follows without being touched
  await mark(warden, 'Bruno Castillo 02', 'Danger on floor')
  await expect(card(warden, 'Bruno Castillo 02').getByRole('button', { name: /Danger on floor/ })).toBeVisible()
  await expect(onChief.getByRole('button', { name: /Danger on floor/ })).toBeVisible()

  // the chief is alarmed, wherever the screen is; who recorded it is not
  await expect(chief.getByRole('alert').getByText('1 person in danger, Tower A Level 1')).toBeVisible()
  await expect(chief).toHaveTitle('(1) All Wardens - Evac')
  await chief.getByRole('alert').getByRole('button', { name: 'Open' }).click()
  await expect(chief).toHaveURL(/evacuee\/safety$/)
  await expect(chief.getByRole('heading', { name: 'Bruno Castillo 02' })).toBeVisible()
  await expect(chief.getByRole('list', { name: 'Evacuees' }).getByRole('listitem')).toHaveCount(1)
  await expect(chief).toHaveTitle('All Wardens - Evac')
  await expect(warden.getByRole('alert').getByText('in danger')).toHaveCount(0)

  // the chief ends the event; the warden is told and comes back to the list
  await openFromMenu(chief, 'Event Management')
  await chief.getByRole('checkbox', { name: 'Tower A' }).check()
  await chief.getByRole('button', { name: 'End event' }).click()
  await chief.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(chief.getByText('The Event has been concluded. All Wardens will be signed out.')).toBeVisible()
  await expect(warden.getByText('The event has been concluded. All wardens will be signed out.')).toBeVisible()
  await warden.getByRole('button', { name: 'OK' }).click()
  await warden.waitForURL('**/reportinlist')
  await expect(warden.getByText('Current Assignment')).toBeVisible()
})
