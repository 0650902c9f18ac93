import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endEvent, listEventSites } from '#features/events/calls/events.ts'
import { getChannelToken, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { startEvent } from '../rig/api.ts'
import { answer, obstruct, picture, rewrite, snapshot } from './support/pictures.ts'
import { expect, mark, openFloorOn, press, reportInOn, signInOn, test } from './support/test.ts'

test('MENU-01 UI role, menu, banners and toasts of a warden on duty, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  await startEvent(product, organisation)
  const page = await phone()
  await signInOn(page, organisation.floor1)
  await reportInOn(page)
  await expect(page.getByText('Floor Warden', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /Emergency plan/ })).toBeVisible()
  await picture(page, 'my-role')
  await press(page, 'Menu')
  await picture(page, 'menu')
  await press(page, 'Go Off Duty')
  await picture(page, 'off-duty')

  await answer(page, logout, {
    status: 'cannot_logout',
    message: 'You are the only Event Manager on duty. You cannot go off duty.',
  })
  await press(page, 'Logout')
  await expect(page.locator('[data-variant=danger]').getByText('only Event Manager')).toBeVisible()
  await picture(page, 'toast-danger')
})

test('MENU-16 UI the banners of unread messages, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  await startEvent(product, organisation)
  for (const [slug, warden_unread_msg, evacuee_unread_msg] of [
    ['both', true, true],
    ['evacuees', false, true],
    ['wardens', true, false],
  ] as const) {
    const page = await phone()
    await obstruct(page, getChannelToken, 'cut off')
    await rewrite(page, pollEvent, (publication) => ({ ...publication, warden_unread_msg, evacuee_unread_msg }))
    await signInOn(page, organisation.floor1)
    await page.clock.install()
    if (slug === 'both') await reportInOn(page)
    await page.goto('/me/role')
    await expect(page.getByText('Floor Warden', { exact: true })).toBeVisible()
    // the poll may begin to wait only after a first step
    await expect(async () => {
      await page.clock.fastForward(15_000)
      await expect(page.getByText(/^Unread Message from/)).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await picture(page, `banner-${slug}`)
    await press(page, 'Menu')
    await picture(page, `menu-${slug}`)
  }
})

test('RT-01 RT-05 UI records that wait, the popup that only Logout leaves and the end of an event, in every size', {
  tag: '@long',
}, async ({ organisation, phone, product }) => {
  test.slow()
  const manager = await startEvent(product, organisation, ['Tower A', 'Tower B'])
  const page = await phone()
  await openFloorOn(page, organisation.floor1)
  await expect(page.getByText('Amara Adeyemi 01').first()).toBeVisible()
  const other = await phone()
  await signInOn(other, organisation.towerB)
  await reportInOn(other)
  await expect(other.getByText('Connected').first()).toBeVisible()

  await page.context().setOffline(true)
  await mark(page, 'Amara Adeyemi 01', 'Safe on floor')
  await snapshot(page, 'toast-undo')
  await mark(page, 'Chen Liu 03', 'Danger on floor')
  await press(page, 'Menu')
  await press(page, 'Go Off Duty')
  await expect(page.getByText(/^2 safety records wait/)).toBeVisible()
  await picture(page, 'off-duty-waiting')
  await press(page, 'Cancel')
  await page.keyboard.press('Escape')
  // whether they were sent before the end would be a matter of luck, and the popup says which wait
  await obstruct(page, setPersonStatus, 'cut off')
  await page.context().setOffline(false)

  const { data } = await manager(listEventSites, {})
  const eventType = data.activeEvent?.eventType as never
  const end = (name: string) => {
    const buildings = data.sites[0]?.buildings.filter((building) => building.name === name).map(({ id }) => id) ?? []
    return manager(endEvent, { body: { buildings, eventType, message: 'It is over', broadcastMessage: 'no' } })
  }
  await expect(page.getByText('Connected').first()).toBeVisible()
  await end('Tower A')
  const notice = page.getByRole('alertdialog', { name: 'Notice' })
  await expect(notice.getByText(/^2 safety records were not sent\./)).toBeVisible()
  await picture(page, 'blocking-popup')
  await end('Tower B')
  await expect(other.getByRole('alertdialog', { name: 'Warning' })).toBeVisible()
  await picture(other, 'conclusion')
})
