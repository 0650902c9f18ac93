import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listEventSites } from '#features/events/calls/events.ts'
import type { SiteUid } from '#kernel/ids.ts'
import { expectNoAxeViolations, expectNoAxeViolationsInAnySize } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { endWall, listWalls, makeWall, type WallLink } from '../calls/walls.ts'
import { WallsScreen } from './walls-screen.tsx'

const server = serverForEachTest()
const site = '00000000-0000-4000-8000-000000000009' as SiteUid
const uid = '00000000-0000-4000-8000-00000000000a'
const wall: WallLink = {
  uid,
  name: 'Control room',
  place: 'team',
  by: 'Grace Okafor',
  made_at: '2026-11-22T10:00:00.000Z',
  ends_at: '2027-02-20T10:00:00.000Z',
  seen_at: null,
}
beforeEach(() => {
  const sites = [{ id: site, name: 'Harbour Quarter', buildings: [] }]
  server.answer(listEventSites, { data: { sites, eventTypes: [], activeEvent: null, sms_allowed: true } })
  server.answer(listWalls, { walls: [] })
})
const open = () => renderScreen(<WallsScreen />, { at: '/event/walls' })
const make = () => page.getByRole('button', { name: 'Make a link' })

test('BOARD-30 a link asks for a name and for where the screen stands, without a preset', async () => {
  await open()
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  expect(
    page
      .getByRole('radio')
      .elements()
      .filter((one) => (one as HTMLInputElement).checked),
  ).toEqual([])
  await make().click()
  await expect.element(page.getByText('Give the screen a name.')).toBeVisible()
  await expect.element(page.getByText('Choose where the screen is.')).toBeVisible()
  await expectNoAxeViolations()
})

test('BOARD-30 BOARD-31 a made link is shown once as text, QR code and Open here', async () => {
  const url = `https://evac.test/wall#${'x'.repeat(43)}`
  server.answer(makeWall, { uid, url })
  await open()
  await page.getByLabelText('Name of the screen').fill(' Lobby ')
  await page.getByRole('radio', { name: /Where others can see it/ }).click()
  await make().click()
  await expect.element(page.getByRole('img', { name: 'QR code of the link for Lobby' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Link' })).toHaveValue(url)
  await expect.element(page.getByRole('link', { name: 'Open here' })).toHaveAttribute('href', url)
  await expect.element(page.getByText('Wall link made.')).toBeVisible()
  expect(server.received(makeWall)[0]?.input.body).toEqual({ site, name: 'Lobby', place: 'public', days: 90 })
  await expectNoAxeViolationsInAnySize()
})

test('BOARD-31 above 20 links the next one is refused with what to do', async () => {
  server.answer(makeWall, refused('too_many_links'))
  await open()
  await page.getByLabelText('Name of the screen').fill('Lobby')
  await page.getByRole('radio', { name: /In a room used by the emergency team/ }).click()
  await make().click()
  await expect.element(page.getByText('End a link first.')).toBeVisible()
})

test('BOARD-37 the list has name, place, by whom, since, last seen; End asks once', async () => {
  server.answer(listWalls, { walls: [wall] })
  server.answer(endWall, { status: 'success' })
  await open()
  const list = page.getByRole('list', { name: 'Wall screens' })
  await expect.element(list.getByText('Made by Grace Okafor, 22 Nov 2026.', { exact: false })).toBeVisible()
  await expect.element(list.getByText('Not opened yet.', { exact: false })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'End Control room' }).click()
  server.answer(listWalls, { walls: [] })
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect.element(page.getByText('Ended.')).toBeVisible()
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  expect(server.received(endWall)[0]?.input.params).toEqual({ uid })
})
