import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { unreadStore } from '#web/live/unread.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { conversationWith, messengerData, warden } from '#web/testing/message-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { filterMessenger, getMessengerData, listInbox, type MessengerWarden } from '../calls/messenger.ts'
import { AllMessagesScreen } from './all-messages-screen.tsx'
import { button, delaysOf, messagingOnScreen, shown } from './thread.fixture.tsx'

const { server } = messagingOnScreen()
const data = messengerData([warden(1), warden(2, { status: 'Off Duty', unread: true })])
const [towerA, towerB, towerC] = data.buildings.map(({ id }) => id)

async function open(wardens: MessengerWarden[] = data.messengerList, at = '/message/all') {
  server.answer(getMessengerData, messengerData(wardens))
  server.answer(filterMessenger, { messengerList: wardens })
  server.answer(listInbox, { cspdList: wardens.filter(({ unread }) => unread).map((one) => conversationWith(one)) })
  const screen = await renderScreen(<AllMessagesScreen />, { at, route: '/message/all' })
  await expect.element(tab('Filters')).toBeVisible()
  return screen
}
const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
const dropdown = (name: string) => page.getByRole('button', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })
const option = (name: string) => page.getByRole('checkbox', { name })
const asked = () => server.received(filterMessenger).at(-1)?.input.query
/** Ticks one of several boxes. The finger rests, so that a slow machine does not close the filter before the next. */
const tick = async (filter: string, name: string) => {
  await option(name).click()
  const panel = page.getByRole('group', { name: filter }).element()
  panel.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
}
const names = (list: string) =>
  [...page.getByRole('list', { name: list }).element().querySelectorAll('li p:first-child')].map(
    (one) => one.textContent,
  )

