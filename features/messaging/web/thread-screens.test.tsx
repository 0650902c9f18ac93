import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { occupant } from '#web/testing/floor-data.ts'
import { evacueeThread, message, ownMessage, warden, wardenThread } from '#web/testing/message-data.ts'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { dismissToasts } from '#web/testing/toasts.ts'
import { getEvacueeThread, getWardenThread, pollEvacueeThread, pollWardenThread } from '../calls/messaging.ts'
import { box, button, delaysOf, log, messagingOnScreen, showEvacuee, shown, showWarden } from './thread.fixture.tsx'

const { server, openWarden, openEvacuee } = messagingOnScreen()
const badge = () => page.getByRole('region', { name: 'Recipient' }).element().querySelector('[data-status]')

test('MSG-01 the page of an evacuee has a header, the history and a box', async () => {
  await openEvacuee(evacueeThread({ messages: [ownMessage(1), message(2, { senderId: occupant(1).id })] }))

  await expect.element(page.getByRole('heading', { name: 'Person 01' })).toBeVisible()
  await shown('Message 2')
  await expect.element(box()).toBeEnabled()
  expect(server.received(getEvacueeThread)[0]?.input.query).toEqual({ toEvacuee: occupant(1).id })
  await expectNoAxeViolations()
})

test('ANS-05 a text of a shared number says whose number it is', async () => {
  const text = message(2, { senderId: occupant(1).id, text: '1', sms: true, shared_with: 'Person 01, Ben Bolt' })
  await openEvacuee(evacueeThread({ messages: [ownMessage(1), text] }))

  await shown('Shared number: Person 01, Ben Bolt')
  await expectNoAxeViolations()
})

test('MSG-04 the page of a warden has a header, the history and a box', async () => {
  await openWarden(wardenThread({ messages: [ownMessage(1), message(2)] }))

  await expect.element(page.getByRole('heading', { name: 'Warden 1' })).toBeVisible()
  await shown('Floor Warden · Tower A - Level 1')
  await shown('Message 2')
  await expect.element(box()).toBeEnabled()
  expect(server.received(getWardenThread)[0]?.input.query).toEqual({ toWarden: warden(1).id })
  await expectNoAxeViolations()
})

test.for([
  ['MSG-06', 'safe', false, 'Safe', 'bg-safe'],
  ['MSG-06', 'safe', true, 'Safe on floor', 'bg-safe'],
  ['MSG-07', 'unknown', false, 'Unknown', 'bg-unknown'],
  ['MSG-08', 'danger', false, 'In Danger', 'bg-danger'],
] as const)(
  '%s the badge of an evacuee who is %s (on floor: %s) reads %s',
  async ([, status, on_floor, word, look]) => {
    await openEvacuee(evacueeThread({ recipient: occupant(1, { status, on_floor }) }))

    expect(badge()?.textContent).toBe(word)
    expect(badge()?.className).toContain(look)
    expect(badge()?.querySelector('svg')).not.toBeNull()
  },
)

test.for([
  ['MSG-06', 'On Duty', 'bg-safe'],
  ['MSG-07', 'Unknown', 'bg-unknown'],
  ['MSG-08', 'Off Duty', 'bg-danger'],
  ['MSG-08', 'Not Available', 'bg-danger'],
] as const)('%s the badge of a warden who is %s', async ([, status, look]) => {
  await openWarden(wardenThread({ recipient: warden(1, { status }) }))

  expect(badge()?.textContent).toBe(status)
  expect(badge()?.className).toContain(look)
})

test('MSG-34 one’s own messages stand apart from those of others', async () => {
  await openWarden(wardenThread({ messages: [ownMessage(1), message(2)] }))

  const entries = [...log().element().querySelectorAll('li')]
  expect(entries.map((entry) => entry.dataset.own)).toEqual(['true', 'false'])
  expect(entries[0]?.textContent).toContain('You')
  expect(entries[1]?.textContent).toContain('Warden 1 · Floor Warden')
})

test('MSG-28 each message has its sender, role, time and text; what became of a text stands below it', async () => {
  const delivery = { status: 'failed', reason: 'the number does not exist' } as const
  await openEvacuee(
    evacueeThread({
      messages: [
        ownMessage(1, { sms: true, delivery }),
        message(2, { senderId: occupant(1).id, name: 'Person 01', role: 'Occupant', sms: true, recorded: 'safe' }),
      ],
    }),
  )

  await shown('SMS not delivered: the number does not exist')
  await shown(/Person 01 · Occupant · 21 Jan, 14:04:05 · by SMS/)
  await shown('Recorded: Safe, by SMS, unverified')
})

test('UX-13 a message that was texted as well says so, and whether it was read', async () => {
  const texted = (id: number, status: 'handed_over' | 'delivered' | 'failed', read: boolean) =>
    ownMessage(id, { read, sms: true, also_texted: true, delivery: { status, reason: 'the number does not exist' } })
  await openWarden(
    wardenThread({
      messages: [texted(1, 'handed_over', false), texted(2, 'delivered', true), texted(3, 'failed', false)],
    }),
  )

  const fates = [...log().element().querySelectorAll('li')].map((entry) =>
    [...entry.querySelectorAll('p')].slice(2).map(({ textContent }) => textContent),
  )
  expect(fates).toEqual([
    ['Sent', 'Also sent by SMS'],
    ['Read', 'Also sent by SMS, delivered'],
    ['Sent', 'SMS not delivered: the number does not exist'],
  ])
})

