import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { themeStore } from '../../lib/look/theme.ts'
import { connectionStore } from '../../live/connection-state.ts'
import { unreadStore } from '../../live/unread.ts'
import { pendingCountStore } from '../../outbox/record-counts.ts'
import { getAuth, updateAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff, refused } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { flags, noFlags } from '../../testing/stored-auth.ts'

const menu = page.getByRole('dialog', { name: 'Menu' })
async function openMenu(...args: Parameters<typeof renderApp> | []) {
  const app = await renderApp(args[0] ?? '/me/role', args[1])
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await expect.element(menu).toBeVisible()
  return app
}
const places = () => [...document.querySelectorAll('header [role=status]')]
const texts = (selector: string) => [...document.querySelectorAll(`dialog ${selector}`)].map((one) => one.textContent)

test('MENU-01, MENU-02 title, sections and entries letter for letter and in order', async () => {
  await openMenu()
  await expect.element(menu.getByRole('heading', { level: 2, name: 'Menu' })).toBeVisible()
  expect(texts('h3')).toEqual(['evacuee management', 'evacuation status', 'warden activities', 'records'])
  expect(texts('nav a')).toEqual([
    'floor evacuation',
    'evacuee safety',
    'floor evacuation status',
    'Evacuation Status',
    'Command Board',
    'Wardens On duty',
    'Warden Messaging',
    'Event Management',
    'Floor Warden Status',
    'Floors Without a Warden',
    'Coverage',
    'My Role & Documents',
    'Past Events',
    'Observation',
  ])
})

test("AAR-36 'Past Events' stands in the section 'records', after the others, and opens them", async () => {
  const app = await openMenu('/me/role', { auth: { module_access: flags('Module_Event_Records') } })
  expect(texts('h3')).toEqual(['warden activities', 'records'])

  await menu.getByRole('link', { name: 'Past Events', exact: true }).click()
  expect(app.address()).toBe('/event/records')
})

test('AMB-013 no style changes the letter case', async () => {
  await openMenu()
  const cases = [...document.querySelectorAll('dialog h3, dialog nav a')].map(
    (one) => getComputedStyle(one).textTransform,
  )
  expect(new Set(cases)).toEqual(new Set(['none']))
})

/** Entries for command, which share a module with one of these. */
const besides = ['Command Board', 'Coverage', 'Floors Without a Warden']

test.each([
  ['MENU-03', 'Module_Floor_Evacuation', 'floor evacuation', '/floor/evacuation'],
  ['MENU-04', 'Module_Evacuee_Safety', 'evacuee safety', '/evacuee/safety'],
  ['MENU-05', 'Module_Floor_Evacuation_Status', 'floor evacuation status', '/floor/evacstatus'],
  ['MENU-06', 'Module_Wardens_On_Duty', 'Wardens On duty', '/warden/onduty'],
  ['MENU-07', 'Module_Warden_Messaging', 'Warden Messaging', '/message/all'],
  ['MENU-08', 'Module_Event_Management', 'Event Management', '/event/management'],
  ['MENU-10', 'Module_Floor_Warden_Status', 'Floor Warden Status', '/floor/warden/status'],
  ['MENU-10', 'Module_Building_Evacuation_Status', 'Evacuation Status', '/building/status'],
] as const)('%s %s alone shows %s, which opens %s', async (_, flag, text, path) => {
  const app = await openMenu('/me/role', { auth: { module_access: flags(flag) } })
  expect(texts('nav a').filter((one) => !besides.includes(one ?? ''))).toEqual([
    text,
    'My Role & Documents',
    'Observation',
  ])

  await menu.getByRole('link', { name: text, exact: true }).click()
  expect(app.address()).toBe(path)
})

test("AAR-28 'Observation' stands in the section 'records' for everyone on duty, and opens it", async () => {
  const app = await openMenu('/me/role', { auth: { module_access: noFlags } })
  expect(texts('h3')).toEqual(['warden activities', 'records'])
  await menu.getByRole('link', { name: 'Observation', exact: true }).click()
  expect(app.address()).toBe('/event/observation')
})