test('ALLMSG-01 ALLMSG-02 ALLMSG-03 ALLMSG-04 ALLMSG-05 ALLMSG-22 the filters view', async () => {
  await open()

  await expect.element(tab('Filters')).toHaveAttribute('aria-selected', 'true')
  await expect.element(tab('Inbox')).toBeVisible()
  for (const name of ['Building(s)', 'Role(s)', 'Status']) await expect.element(dropdown(name)).toBeVisible()
  await shown('Count: 2')
  await expect.element(button('Clear')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Broadcast' })).toBeVisible()
  await expect.element(page.getByRole('searchbox')).toBeVisible()
  expect(asked()).toEqual({ b: 'all', r: 'all', s: 'all' })
  await expectNoAxeViolations()
})

test.each([
  ['the filters view', '/message/all', { headings: 2, filters: 3, search: 2, fields: 3 }],
  ['the inbox', '/message/all?view=inbox', { headings: 2, search: 2 }],
])(
  'UX-83 until it is read, %s is outlined in its shape, and its wardens where they will be',
  async (_, at, outline) => {
    // In some fonts the two buttons of the filters view have no room beside the count at 390 px.
    await page.viewport(430, 844)
    onTestFinished(() => page.viewport(390, 844))
    const answer = Promise.withResolvers<void>()
    server.answer(getMessengerData, () => answer.promise.then(() => data))
    server.answer(filterMessenger, { messengerList: data.messengerList })
    server.answer(listInbox, { cspdList: data.messengerList.map((one) => conversationWith(one)) })
    await renderScreen(<AllMessagesScreen />, { at, route: '/message/all' })
    const parts = (name: string) => [...document.querySelectorAll(`[data-part=${name}]`)]
    await expect.poll(() => parts('contact').length).toBe(3)
    for (const [part, blocks] of Object.entries(outline)) expect(parts(part)[0]?.childElementCount).toBe(blocks)
    const top = parts('contact')[0]?.getBoundingClientRect().top ?? 0
    await expectNoAxeViolations()

    answer.resolve()

    const first = page.getByRole('listitem').first()
    await expect.element(first).toBeVisible()
    expect(Math.abs(first.element().getBoundingClientRect().top - top)).toBeLessThan(30)
    expect(parts('contact')).toEqual([])
  },
)

test('ALLMSG-06 ALLMSG-07 ALLMSG-08 ALLMSG-23 the inbox lists whom one has a conversation with', async () => {
  await open()
  await tab('Inbox').click()

  await expect.poll(() => names('Inbox')).toEqual(['Warden 2Unread'])
  await expect.element(page.getByRole('searchbox', { name: 'Search Inbox' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Message Warden 2, unread' }))
    .toHaveAttribute('href', `/message/warden/${warden(2).id}?from=${encodeURIComponent('/message/all?view=inbox')}`)
  await expect.element(page.getByRole('link', { name: 'Call Warden 2' })).toHaveAttribute('href', 'tel:+61491000002')
  await expectNoAxeViolations()
})

test('ALLMSG-24 a row of the inbox says in one line what was written last, by whom and when', async () => {
  await open()
  const long = 'Stair 2 is blocked by smoke on Level 3.\nWe go down by stair 1, and I count everyone at the bottom.'
  server.answer(listInbox, {
    cspdList: [conversationWith(warden(2), { text: long }), conversationWith(warden(1), { text: 'Thanks', own: true })],
  })
  await tab('Inbox').click()

  const rows = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem')
  await expect.poll(() => rows.nth(1).element().textContent).toMatch(/You: Thanks21 Jan, 14:04:05$/)
  expect(rows.nth(0).element().textContent).toContain(`${long}21 Jan, 14:04:05`)
  const line = rows.nth(0).element().querySelector('[data-last]') as HTMLElement
  expect(line.scrollHeight).toBeGreaterThan(line.clientHeight)
  expect(line.clientHeight).toBeLessThan(30)
  await expectNoAxeViolations()
})

test('AMB-015 the banner opens the inbox', async () => {
  await open(data.messengerList, '/message/all?view=inbox')

  await expect.element(tab('Inbox')).toHaveAttribute('aria-selected', 'true')
})

test('ALLMSG-07 ALLMSG-16 the list keeps the server’s order by name and marks who is unread', async () => {
  await open()

  await expect.poll(() => names('Wardens')).toEqual(['Warden 1', 'Warden 2Unread'])
  unreadStore.set({ wardens: [warden(1).id], fromWardens: true, fromEvacuees: false, evacuees: 0 })
  await expect.poll(() => names('Wardens')).toEqual(['Warden 1Unread', 'Warden 2Unread'])
})

test('ALLMSG-09 the inbox tab is marked while something is unread', async () => {
  await open([warden(1)])
  await expect.element(page.getByRole('tab', { name: 'Inbox', exact: true })).toBeVisible()
  unreadStore.set({ wardens: [], fromWardens: true, fromEvacuees: false, evacuees: 0 })

  await expect.element(page.getByRole('tab', { name: 'Inbox , unread messages' })).toBeVisible()
})

test('ALLMSG-10 ALLMSG-12 no one found: it says so, and no one can be broadcast to', async () => {
  await open([])

  await shown('No Wardens Found')
  await expect.element(button('Broadcast')).toBeDisabled()
})

test.for([
  ['no_event', 'No Current Events'],
  ['not_on_duty', 'You are not on duty in this event.'],
] as const)('PROD-12 AMB-149 with %s it reads why there is no one, and offers nothing', async ([error, message]) => {
  const nobody = { messengerList: [], buildings: [], roles: [], senderWardenSignInUid: null, sms_allowed: true }
  server.answer(getMessengerData, { ...nobody, error, message })
  await renderScreen(<AllMessagesScreen />, { at: '/message/all', route: '/message/all' })

  await shown(message)
  expect(page.getByRole('tab').elements()).toEqual([])
  expect(server.received(filterMessenger)).toEqual([])
  await expectNoAxeViolations()
})

test('ALLMSG-11 GRP-19 Broadcast takes the listed wardens along', async () => {
  const screen = await open()
  await page.getByRole('link', { name: 'Broadcast' }).click()

  await expect.poll(screen.address).toBe('/message/group')
  expect(screen.state()).toEqual({
    audience: data.messengerList.map(({ id, name, wardenSignInUid, status }) => ({
      id,
      name,
      wardenSignInUid,
      status,
    })),
    senderWardenSignInUid: someSignIn,
    sms_allowed: true,
  })
})

test('ALLMSG-13 ALLMSG-14 ALLMSG-15 not available brings off duty along, all four are none in particular', async () => {
  await open()
  await dropdown('Status').click()
  expect([...document.querySelectorAll('fieldset label')].map((one) => one.textContent)).toEqual([
    'On Duty',
    'Off Duty',
    'Unknown',
    'Not Available',
  ])
  await tick('Status', 'Not Available')
  await expect.poll(asked).toMatchObject({ s: 'not available,off duty' })
  await tick('Status', 'Off Duty')
  await expect.poll(asked).toMatchObject({ s: 'all' })
  await expect.element(option('Not Available')).not.toBeChecked()
  await tick('Status', 'Not Available')
  await expect.element(option('Off Duty')).toBeChecked()
  await tick('Status', 'On Duty')
  await tick('Status', 'Unknown')

  await expect.poll(asked).toMatchObject({ s: 'all' })
  await expect.element(dropdown('Status')).toHaveTextContent('Status')
})

test('ALLMSG-17 ALLMSG-18 the server searches from one character on, and again when cleared', async () => {
  await open()
  await page.getByRole('searchbox').fill('o')
  await expect.poll(asked).toMatchObject({ st: 'o' })
  await page.getByRole('searchbox').fill('')

  await expect.poll(asked).toEqual({ b: 'all', r: 'all', s: 'all' })
})

test('ALLMSG-19 so it does in the inbox', async () => {
  await open(data.messengerList, '/message/all?view=inbox')
  const asked = () => server.received(listInbox).at(-1)?.input.query
  await page.getByRole('searchbox').fill('o')
  await expect.poll(asked).toEqual({ searchText: 'o' })
  await page.getByRole('searchbox').fill('')

  await expect.poll(asked).toEqual({})
})

test('ALLMSG-20 a dropdown closes a second after the last choice', async () => {
  await open()
  const timers = vi.spyOn(window, 'setTimeout')
  await dropdown('Building(s)').click()
  await option('Tower A').click()
  await expect.element(option('Tower A')).toBeChecked()
  expect(delaysOf(timers)).toContain(1000)

  await expect.element(option('Tower A')).not.toBeInTheDocument()
  await expect.element(dropdown('Building(s): 1')).toBeVisible()
  expect(asked()).toMatchObject({ b: towerA })
})

test('ALLMSG-20 AMB-124 Esc closes a dropdown and leads the keyboard back to its button', async () => {
  await open()
  await dropdown('Building(s)').click()
  await userEvent.tab()
  await userEvent.keyboard('{Escape}')

  await expect.element(option('Tower A')).not.toBeInTheDocument()
  await expect.element(dropdown('Building(s)')).toHaveFocus()
})

test('AMB-143 several buildings are asked for together, and all of them are none in particular', async () => {
  await open()
  await dropdown('Building(s)').click()
  await tick('Building(s)', 'Tower A')
  await tick('Building(s)', 'Tower B')
  await expect.poll(asked).toMatchObject({ b: `${towerA},${towerB}` })
  await tick('Building(s)', 'Tower C')

  await expect.poll(asked).toMatchObject({ b: 'all' })
  expect(towerC).toBeDefined()
})

test('ALLMSG-21 Clear takes filters and search back', async () => {
  await open()
  await dropdown('Role(s)').click()
  await option('Chief Warden').click()
  await page.getByRole('searchbox').fill('smith')
  await expect.poll(asked).toMatchObject({ st: 'smith' })
  await button('Clear').click()

  await expect.element(page.getByRole('searchbox')).toHaveValue('')
  await expect.poll(asked).toEqual({ b: 'all', r: 'all', s: 'all' })
  await expect.element(page.getByRole('button', { name: 'Role(s)', exact: true })).toBeVisible()
})

/** A warden has ticked a role, and its dropdown still stands open. */
async function tickedRole() {
  await open()
  await dropdown('Role(s)').click()
  await option('Chief Warden').click()
  await expect.poll(asked).toMatchObject({ r: data.roles[0]?.id })
}

test('AMB-124 AMB-144 Clear, tapped right after a choice, clears', async () => {
  await tickedRole()
  await button('Clear').click()
  await expect.poll(asked).toEqual({ b: 'all', r: 'all', s: 'all' })
  await expect.element(option('Chief Warden')).not.toBeInTheDocument()
})

test('AMB-124 another dropdown, tapped right after a choice, opens and stays open', async () => {
  await tickedRole()
  await dropdown('Status').click()
  await expect.element(option('Off Duty')).toBeVisible()
  await expect.element(option('Chief Warden')).not.toBeInTheDocument()
})

test('AMB-124 Broadcast, tapped right after a choice, opens', async () => {
  server.answer(getMessengerData, data)
  const { address } = await open()
  await dropdown('Role(s)').click()
  await option('Chief Warden').click()
  await page.getByRole('link', { name: 'Broadcast' }).click()
  await expect.poll(address).toBe('/message/group')
})

test('AMB-124 a dropdown does not close under a finger that is still down', async () => {
  await tickedRole()
  const clear = button('Clear').element()
  clear.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await new Promise((resolve) => setTimeout(resolve, 1200))
  await expect.element(option('Chief Warden')).toBeVisible()

  clear.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  clear.dispatchEvent(new MouseEvent('click', { bubbles: true }))

  await expect.element(option('Chief Warden')).not.toBeInTheDocument()
})

test('UX-02 a filter lies over the list: it moves nothing when it opens or closes by itself, and a click elsewhere closes it', async () => {
  await open()
  await shown('Count: 2')
  const top = () => page.getByRole('list', { name: 'Wardens' }).element().getBoundingClientRect().top
  const before = top()
  await dropdown('Building(s)').click()
  await expect.element(option('Tower A')).toBeVisible()
  expect(top()).toBe(before)

  await tab('Filters').click()
  await expect.element(option('Tower A')).not.toBeInTheDocument()
  expect(top()).toBe(before)
})
