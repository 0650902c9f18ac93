import type { Page } from '@playwright/test'
import { makeWall } from '#features/board/calls/walls.ts'
import { listEventSites } from '#features/events/calls/events.ts'
import { getReportCode } from '#features/self-report/calls.ts'
import { listSimulatedTexts } from '#features/texts/calls/simulator.ts'
import { signIn, strangerOf } from '../rig/api.ts'
import { importOrganisation, type TestOrganisation } from '../rig/organisation.ts'
import type { Product } from '../rig/product.ts'
import { snapshot } from './support/pictures.ts'
import {
  card,
  expect,
  expectAccessible,
  mark,
  openFloorOn,
  openFromMenu,
  press,
  signInOn,
  test,
} from './support/test.ts'

const types = [
  'LOCK,Intruder,Someone dangerous inside,LOCKDOWN. Lock your door and hide.,lockdown,',
  'RED,Code Red,Fire or smoke,Code Red. Go to the next fire compartment.,move,the next fire compartment',
]
const phoneSize = { width: 390, height: 844 }

/** Counts what a phone would be noticed by: each oscillator, each vibration, and a screen that is kept awake. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    const heard = { oscillators: 0, vibrations: 0, awake: 0 }
    Object.assign(window, { heard })
    localStorage.setItem('alarmSound', 'on')
    const Oscillator = window.OscillatorNode
    window.OscillatorNode = class extends Oscillator {
      constructor(context: BaseAudioContext, options?: OscillatorOptions) {
        heard.oscillators++
        super(context, options)
      }
    }
    navigator.vibrate = () => {
      heard.vibrations++
      return true
    }
    if ('wakeLock' in navigator)
      navigator.wakeLock.request = async () => {
        heard.awake++
        return Object.assign(new EventTarget(), {
          released: false,
          type: 'screen',
          onrelease: null,
          release: async () => {
            heard.awake--
          },
        }) as never
      }
  })
const heardOn = (page: Page) => page.evaluate(() => (window as unknown as { heard: unknown }).heard)
const textsOn = async (product: Product, mobile: string) =>
  (await strangerOf(product)(listSimulatedTexts, { query: { mobile } })).map(({ body }) => body)

/** Who is called there where no one hides: each warden a second after the text. */
const callEveryone = (product: Product, { chief }: TestOrganisation) =>
  product.pool.query('update client set reach = $2 where uid = (select client_uid from person where email = $1)', [
    chief,
    JSON.stringify({
      plans: { report_in: ['text', 'call', 'mail'].map((way, seconds) => ({ way, seconds })) },
      texts: null,
      calls: null,
    }),
  ])
/** What was tried for each warden. */
async function triesOf(product: Product, { chief }: TestOrganisation) {
  const { rows } = await product.pool.query(
    `select distinct one.state, one.reason, (select count(*)::int from sms s where s.reach_uid = one.uid) as texts,
       (select count(*)::int from ring g where g.reach_uid = one.uid) as calls,
       (select count(*)::int from mail m where m.reach_uid = one.uid) as mails
     from reach one where one.client_uid = (select client_uid from person where email = $1)
       and one.state not in ('answered', 'going')`,
    [chief],
  )
  return rows
}

/** The chief starts an event of the type in Tower A on the screen of a desk. */
async function startOn(page: Page, { chief }: TestOrganisation, type: string, buildings = ['Tower A']) {
  await signInOn(page, chief)
  await page.getByRole('button', { name: 'Start Event' }).click()
  for (const building of buildings) await page.getByRole('checkbox', { name: building }).check()
  await page.getByLabel('Event type').selectOption({ label: type })
  await press(page, 'Start Event')
}
const confirm = async (page: Page) => {
  await press(page, 'Confirm')
  await press(page, 'OK')
  await expect(page.getByRole('region', { name: 'Current event' })).toBeVisible()
}