test('AMB-127 the sender sees whether a warden has read a message', async () => {
  await openWarden(wardenThread({ messages: [ownMessage(1), ownMessage(2, { read: false })] }))

  const entries = [...log().element().querySelectorAll('li')]
  expect(entries.map((entry) => entry.lastElementChild?.textContent)).toEqual(['Read', 'Sent'])
})

test.for([
  ['Unknown', true],
  ['Off Duty', true],
  ['On Duty', false],
  ['Not Available', false],
] as const)(
  'MSG-05 MSG-09 LINK-01 to a warden who is %s a report-in link can be sent: %s',
  async ([status, enabled]) => {
    await openWarden(wardenThread({ recipient: warden(1, { status }) }))

    const link = button('Send report-in link')
    await (enabled ? expect.element(link).toBeEnabled() : expect.element(link).toBeDisabled())
  },
)

test('MSG-33 LINK-06 LINK-07 a link that was sent is told', async () => {
  server.answer(sendReportInLinks, { recordsInserted: 1, not_reached: [] })
  await openWarden(wardenThread({ recipient: warden(1, { status: 'Unknown' }) }))
  await button('Send report-in link').click()

  await shown('Report-in link has been sent.')
  expect(server.received(sendReportInLinks)[0]?.input.body).toEqual({
    warden_sign_in_uids: [warden(1).wardenSignInUid],
    sender_warden_sign_in_uid: someSignIn,
  })
})

test('LINK-13 a link that went to no one is not told as sent', async () => {
  server.answer(sendReportInLinks, { recordsInserted: 0, not_reached: [] })
  await openWarden(wardenThread({ recipient: warden(1, { status: 'Unknown', phone: null }) }))
  await button('Send report-in link').click()

  await shown(/^No link was sent/)
  await expect.element(page.getByText('Report-in link has been sent.')).not.toBeInTheDocument()
})

test.for([
  ['MSG-12', 'evacuee', 10_000],
  ['MSG-13', 'warden', 5_000],
] as const)(
  '%s CONST-14 MSG-14 the thread of the %s is polled, and a new message appears by itself',
  async ([, kind, ms]) => {
    const intervals = vi.spyOn(window, 'setInterval')
    const isWarden = kind === 'warden'
    server.answer(pollWardenThread, wardenThread({ messages: [message(1, { text: 'From the poll' })] }))
    server.answer(pollEvacueeThread, evacueeThread({ messages: [message(1, { text: 'From the poll' })] }))
    await (isWarden ? openWarden() : openEvacuee())
    await expect.poll(() => delaysOf(intervals)).toContain(ms)
    const poll = intervals.mock.calls.findLast(([, delay]) => delay === ms)?.[0] as () => void
    poll()

    await shown('From the poll')
  },
)

test('MSG-21 MSG-25 MSG-18 a failed load is told for two seconds; the box stays shut', async () => {
  server.answer(getEvacueeThread, cutOff)
  const timers = vi.spyOn(window, 'setTimeout')
  await showEvacuee()

  await shown('Error loading data. Please refresh.')
  expect(delaysOf(timers)).toContain(2000)
  await expect.element(box()).toBeDisabled()
})

test('MSG-21 a failed load that real-time tries again is told once', async () => {
  server.answer(getEvacueeThread, refused('not_found'))
  const { queryClient } = await showEvacuee()
  await shown('Error loading data. Please refresh.')
  dismissToasts()

  await queryClient.refetchQueries({ queryKey: ['message'] })
  await expect.poll(() => server.received(getEvacueeThread).length).toBe(2)

  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(page.getByText('Error loading data. Please refresh.').elements()).toEqual([])
})

test('MSG-18 the box is shut while loading', async () => {
  const held = Promise.withResolvers<ReturnType<typeof wardenThread>>()
  server.answer(getWardenThread, () => held.promise)
  await showWarden()

  await expect.element(box()).toBeDisabled()
  held.resolve(wardenThread())
  await expect.element(box()).toBeEnabled()
})

test('MSG-22 MSG-25 AMB-135 failed polls are told once, until one succeeds, for two seconds', async () => {
  const { queryClient } = await openWarden()
  const poll = () => queryClient.refetchQueries({ queryKey: ['message'] })
  const told = () => [...document.querySelectorAll('[role=alert] [data-variant]')].map((one) => one.textContent)
  server.answer(pollWardenThread, refused('server_error'))
  const timers = vi.spyOn(window, 'setTimeout')
  await poll()
  await poll()

  await shown('Couldnt Poll for new data. Please refresh.')
  expect(told()).toEqual(['Couldnt Poll for new data. Please refresh.'])
  expect(delaysOf(timers)).toContain(2000)
  server.answer(pollWardenThread, wardenThread())
  await poll()
  server.answer(pollWardenThread, refused('server_error'))
  await poll()
  await expect.poll(() => told().length).toBe(2)
})

test('MSG-26 a request that is cancelled says nothing', async () => {
  const { queryClient } = await openWarden()
  server.answer(pollWardenThread, () => new Promise(() => undefined))
  const poll = queryClient.refetchQueries({ queryKey: ['message'] })
  await queryClient.cancelQueries({ queryKey: ['message'] })
  await poll

  expect(document.querySelector('[role=alert]')?.textContent).toBe('')
})

test('AMB-126 without an event the page says so and nothing can be written', async () => {
  server.answer(getWardenThread, {
    recipient: null,
    messages: [],
    sms_allowed: true,
    senderWardenSignInUid: null,
    error: 'no_event',
    message: 'No Current Events',
  })
  await showWarden()

  await shown('No Current Events')
  await expect.element(box()).toBeDisabled()
})
