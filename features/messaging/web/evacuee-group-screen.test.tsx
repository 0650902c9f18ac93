import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type FilterSet, filterEvacuees } from '#features/evacuation/calls/safety.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { occupant, occupants } from '#web/testing/floor-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { floorId, serveSafety } from '#web/testing/safety-data.ts'
import { countEvacueeGroup, sendToEvacueeGroup } from '../calls/messaging.ts'
import { EvacueeGroupScreen } from './evacuee-group-screen.tsx'
import { box, button, messagingOnScreen, question, send, sendToGroup, shown } from './thread.fixture.tsx'

const { server } = messagingOnScreen()

const filters: FilterSet = {
  area: 'my area',
  floors: ['all'],
  message: 'show all',
  display: 'unknown',
  assist: false,
  visitor: true,
  refusal: false,
  search: '',
}
const evacueeGroup = (state: unknown = { filters, searchText: 'smi', sms_allowed: true }) => {
  serveSafety(server, occupants(23))
  return renderScreen(<EvacueeGroupScreen />, {
    at: { pathname: '/message/evacueegroup', state },
    route: '/message/evacueegroup',
  })
}
const found = { count: 12, without_mobile: 3, sms_refused: 0 }
const chips = () =>
  page
    .getByRole('list', { name: 'Filters' })
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent)

test('EGRP-01 EGRP-02 EGRP-03 EGRP-04 UX-03 the page counts whom the filters and the search find, and says who that is', async () => {
  server.answer(countEvacueeGroup, found)
  await evacueeGroup()

  await shown('SMS Count')
  await shown('12')
  await shown('15 people · 3 without a mobile number')
  await expect.poll(chips).toEqual(['Unknown', 'Visitors', '“smi”', 'My Area', 'Tower A, Level 1'])
  await shown('Message History Unavailable.')
  await expect.element(box()).toBeEnabled()
  expect(server.received(countEvacueeGroup)[0]?.input.body).toEqual({ filters: { ...filters, search: 'smi' } })
  await expectNoAxeViolations()
})

test('UX-05 the number of the button that led here comes first, and the question says who of them gets no text', async () => {
  server.answer(countEvacueeGroup, { count: 68, without_mobile: 2, sms_refused: 1 })
  await evacueeGroup()
  await shown('71 people · 2 without a mobile number · 1 refuses SMS')
  const recipients = page.getByRole('region', { name: 'Recipients' }).element().textContent
  expect(recipients).toMatch(/^71 people.*SMS Count68/)
  await send('Where are you?')

  await expect.element(page.getByRole('alertdialog', { name: 'Text 68 people?' })).toBeVisible()
  await expect
    .element(question().getByText('Not texted: 2 without a mobile number, 1 refuses SMS.', { exact: true }))
    .toBeVisible()
  await expectNoAxeViolations()
  await question().getByRole('button', { name: 'Cancel' }).click()
})

test('UX-05 where everyone can be texted the question leaves no one out', async () => {
  server.answer(countEvacueeGroup, { count: 68, without_mobile: 0, sms_refused: 0 })
  await evacueeGroup()
  await shown('68 people')
  await send('Where are you?')

  await expect.element(page.getByRole('alertdialog', { name: 'Text 68 people?' })).toBeVisible()
  expect(
    question()
      .getByText(/Not texted/)
      .query(),
  ).toBeNull()
  await question().getByRole('button', { name: 'Cancel' }).click()
})

test('EGRP-06 AMB-141 the message goes to the same filters; the server’s words tell the success', async () => {
  server.answer(countEvacueeGroup, found)
  server.answer(sendToEvacueeGroup, { status: 'message_sent', message: 'Message sent to 12 evacuees.' })
  await evacueeGroup()
  await sendToGroup('Are you out?')

  await shown('Message sent to 12 evacuees.')
  await expect.element(box()).toHaveValue('')
  expect(server.received(sendToEvacueeGroup)[0]?.input.body).toEqual({
    filters: { ...filters, search: 'smi' },
    floors: ['all'],
    automated_response_message: 0,
    msg: 'Are you out?',
    count: 12,
  })
})