test('RESP-05 a lockdown: two phones, silent and dark, a wall and a poster that tell a gunman nothing, and the release', async ({
  product,
  phone,
}) => {
  test.setTimeout(180_000)
  const organisation = await importOrganisation(product, { eventTypes: types })
  await callEveryone(product, organisation)
  const desk = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await startOn(desk, organisation, 'Intruder')
  const dialog = desk.getByRole('alertdialog', { name: 'Start Event' })
  await expect(dialog.getByText('Lockdown', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Phones stay silent: one text each, no calls.')).toBeVisible()
  await expectAccessible(desk, 'start of a lockdown')
  await snapshot(desk, 'lockdown-start')
  await confirm(desk)

  const [one, two] = [
    await phone({ viewport: phoneSize, colorScheme: 'light' }),
    await phone({ viewport: phoneSize, colorScheme: 'light' }),
  ]
  for (const page of [one, two]) await listen(page)
  await openFloorOn(one, organisation.floor1)
  await openFloorOn(two, organisation.floor2)
  await expect(one.getByText(/^Lockdown in Tower A since \d\d:\d\d$/)).toBeVisible()
  await expect(one.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(one.getByText('Record everyone who is with you.')).toBeVisible()
  await expect(one.getByLabel('Floor status')).toContainText('Not locked')
  await mark(one, 'Bruno Castillo 02', 'Accounted for')
  await mark(one, 'Chen Liu 03', 'Needs help')
  await expect(card(one, 'Chen Liu 03').getByRole('button', { name: /Needs help/ })).toBeVisible()
  await one.getByLabel('Floor status').selectOption({ label: 'Locked' })
  await expect(one.getByRole('alertdialog').getByText(/needs? help/)).toBeVisible()
  await press(one, 'Set it')
  // at the top no card lies half under the counters
  await one.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(one, 'a floor in a lockdown')
  await snapshot(one, 'lockdown-floor')

  // the chief, who hides too, and the warden of the other floor hear of the danger without a sound
  await desk.goto('/event/board')
  await expect(desk.getByText(/^Lockdown in Tower A since/)).toBeVisible()
  await expect(desk.getByRole('heading', { name: 'Need help' })).toBeVisible()
  await expect(desk.getByRole('heading', { name: 'Floors locked' })).toBeVisible()
  await snapshot(desk, 'lockdown-board')
  await expectAccessible(desk, 'the board in a lockdown')
  const heard = { oscillators: 0, vibrations: 0, awake: 0 }
  expect(await heardOn(one)).toEqual(heard)
  expect(await heardOn(two)).toEqual(heard)

  const manager = await signIn(product, organisation.chief)
  const { data } = await manager(listEventSites, {})
  const site = data.sites[0]?.id as never
  for (const place of ['public', 'team'] as const) {
    const { url } = await manager(makeWall, { body: { site, name: place, place, days: 1 } })
    const wall = await phone({ viewport: { width: 1920, height: 1080 } })
    await wall.goto(`/wall${new URL(url).hash}`)
    if (place === 'public') {
      await expect(wall.getByRole('heading')).toHaveText('Lockdown. Stay where you are. Wait for the police.')
      const said = ((await wall.locator('body').textContent()) ?? '').replace(/\d\d:\d\d:\d\d/, '')
      expect(said).not.toMatch(/\d/)
      expect(said).not.toContain(organisation.site)
    } else await expect(wall.getByText(/^Lockdown in Tower A since/)).toBeVisible()
    await snapshot(wall, `lockdown-wall-${place}`)
    await expectAccessible(wall, `wall ${place}`)
  }

  const { url } = await manager(getReportCode, { query: { site } })
  const poster = await phone({ viewport: phoneSize, colorScheme: 'light', javaScriptEnabled: false })
  await poster.goto(new URL(url ?? '').pathname)
  await expect(poster.getByRole('link', { name: 'I am behind a locked door' })).toBeVisible()
  await expect(
    poster.getByText('Stay hidden. Keep this phone silent. Call 000 only if you can speak safely.'),
  ).toBeVisible()
  expect(await poster.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(0, 0, 0)')
  await snapshot(poster, 'lockdown-poster')

  // one text each
  expect(await textsOn(product, organisation.occupantMobile(1))).toEqual(['LOCKDOWN. Lock your door and hide.'])
  const silent = { state: 'over', reason: 'Building in lockdown.', texts: 1, calls: 0, mails: 0 }
  expect(await triesOf(product, organisation)).toEqual([silent])

  await desk.goto('/event/management')
  await press(desk, 'Change the action')
  const change = desk.getByRole('alertdialog', { name: 'Change the action' })
  await change.getByLabel('Action').selectOption({ label: 'All clear' })
  await expect(change.getByLabel('Broadcast message')).toHaveValue(
    'ALL CLEAR. The danger is over. Stay until you are told to move.',
  )
  await expectAccessible(desk, 'the change of an action')
  await snapshot(desk, 'change-action')
  await change.getByRole('button', { name: 'Change the action' }).click()
  await expect(
    one.getByRole('dialog', { name: 'All clear' }).or(one.getByRole('alertdialog', { name: 'All clear' })),
  ).toBeVisible()
  await snapshot(one, 'release-sheet')
  await press(one, 'Understood')
  await expect(one.getByText(/^All clear in Tower A since/)).toBeVisible()
  await expect(one.locator('html')).not.toHaveAttribute('data-theme', 'dark')
  await expect(one.getByLabel('Floor status')).toContainText('Waiting')
  await expect(card(one, 'Bruno Castillo 02').getByRole('button', { name: /Accounted for/ })).toBeVisible()
  await one.getByLabel('Floor status').selectOption({ label: 'Released' })
  await snapshot(one, 'release-floor')
  await desk.goto('/event/board')
  await snapshot(desk, 'release-board')
})

test('RESP-08 an evacuation turns into a lockdown in one of two buildings', async ({ product, phone }) => {
  test.setTimeout(120_000)
  const organisation = await importOrganisation(product, { eventTypes: types })
  const desk = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  await startOn(desk, organisation, 'Fire', ['Tower A', 'Tower B'])
  await confirm(desk)
  const [one, other] = [
    await phone({ viewport: phoneSize, colorScheme: 'light' }),
    await phone({ viewport: phoneSize, colorScheme: 'light' }),
  ]
  await openFloorOn(one, organisation.floor1)
  await openFloorOn(other, organisation.towerB)
  await mark(one, 'Bruno Castillo 02', 'Safe on floor')
  await desk.goto('/event/management')
  await press(desk, 'Change the action')
  const change = desk.getByRole('alertdialog', { name: 'Change the action' })
  await change.getByRole('checkbox', { name: /Tower B/ }).uncheck()
  await change.getByLabel('Action').selectOption({ label: 'Lockdown' })
  await change.getByRole('button', { name: 'Change the action' }).click()

  await expect(
    one.getByText('Lock the door. Lights off, out of sight, phones silent. Open to no one. Record who is with you.'),
  ).toBeVisible()
  await snapshot(one, 'lockdown-sheet')
  await press(one, 'Understood')
  await expect(card(one, 'Bruno Castillo 02').getByText(/^Before: Accounted for, \d\d:\d\d$/)).toBeVisible()
  await expect(one.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(other.getByText(/^Lockdown in Tower A since/)).toBeVisible()
  await expect(other.locator('html')).not.toHaveAttribute('data-theme', 'dark')
  await expect(other.getByLabel('Floor status')).toContainText('Not Started')
  await snapshot(other, 'lockdown-elsewhere')
  await openFromMenu(other, 'evacuee safety')
  await expect(other.getByRole('button', { name: /Safe or accounted for/ })).toBeVisible()
  await snapshot(other, 'lockdown-mixed-safety')
  await desk.goto('/event/board')
  await expect(desk.getByText(/^Lockdown in Tower A since/)).toBeVisible()
  await snapshot(desk, 'lockdown-mixed-board')
})

test('RESP-06 a hospital moves people: where to is asked before the start', async ({ product, phone }) => {
  test.setTimeout(120_000)
  const organisation = await importOrganisation(product, { eventTypes: types })
  const desk = await phone({ viewport: phoneSize })
  await startOn(desk, organisation, 'Code Red')
  const dialog = desk.getByRole('alertdialog', { name: 'Start Event' })
  await expect(dialog.getByLabel('Where to')).toHaveValue('the next fire compartment')
  await dialog.getByLabel('Where to').fill('')
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await dialog.getByLabel('Where to').fill('Ward 7 East')
  await snapshot(desk, 'move-start')
  await confirm(desk)
  const one = await phone({ viewport: phoneSize, colorScheme: 'light' })
  await openFloorOn(one, organisation.floor1)
  await expect(one.getByText(/^Move in Tower A since \d\d:\d\d/)).toContainText('Ward 7 East')
  await expect(one.getByLabel('Floor status')).toContainText('Not Started')
  await snapshot(one, 'move-floor')
})