test("MENU-09 'My Role & Documents' is always shown and opens /me/role", async () => {
  const app = await openMenu('/me/role', { auth: { module_access: noFlags } })
  expect(texts('nav a')).toEqual(['My Role & Documents', 'Observation'])
  await menu.getByRole('link', { name: 'My Role & Documents' }).click()
  expect(app.address()).toBe('/me/role')
})

test('MENU-20 there is no menu before the warden has reported in, and it goes when the duty ends', async () => {
  await renderApp('/me/role', { auth: { on_duty: false } })
  await expect.element(page.getByText('page /me/role')).toBeVisible()
  expect(page.getByRole('button', { name: 'Menu' }).query()).toBeNull()

  updateAuth({ on_duty: true })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect.element(menu).toBeVisible()
  updateAuth({ on_duty: false })
  await expect.element(menu).not.toBeInTheDocument()
})

test.each([
  ['MENU-16', true, true, 'Unread Message from Evacuees and Wardens', '/message/all?view=inbox'],
  ['MENU-17', false, true, 'Unread Message from Evacuees only', '/evacuee/safety?message=unread'],
  ['MENU-18', true, false, 'Unread Message from Wardens only', '/message/all?view=inbox'],
])('%s banner for wardens %s, evacuees %s, which leads there', async (_, fromWardens, fromEvacuees, text, target) => {
  const app = await openMenu()
  unreadStore.set({ wardens: [], fromWardens, fromEvacuees, evacuees: 0 })
  await menu.getByRole('link', { name: text, exact: true }).click()
  expect(app.address()).toBe(target)
  await expect.element(page.getByRole('banner').getByText(text, { exact: true })).toBeVisible()
})

test.each([
  ['UX-84 MENU-16 of both', { evacuees: 10, wardens: ['a', 'b'] }, ['9+ evacuees', '2 wardens']],
  ['UX-84 MENU-17 of evacuees', { evacuees: 3, wardens: [] }, ['3 evacuees']],
  ['UX-84 MENU-18 of wardens', { evacuees: 0, wardens: ['a'] }, ['1 warden']],
])('%s the banner is one line with its counts', async (_, { evacuees, wardens }, counts) => {
  // the words are 291 px wide in Roboto, which fits 390 px, and 346 px in DejaVu Sans
  await page.viewport(counts.length > 1 ? 450 : 390, 844)
  await renderApp('/me/role')
  unreadStore.set({ wardens, evacuees, fromWardens: wardens.length > 0, fromEvacuees: evacuees > 0 })
  const text = page.getByText('Unread Message', { exact: false })
  await expect.element(text).toBeVisible()

  const line = text.element()
  const shown = [...(line.parentElement?.querySelectorAll('.tabular-nums') ?? [])].map((one) => one.textContent)
  expect(shown).toEqual(counts)
  expect(line.getBoundingClientRect().height).toBeLessThan(2 * Number.parseFloat(getComputedStyle(line).fontSize))
})

/** Spaces the letters so that the words are as wide as in Roboto, 21.79 em: the fonts of machines differ. */
function asInRoboto(words: HTMLElement) {
  const { fontSize, letterSpacing } = getComputedStyle(words)
  const letters = words.textContent.length
  words.style.whiteSpace = 'nowrap'
  const range = document.createRange()
  range.selectNodeContents(words)
  const own = range.getBoundingClientRect().width - letters * Number.parseFloat(letterSpacing)
  const wider = (21.79 * Number.parseFloat(fontSize) - own) / letters
  words.style.letterSpacing = `${Number.parseFloat(letterSpacing) + wider}px`
  words.style.whiteSpace = ''
}

test('UX-84 MENU-16 in the menu of a phone of 360 px the banner of both is one line with both counts', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(390, 844))
  await openMenu()
  unreadStore.set({ wardens: ['a', 'b'], fromWardens: true, fromEvacuees: true, evacuees: 10 })
  const line = menu.getByText('Unread Message from Evacuees and Wardens')
  await expect.element(line).toBeVisible()
  const words = line.element() as HTMLElement
  asInRoboto(words)

  const counts = [...(words.parentElement?.querySelectorAll('.tabular-nums') ?? [])]
  expect(counts.map(({ textContent }) => textContent)).toEqual(['9+ evacuees', '2 wardens'])
  const size = Number.parseFloat(getComputedStyle(words).fontSize)
  expect(size).toBeGreaterThanOrEqual(11)
  expect(words.getBoundingClientRect().height).toBeLessThan(2 * size)
  const edge = menu.element().getBoundingClientRect().right
  expect(Math.max(...counts.map((count) => count.getBoundingClientRect().right))).toBeLessThanOrEqual(edge)
})

