import { countEvacueeGroup, sendToEvacueeGroup, sendToWardenGroup } from '@evac/contract/calls/messaging.ts'
import { filterMessenger, type MessengerWarden } from '@evac/contract/calls/messenger.ts'
import { sendReportInLinks } from '@evac/contract/calls/report-in-links.ts'
import { type FilterSet, filterEvacuees } from '@evac/contract/calls/safety.ts'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '../../live/topic-refresh.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff, refused } from '../../testing/fake-server.ts'
import { occupant, occupants } from '../../testing/floor-data.ts'
import { warden } from '../../testing/message-data.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { floorId, serveSafety } from '../../testing/safety-data.ts'
import { someSignIn } from '../../testing/stored-auth.ts'
import { EvacueeGroupScreen } from './evacuee-group-screen.tsx'
import { box, button, delaysOf, messagingOnScreen, send, sendToGroup, shown } from './thread.fixture.tsx'
import { WardenGroupScreen } from './warden-group-screen.tsx'

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
const question = () => page.getByRole('alertdialog')

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

test('UX-05 where everybody can be texted the question leaves nobody out', async () => {
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
  const { storedAuth } = await import('../../testing/stored-auth.ts')
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

test('UX-04 nobody is left when it is pressed: that is a failure, and nothing is asked', async () => {
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

test('EGRP-08 nobody to text, nothing to send', async () => {
  server.answer(countEvacueeGroup, { ...found, count: 0 })
  await evacueeGroup()

  await shown('0')
  await expect.element(box()).toBeDisabled()
})

const members = (...statuses: string[]) =>
  statuses.map((status, at) => {
    const { id, name, wardenSignInUid } = warden(at + 1)
    return { id, name, wardenSignInUid, status: status as MessengerWarden['status'] }
  })
const wardenGroup = (audience = members('On Duty', 'Unknown'), more: object = {}) => {
  server.answer(filterMessenger, { messengerList: [] })
  return renderScreen(<WardenGroupScreen />, {
    at: {
      pathname: '/message/group',
      state: { audience, senderWardenSignInUid: someSignIn, sms_allowed: true, ...more },
    },
    route: '/message/group',
  })
}
const count = (label: string) => page.getByText(label, { exact: true }).element().parentElement?.textContent

test('GRP-01 GRP-04 GRP-06 GRP-07 GRP-08 GRP-09 who is on duty reads it in the app, all others get a text', async () => {
  await wardenGroup(members('on duty', 'ON DUTY', 'Unknown', 'Off Duty', 'Not Available'))

  expect([count('In App'), count('SMS'), count('Total')]).toEqual(['In App2', 'SMS3', 'Total5'])
  const list = page.getByRole('list', { name: 'Recipients' })
  expect([...list.element().children].map((one) => one.textContent)).toEqual([
    'Warden 1On Duty',
    'Warden 2On Duty',
    'Warden 3Unknown',
    'Warden 4Off Duty',
    'Warden 5Not Available',
  ])
  await expect.element(box()).toBeEnabled()
  await expectNoAxeViolations()
})

test('GRP-11 GRP-12 GRP-14 GRP-16 GRP-17 GRP-18 GRP-19 idle, sending, told by the server for two seconds', async () => {
  const held = Promise.withResolvers<{ status: 'message_sent'; message: string }>()
  server.answer(sendToWardenGroup, () => held.promise)
  const timers = vi.spyOn(window, 'setTimeout')
  await wardenGroup()
  await sendToGroup('Meet at gate B')

  await expect.element(button('Send')).toHaveAttribute('aria-busy', 'true')
  held.resolve({ status: 'message_sent', message: 'Message sent to 2 wardens.' })
  await shown('Message sent to 2 wardens.')
  await expect.element(button('Send')).not.toHaveAttribute('aria-busy')
  expect(
    document.querySelector('[data-variant=success][class*=toast], [role=status] [data-variant=success]'),
  ).not.toBeNull()
  expect(delaysOf(timers)).toContain(2000)
  expect(server.received(sendToWardenGroup)[0]?.input.body).toEqual({
    audience: members('On Duty', 'Unknown').map(({ id, wardenSignInUid }) => ({
      wardenAssignmentUid: id,
      wardenSignInUid,
    })),
    from: someSignIn,
    message: 'Meet at gate B',
  })
})

test('GRP-04 GRP-05 GRP-08 the group follows when a member reports in while the page is open', async () => {
  const { queryClient } = await wardenGroup(members('On Duty', 'Unknown'))
  await expect.element(button('Send Report-in Links (1)')).toBeEnabled()

  server.answer(filterMessenger, { messengerList: [warden(2, { status: 'On Duty' })] })
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'attendance', ids: [] }])

  await expect.element(button('Send Report-in Links (0)')).toBeDisabled()
  expect([count('In App'), count('SMS'), count('Total')]).toEqual(['In App2', 'SMS0', 'Total2'])
  refresh.stop()
})

test('UX-04 a message to wardens asks, too: how many, who, and by which way', async () => {
  await wardenGroup(members('On Duty', 'Unknown', 'Off Duty', 'On Duty'))
  await send('Meet at gate B')

  await expect.element(page.getByRole('alertdialog', { name: 'Message 4 wardens?' })).toBeVisible()
  await shown('Warden 1, Warden 2, Warden 3 and 1 more: 2 in the app, 2 by SMS.')
  await expect.element(question().getByRole('button', { name: 'Send to 4' })).toBeVisible()
  await expectNoAxeViolations()
})

test('GRP-13 GRP-14 any failure is told in red, and loading ends', async () => {
  server.answer(sendToWardenGroup, refused('server_error', 'Something else'))
  await wardenGroup()
  await sendToGroup('Meet at gate B')

  await expect.element(page.getByRole('alert').getByText('Failed to send message')).toBeVisible()
  await expect.element(button('Send')).not.toHaveAttribute('aria-busy')
  await expect.element(box()).toHaveValue('Meet at gate B')
})

test('GRP-15 AMB-139 a success with another status keeps loading on while its toast stays', async () => {
  server.answer(sendToWardenGroup, { status: 'odd', message: 'Not quite' } as never)
  await wardenGroup()
  await sendToGroup('Meet at gate B')

  await expect.element(page.getByRole('alert').getByText('Not quite')).toBeVisible()
  await expect.element(button('Send')).toHaveAttribute('aria-busy', 'true')
  await expect.element(button('Send')).not.toHaveAttribute('aria-busy')
})

test.for([
  ['Off Duty', false, false],
  ['Unknown', false, true],
  ['Off Duty', true, true],
] as const)(
  'GRP-10 with a member who is %s (SMS allowed: %s) a message can be sent: %s',
  async ([status, sms_allowed, can]) => {
    await wardenGroup(members('On Duty', status), { sms_allowed })

    await (can ? expect.element(box()).toBeEnabled() : expect.element(box()).toBeDisabled())
  },
)

test('GRP-05 LINK-01 LINK-05 links go to those who are unknown or off duty, and the number is told', async () => {
  server.answer(sendReportInLinks, { recordsInserted: 2, not_reached: [] })
  await wardenGroup(members('On Duty', 'Unknown', 'Not Available', 'Off Duty'))
  await button('Send Report-in Links (2)').click()

  await shown('2 Report-in links sent.')
  expect(server.received(sendReportInLinks)[0]?.input.body).toEqual({
    warden_sign_in_uids: [warden(2).wardenSignInUid, warden(4).wardenSignInUid],
    sender_warden_sign_in_uid: someSignIn,
  })
})

test('T32 LINK-05 links that were not sent are told in numbers, with another way, until the next press', async () => {
  const answers = [
    { recordsInserted: 1, not_reached: [] },
    { recordsInserted: 3, not_reached: [] },
  ]
  server.answer(sendReportInLinks, () => answers.shift() ?? cutOff)
  await wardenGroup(members('Unknown', 'Off Duty', 'Off Duty'))
  const told =
    '2 links were not sent: no mobile number, texts refused, one was sent a moment ago, or no text budget left today. Call instead.'
  const notSent = page.getByText(told)

  await button('Send Report-in Links (3)').click()

  await shown('1 Report-in links sent.')
  await expect.element(notSent).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'See who was not reached' })).toBeVisible()
  await expectNoAxeViolations()
  await button('Send Report-in Links (3)').click()
  await expect.element(notSent).not.toBeInTheDocument()
})

