import { listEventSites } from '#features/events/calls/events.ts'
import { concludeEvent, startEvent } from '../rig/api.ts'
import { expect, mark, openFloorOn, press, signInOn, test } from './support/test.ts'

/** So long the warden has no signal, by a phone's clock that is set back: no one waits. */
const deadZone = 45_000

/** What a record shows of a moment at the site. */
const shownAt = (ms: number) =>
  new Date(ms).toLocaleTimeString('en-AU', { timeZone: 'Australia/Sydney', hourCycle: 'h23' })

test('KIND-07 REC2-04 AAR-10 REC2-05 AAR-23 AAR-44 what a warden saw without signal stands in the record as late, clear times are those of the clock, and sentences follow', async ({
  organisation,
  phone,
  product,
}) => {
  const manager = await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const event = (await manager(listEventSites, {})).data.activeEvent?.id
  // the event began two minutes ago
  await product.pool.query(
    `update event set started_at = started_at - interval '2 minutes', began_at = began_at - interval '2 minutes' where uid = $1`,
    [event],
  )
  const chief = await phone()
  await signInOn(chief, organisation.chief)
  const warden = await phone()
  await openFloorOn(warden, organisation.floor1)
  await chief.goto('/event/management')
  for (const page of [chief, warden]) await expect(page.getByText('DRILL. This is an exercise.')).toBeInViewport()
  await mark(warden, 'Bruno Castillo 02', 'Safe on floor')

  await warden.context().setOffline(true)
  await warden.evaluate((ms) => {
    const now = Date.now
    Date.now = () => now() - ms
    Object.assign(globalThis, {
      setClock() {
        Date.now = now
      },
    })
  }, deadZone)
  await mark(warden, 'Chen Liu 03', 'Danger on floor')
  await mark(warden, 'Amara Adeyemi 01', 'Safe on floor')
  await warden.evaluate('setClock()')
  await warden.context().setOffline(false)
  await expect(warden.getByText('(waiting)')).toHaveCount(0)
  const from = Date.now()
  await warden.getByRole('combobox', { name: 'Floor status', exact: true }).selectOption('Evacuated')
  await press(warden, 'Set it')
  const until = Date.now()
  const cleared = async () => {
    const { rows } = await product.pool.query(
      `select observed_at from journal where event_uid = $1 and action = 'floor_status_set'`,
      [event],
    )
    return rows.map(({ observed_at }) => Number(observed_at))
  }
  await expect.poll(async () => (await cleared()).length).toBe(1)
  const [clearAt = 0] = await cleared()
  expect(clearAt).toBeGreaterThan(from - 2000)
  expect(clearAt).toBeLessThan(until + 2000)
  await concludeEvent(manager)

  // the chief ended the event on another device: this page of the chief goes to the report-in list
  await expect(chief.getByRole('heading', { name: 'Report In List' })).toBeVisible()
  await chief.getByRole('link', { name: 'Past events' }).click()
  await expect(async () => {
    await press(chief, 'Refresh')
    await expect(chief.getByText('Record 1', { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await chief.getByRole('listitem').getByRole('link').first().click()
  const summary = chief.getByRole('region', { name: 'Summary' })
  await expect(summary).toBeVisible({ timeout: 60_000 })
  const sentences = await summary.locator('.rec-sentence').allTextContents()
  const sitesAndTimes = /t\d+x\d+|\d+:\d\d(:\d\d)?|\d+ \w+ 20\d\d/g
  expect(sentences.map((line) => line.replace(sitesAndTimes, '…'))).toEqual([
    'The drill "Fire" at Wharf … (Tower A) began at … on … and ended at …, after ….',
    'It was started by Grace Chief (Chief Warden) and ended by Grace Chief (Chief Warden).',
    'People were told beforehand.',
    '33 people were to be accounted for. When it ended 2 were safe, 30 unknown and 1 in danger.',
    '31 people had not been accounted for when it ended.',
    '1 of 3 floors was reported clear; the last was Tower A - Level 1 after ….',
    '1 floor was reported clear while 28 of its people were still unknown or in danger.',
    '2 of 4 wardens answered: 2 reported in, 0 not available. Half had answered after ….',
    '2 of 3 floors had no warden, and nothing was recorded there: Tower A - Level 2, Tower A - Ground.',
    'All 2 people with an evacuation plan were safe, the last after ….',
    '2 records reached the server more than 30 s after they were made, the latest after …. The figures use the times at which they were made.',
    'No warden on duty was out of contact for more than 90 s.',
  ])
  const floors = chief.getByRole('region', { name: 'Floors', exact: true })
  const { rows } = await product.pool.query(
    "select recorded_at as started_at from journal where event_uid = $1 and action = 'event_started'",
    [event],
  )
  const seconds = Math.floor((clearAt - Number(rows[0].started_at)) / 1000)
  const clearAfter = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  await expect(floors.getByRole('row', { name: /^Level 1/ })).toContainText(clearAfter)

  await chief.getByRole('link', { name: 'Timeline', exact: true }).click()
  await chief.getByText('Everything').click()
  const entry = (words: string) => chief.getByRole('listitem').filter({ hasText: words }).first()
  await expect(entry('Level 1: Evacuated')).toContainText(shownAt(clearAt))
  await expect(entry('Bruno Castillo 02: Safe')).not.toContainText('late')
  for (const words of ['Chen Liu 03: In Danger', 'Amara Adeyemi 01: Safe'])
    await expect(entry(words)).toContainText(/late/)
})