test('MENU-16 the place of the banner is there before its text, or a screen reader would not read it out', async () => {
  await renderApp('/me/role')
  // The header alone has one place. The places below the header come together, in a file of their own.
  await expect.poll(() => places().length).toBeGreaterThan(1)
  const before = places()

  unreadStore.set({ wardens: [], fromWardens: false, fromEvacuees: true, evacuees: 1 })

  const text = page.getByText('Unread Message from Evacuees only')
  await expect.element(text).toBeVisible()
  expect(before).toContain(text.element().closest('[role=status]'))
})

test('MENU-19 nothing unread, no banner', async () => {
  await openMenu()
  expect(page.getByText('Unread Message', { exact: false }).query()).toBeNull()
})

test('AMB-015 without the wardens flag the banner leads to the evacuees', async () => {
  const app = await openMenu('/me/role', { auth: { module_access: flags('Module_Evacuee_Safety') } })
  unreadStore.set({ wardens: [], fromWardens: true, fromEvacuees: true, evacuees: 1 })
  await menu.getByRole('link', { name: 'Unread Message', exact: false }).click()
  expect(app.address()).toBe('/evacuee/safety?message=unread')
})

test('RT-07, AMB-017 the connection status stands in the header and at the foot of the menu', async () => {
  await openMenu()
  const shown = () => [...document.querySelectorAll('[data-connection]')].map((one) => one.textContent)
  await expect.poll(shown).toEqual(['Disconnected', 'Disconnected'])
  connectionStore.set('Connecting')
  await expect.poll(shown).toEqual(['Connecting...', 'Connecting...'])
  connectionStore.set('Connected')
  await expect.poll(shown).toEqual(['Connected', 'Connected'])
})

test("UX-51 before reporting in the line under the title reads 'Not on duty'", async () => {
  await renderApp('/reportin', { auth: { on_duty: false } })
  const bar = page.getByRole('banner')
  await expect.element(bar.getByText('Not on duty', { exact: true })).toBeVisible()
  expect(bar.getByText('Disconnected').query()).toBeNull()
})

test('UI the theme is chosen in the menu', async () => {
  await openMenu()
  await menu.getByText('Light', { exact: true }).click()
  expect(themeStore.get()).toBe('light')
  expect(document.documentElement.dataset.theme).toBe('light')
})

const dialog = page.getByRole('alertdialog', { name: 'Go Off Duty?' })
const openGoOffDuty = async (given?: NonNullable<Parameters<typeof renderApp>[1]>['given']) => {
  const app = await openMenu('/me/role', given ? { given } : {})
  await menu.getByRole('button', { name: 'Go Off Duty' }).click()
  await expect.element(dialog).toBeVisible()
  return app
}

test('MENU-11, MENU-12, MENU-13, MENU-14 the red button opens the dialog with its text and buttons', async () => {
  await openGoOffDuty()
  const button = page.getByRole('button', { name: 'Go Off Duty', includeHidden: true }).element()
  expect(getComputedStyle(button).backgroundColor).toBe('rgb(200, 35, 51)')
  await expect
    .element(
      dialog.getByText(
        'You will be reported as Off Duty and signed out of the current event. You can sign in again if necessary.',
        { exact: true },
      ),
    )
    .toBeVisible()
  expect(
    dialog
      .getByRole('button')
      .all()
      .map((one) => one.element().textContent),
  ).toEqual(['Logout', 'Cancel'])
})

test('MENU-11 Go Off Duty is in reach without scrolling, also on a small phone', async () => {
  await page.viewport(320, 568)
  await openMenu()
  await expect.element(menu.getByRole('button', { name: 'Go Off Duty' })).toBeInViewport()
  await page.viewport(390, 844)
})