test('LINK-05 links whose answer was lost are sent once: the next press hears of the same ones', async () => {
  const answers = [cutOff, { recordsInserted: 2, not_reached: [] }, { recordsInserted: 1, not_reached: [] }]
  server.answer(sendReportInLinks, () => answers.shift() ?? cutOff)
  await wardenGroup(members('Unknown', 'Off Duty'))

  await button('Send Report-in Links (2)').click()
  await shown('No link was sent. No connection. Please check your signal and try again.')
  await button('Send Report-in Links (2)').click()
  await shown('2 Report-in links sent.')
  await button('Send Report-in Links (2)').click()
  await shown('1 Report-in links sent.')

  const [lost, heard, later] = server.received(sendReportInLinks).map(({ headers }) => headers.get('idempotency-key'))
  expect(heard).toBe(lost)
  expect(later).not.toBe(lost)
})

test('GRP-18 AMB-138 more than 500 are told so before they write; links to report in still go', async () => {
  await wardenGroup(members(...Array<string>(501).fill('Unknown')))

  await shown('One message goes to at most 500 wardens. Please go back and choose fewer.')
  await expect.element(box()).toBeDisabled()
  await expect.element(button('Send Report-in Links (501)')).toBeEnabled()
  await expectNoAxeViolations()
})

test('GRP-18 AMB-138 500 can be written to', async () => {
  await wardenGroup(members(...Array<string>(500).fill('On Duty')))

  await expect.element(box()).toBeEnabled()
})

test('GRP-02 LINK-03 AMB-140 without an audience nothing can be sent', async () => {
  await wardenGroup([])

  await expect.element(box()).toBeDisabled()
  await expect.element(button('Send Report-in Links (0)')).toBeDisabled()
  expect(count('Total')).toBe('Total0')
})
