import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { warden } from '#web/testing/message-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { sendToWardenGroup } from '../calls/messaging.ts'
import { filterMessenger, type MessengerWarden } from '../calls/messenger.ts'
import { box, button, delaysOf, messagingOnScreen, question, send, sendToGroup, shown } from './thread.fixture.tsx'
import { WardenGroupScreen } from './warden-group-screen.tsx'

const { server } = messagingOnScreen()

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
  const sent = page.getByRole('list', { name: 'Sent', exact: true })
  await expect.element(sent.getByText('Sent: Warden 1, Warden 2: 1 in the app, 1 by SMS.')).toBeVisible()
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

  await shown('One message can go to at most 500 wardens. Please go back and choose fewer.')
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