test('EGRP-06 what was sent stays on the page, with whom it went to, after its toast has gone', async () => {
  server.answer(countEvacueeGroup, found)
  server.answer(sendToEvacueeGroup, { status: 'message_sent', message: 'Message sent to 12 evacuees.' })
  await evacueeGroup()
  const sent = page.getByRole('list', { name: 'Sent', exact: true })
  expect(sent.query()).toBeNull()
  await sendToGroup('Are you out?')
  await sendToGroup('Please answer.')

  await expect.element(page.getByText('Message sent to 12 evacuees.')).not.toBeInTheDocument()
  const entries = sent.getByRole('listitem').elements()
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^You · .*Are you out\?Sent: Unknown, visitors.*\.$/),
    expect.stringMatching(/Please answer\.Sent: /),
  ])
  const lowest = entries.at(-1)?.getBoundingClientRect().bottom ?? Number.NaN
  expect(lowest).toBeLessThanOrEqual(box().element().getBoundingClientRect().top)
  await expectNoAxeViolations()
})

test('UX-03 names are a tap away, 20 a page, with who cannot be texted', async () => {
  server.answer(countEvacueeGroup, { count: 21, without_mobile: 1, sms_refused: 1 })
  serveSafety(server, [occupant(1, { phone: null }), occupant(2, { sms_refused: true }), ...occupants(23).slice(2)])
  await renderScreen(<EvacueeGroupScreen />, {
    at: { pathname: '/message/evacueegroup', state: { filters, searchText: '', sms_allowed: true } },
    route: '/message/evacueegroup',
  })
  await shown('23 people · 1 without a mobile number · 1 refuses SMS')
  expect(server.received(filterEvacuees)).toEqual([])
  await button('see names').click()

  const rows = page.getByRole('list', { name: 'People' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(20)
  expect(rows.nth(0).element().textContent).toMatch(/^Person 01.*No mobile number$/)
  expect(rows.nth(1).element().textContent).toMatch(/^Person 02.*SMS refused$/)
  await expectNoAxeViolations()
  await button('Show more').click()
  await expect.poll(() => rows.elements().length).toBe(23)
  expect(server.received(filterEvacuees)[0]?.input.body).toEqual({ ...filters, search: '' })
  await expect.element(button('Show more')).not.toBeInTheDocument()
})

test('UX-03 a role without evacuee safety sees no names', async () => {
  server.answer(countEvacueeGroup, found)
  serveSafety(server, [])
  const { storedAuth } = await import('#web/testing/stored-auth.ts')
  await renderScreen(<EvacueeGroupScreen />, {
    at: { pathname: '/message/evacueegroup', state: { filters, searchText: '', sms_allowed: true } },
    route: '/message/evacueegroup',
    auth: { module_access: { ...storedAuth().module_access, Module_Evacuee_Safety: false } },
  })

  await shown('15 people · 3 without a mobile number')
  await expect.element(button('see names')).not.toBeInTheDocument()
})

const towerA = { ...filters, visitor: false, area: 'building', floors: [floorId(1), floorId(2)] }
const toTowerA = { filters: towerA, searchText: '', sms_allowed: true }

test('UX-04 a send asks with number, audience in words, message and segments; Cancel has the focus and sends nothing', async () => {
  server.answer(countEvacueeGroup, { count: 68, without_mobile: 2, sms_refused: 1 })
  await evacueeGroup(toTowerA)
  await expect.poll(chips).toEqual(['Unknown', 'Tower A, all 2 floors'])
  await send('Where are you?')

  await expect.element(page.getByRole('alertdialog', { name: 'Text 68 people?' })).toBeVisible()
  for (const text of ['Unknown, in Tower A, all 2 floors. Not Tower B.', 'Where are you?', '1 SMS each'])
    await expect.element(question().getByText(text, { exact: true })).toBeVisible()
  await expect.element(question().getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await question().getByRole('button', { name: 'Cancel' }).click()

  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(box()).toHaveValue('Where are you?')
  expect(server.received(sendToEvacueeGroup)).toEqual([])
})

test('UX-04 when the number has changed it is asked again with the new one, and sent to that', async () => {
  const counts = [found, { ...found, count: 85 }]
  server.answer(countEvacueeGroup, () => counts.shift() ?? { ...found, count: 85 })
  const answers = [
    refused('audience_changed'),
    { status: 'message_sent' as const, message: 'Message sent to 85 evacuees.' },
  ]
  server.answer(sendToEvacueeGroup, () => answers.shift() ?? cutOff)
  await evacueeGroup(toTowerA)
  await shown('12')
  await sendToGroup('Where are you?')

  await expect.element(page.getByRole('alertdialog', { name: 'Text 85 people?' })).toBeVisible()
  await shown('Not sent: it was 12, and is 85 now.')
  await expectNoAxeViolations()
  await question().getByRole('button', { name: 'Send to 85' }).click()

  await shown('Message sent to 85 evacuees.')
  await expect.element(box()).toHaveValue('')
  expect(server.received(sendToEvacueeGroup).map(({ input }) => input.body.count)).toEqual([12, 85])
})

test('UX-04 no one is left when it is pressed: that is a failure, and nothing is asked', async () => {
  const counts = [found]
  server.answer(countEvacueeGroup, () => counts.shift() ?? { ...found, count: 0 })
  server.answer(sendToEvacueeGroup, refused('audience_changed'))
  await evacueeGroup(toTowerA)
  await shown('12')
  await sendToGroup('Where are you?')

  await shown('Failed to send message')
  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(box()).toHaveValue('Where are you?')
})

test('UX-04 F12 a send whose answer was lost is the same request when it is sent again, whatever the number is by then', async () => {
  const counts = [found]
  server.answer(countEvacueeGroup, () => counts.shift() ?? { ...found, count: 11 })
  const answers = [cutOff, { status: 'message_sent' as const, message: 'Message sent to 12 evacuees.' }]
  server.answer(sendToEvacueeGroup, () => answers.shift() ?? cutOff)
  const { queryClient } = await evacueeGroup(toTowerA)
  await shown('12')
  await sendToGroup('Where are you?')
  await shown('Failed to send message')
  await queryClient.invalidateQueries()
  await shown('11')

  await button('Send').click()
  await question().getByRole('button', { name: 'Send to 12' }).click()

  await shown('Message sent to 12 evacuees.')
  const [first, second] = server.received(sendToEvacueeGroup)
  expect(second?.input.body).toEqual(first?.input.body)
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
})

test('UX-04 two presses at once on the button send once', async () => {
  const held = Promise.withResolvers<{ status: 'message_sent'; message: string }>()
  server.answer(countEvacueeGroup, found)
  server.answer(sendToEvacueeGroup, () => held.promise)
  await evacueeGroup(toTowerA)
  await send('Where are you?')
  const confirm = question().getByRole('button', { name: 'Send to 12' }).element() as HTMLButtonElement
  confirm.click()
  confirm.click()
  await expect.element(question()).not.toBeInTheDocument()
  await button('Send').click({ force: true })

  await expect.poll(() => server.received(sendToEvacueeGroup).length).toBe(1)
  held.resolve({ status: 'message_sent', message: 'Message sent to 12 evacuees.' })
  await shown('Message sent to 12 evacuees.')
  expect(server.received(sendToEvacueeGroup)).toHaveLength(1)
  await expect.element(question()).not.toBeInTheDocument()
})

test('EGRP-05 a failure is told, and the words stay', async () => {
  server.answer(countEvacueeGroup, found)
  server.answer(sendToEvacueeGroup, refused('sms_not_allowed'))
  await evacueeGroup()
  await sendToGroup('Are you out?')

  await shown('Failed to send message')
  await expect.element(box()).toHaveValue('Are you out?')
})

test('EGRP-07 AMB-140 without navigation state the page leads back to evacuee safety', async () => {
  const screen = await evacueeGroup(null)

  await expect.poll(screen.address).toBe('/evacuee/safety')
})

test('MSG-20 without SMS the group cannot be written to', async () => {
  server.answer(countEvacueeGroup, found)
  await evacueeGroup({ filters, searchText: '', sms_allowed: false })

  await shown('12')
  await expect.element(box()).toBeDisabled()
  expect((box().element() as HTMLTextAreaElement).placeholder).toMatch(/^ALL WARDENS SMS messaging is not activated/)
})

test('EGRP-08 no one to text, nothing to send', async () => {
  server.answer(countEvacueeGroup, { ...found, count: 0 })
  await evacueeGroup()

  await shown('0')
  await expect.element(box()).toBeDisabled()
})