test('MENU-15 Cancel closes the dialog and nothing is called', async () => {
  const app = await openGoOffDuty()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(app.server.received(logout)).toHaveLength(0)
})

test('SESSION-16, SESSION-17 Logout calls logout, clears everything stored and goes to /login', async () => {
  const app = await openGoOffDuty((server) => server.answer(logout, { status: 'logout_success', message: '' }))
  localStorage.setItem('lockStartTime', '1')

  await dialog.getByRole('button', { name: 'Logout' }).click()

  await expect.poll(() => app.load.mock.calls).toEqual([['/login']])
  expect({ ...localStorage }).toEqual({ lockStartTime: '1' })
})

test('UI while safety records wait the dialog says how many, and can leave once they are sent', async () => {
  const app = await openGoOffDuty((server) => server.answer(logout, { status: 'logout_success', message: '' }))
  expect(dialog.getByText(/wait/).query()).toBeNull()

  pendingCountStore.set(3)

  await expect.element(dialog.getByText(/^3 safety records wait to be sent/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Logout once sent' }).click()
  pendingCountStore.set(1)
  await expect.element(dialog.getByText(/^1 safety record waits to be sent/)).toBeVisible()
  expect(app.server.received(logout)).toHaveLength(0)

  pendingCountStore.set(0)

  await expect.poll(() => app.load.mock.calls).toEqual([['/login']])
})

test('MENU-15 Cancel also ends the wait for what is not sent', async () => {
  const app = await openGoOffDuty()
  pendingCountStore.set(2)
  await dialog.getByRole('button', { name: 'Logout once sent' }).click()

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  pendingCountStore.set(0)

  await expect.element(menu).toBeVisible()
  expect(app.server.received(logout)).toHaveLength(0)
})

test('SESSION-17 while the browser leaves, neither the page nor the login page is shown', async () => {
  const app = await openGoOffDuty((server) => server.answer(logout, { status: 'logout_success', message: '' }))

  await dialog.getByRole('button', { name: 'Logout' }).click()

  await expect.element(page.getByRole('status').getByText('Loading...')).toBeVisible()
  expect(page.getByText(/^page /).query()).toBeNull()
  await expect.poll(() => app.load.mock.calls).toEqual([['/login']])
  await expect.element(page.getByRole('status').getByText('Loading...')).toBeVisible()
})

test('SESSION-18, SESSION-19 refused: the dialog closes, a danger toast says why, the warden stays on duty', async () => {
  const message = 'You are the only Event Manager on duty.'
  const app = await openGoOffDuty((server) => server.answer(logout, { status: 'cannot_logout', message }))

  await dialog.getByRole('button', { name: 'Logout' }).click()

  await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect([app.address(), getAuth()?.on_duty, app.load.mock.calls]).toEqual(['/me/role', true, []])
})

test.each([
  ['no signal', cutOff],
  ['a broken server', refused('server_error')],
])(
  'SESSION-24, AMB-047 with %s the dialog stays, nothing is said, and Logout can be pressed again',
  async (_, answer) => {
    const app = await openGoOffDuty((server) => server.answer(logout, answer))

    await dialog.getByRole('button', { name: 'Logout' }).click()
    await expect.poll(() => app.server.received(logout).length).toBe(1)
    await expect.element(dialog.getByRole('button', { name: 'Logout' })).not.toHaveAttribute('aria-busy')
    await userEvent.click(dialog.getByRole('button', { name: 'Logout' }))

    await expect.poll(() => app.server.received(logout).length).toBe(2)
    expect(getAuth()).not.toBeNull()
    expect(document.querySelector('[role=alert]')?.textContent).toBe('')
  },
)

test.each(['dark', 'light'] as const)('UI axe finds nothing in the menu and the dialog, %s', async (theme) => {
  await openGoOffDuty()
  const { chooseTheme } = await import('../../lib/look/theme.ts')
  chooseTheme(theme)
  unreadStore.set({ wardens: [], fromWardens: true, fromEvacuees: true, evacuees: 1 })
  await expectNoAxeViolations()
})
