import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { occupant } from '#web/testing/floor-data.ts'
import { evacueeThread, ownMessage, templates, warden, wardenThread } from '#web/testing/message-data.ts'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { listTemplates, sendToEvacuee, sendToWarden } from '../calls/messaging.ts'
import { box, button, delaysOf, log, messagingOnScreen, send, shown, templateButton } from './thread.fixture.tsx'

const { server, openWarden, openEvacuee } = messagingOnScreen()
const notActivated =
  "ALL WARDENS SMS messaging is not activated. Use your device's native SMS or phone to communicate with occupants."
const longest = 'x'.repeat(130)

test('MSG-15 CONST-08 130 characters fit; what is longer is rejected whole and nothing is lost', async () => {
  await openEvacuee()
  await box().fill(longest)
  await shown(/130\/130$/)
  await box().fill(`${longest}y`)

  await expect.element(box()).toHaveValue(longest)
  await shown('At most 130 characters.')
})

test('MSG-17 sending nothing, or spaces, only puts the focus into the box', async () => {
  await openEvacuee()
  await button('Send').click()
  await expect.element(box()).toHaveFocus()
  await box().fill('   ')
  await button('Send').click()

  await expect.element(box()).toHaveFocus()
  expect(server.received(sendToEvacuee)).toEqual([])
})

test('MSG-27 MSG-32 what was sent stands in the history, and the box is empty', async () => {
  await openEvacuee(evacueeThread({ messages: [ownMessage(1)] }))
  server.answer(sendToEvacuee, { status: 'message_sent', newMessages: [ownMessage(2, { text: 'Are you out?' })] })
  await send('Are you out?')

  await expect.element(log().getByText('Are you out?')).toBeVisible()
  await expect.element(box()).toHaveValue('')
  expect(server.received(sendToEvacuee)[0]?.input.body).toEqual({
    message: 'Are you out?',
    receiverId: occupant(1).id,
    automated_response_message: 0,
  })
})

test('AMB-125 a message to a warden names both sign-ins', async () => {
  await openWarden()
  server.answer(sendToWarden, { status: 'message_sent', newMessages: [ownMessage(2, { text: 'Come down' })] })
  await send('Come down')

  await expect.element(log().getByText('Come down')).toBeVisible()
  expect(server.received(sendToWarden)[0]?.input.body).toEqual({
    message: 'Come down',
    receiverId: warden(1).id,
    from: someSignIn,
    to: warden(1).wardenSignInUid,
  })
})

test('MSG-18 while a message is on its way nothing can be written over it; the box keeps the focus', async () => {
  await openEvacuee()
  await expect.element(button('Templates')).toBeEnabled()
  const answer = Promise.withResolvers<void>()
  server.answer(sendToEvacuee, async () => {
    await answer.promise
    return { status: 'message_sent' as const, newMessages: [ownMessage(2, { text: 'Are you out?' })] }
  })
  await send('Are you out?')
  await expect.poll(() => server.received(sendToEvacuee)).toHaveLength(1)

  await expect.element(box()).toBeDisabled()
  await expect.element(button('Templates')).toBeDisabled()
  await box().click({ force: true })
  await userEvent.keyboard(' Which floor?')
  await expect.element(box()).toHaveFocus()
  await expect.element(box()).toHaveValue('Are you out?')
  await expectNoAxeViolations()

  answer.resolve()
  await expect.element(box()).toHaveValue('')
  await expect.element(box()).toHaveFocus()
  await userEvent.keyboard('Which floor?')
  await expect.element(box()).toHaveValue('Which floor?')
})

test('MSG-23 MSG-25 a failed send is told for two seconds; the words stay, and keep their key', async () => {
  await openEvacuee()
  server.answer(sendToEvacuee, cutOff)
  const timers = vi.spyOn(window, 'setTimeout')
  await send('Are you out?')

  await shown('Error while sending message. Please refresh.')
  expect(delaysOf(timers)).toContain(2000)
  await expect.element(box()).toHaveValue('Are you out?')
  server.answer(sendToEvacuee, { status: 'message_sent', newMessages: [ownMessage(2, { text: 'Are you out?' })] })
  await button('Send').click()
  await expect.element(box()).toHaveValue('')
  const keys = server.received(sendToEvacuee).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
})

test('MSG-23 a refusal is told as a failed send', async () => {
  await openEvacuee()
  server.answer(sendToEvacuee, refused('server_error'))
  await send('Are you out?')

  await shown('Error while sending message. Please refresh.')
})

test('MSG-24 MSG-25 what the server says stands in the toast when the message was not sent', async () => {
  await openEvacuee()
  const timers = vi.spyOn(window, 'setTimeout')
  server.answer(sendToEvacuee, { status: 'not_sent', message: 'Person 01 has no mobile number.' })
  await send('Are you out?')

  await shown('Person 01 has no mobile number.')
  expect(delaysOf(timers)).toContain(2000)
  await expect.element(box()).toHaveValue('Are you out?')
})

test('MSG-11 MSG-19 MSG-20 without SMS nothing can be written to an evacuee, and the box says why', async () => {
  await openEvacuee(evacueeThread({ sms_allowed: false }))

  await expect.element(box()).toBeDisabled()
  await expect.element(button('Send')).toBeDisabled()
  expect((box().element() as HTMLTextAreaElement).placeholder).toBe(notActivated)
  await expectNoAxeViolations()
})

test('MSG-20 what the box says can be read whole, also on a small phone with doubled text', async () => {
  await page.viewport(320, 640)
  document.documentElement.style.fontSize = '200%'
  await openEvacuee(evacueeThread({ sms_allowed: false }))

  const { scrollHeight, clientHeight } = box().element()
  expect(scrollHeight).toBe(clientHeight)
  document.documentElement.style.fontSize = ''
  await page.viewport(390, 844)
})

test.for([
  ['On Duty', false, true],
  ['Unknown', false, false],
  ['Off Duty', true, true],
] as const)('MSG-10 a warden who is %s (SMS allowed: %s) can be written to: %s', async ([status, sms_allowed, can]) => {
  await openWarden(wardenThread({ recipient: warden(1, { status }), sms_allowed }))

  await (can ? expect.element(box()).toBeEnabled() : expect.element(box()).toBeDisabled())
  expect((box().element() as HTMLTextAreaElement).placeholder).toBe(can ? 'Message' : notActivated)
})

test('MSG-29 MSG-30 MSG-31 templates of the recipient’s kind, newest first; one fills the box', async () => {
  await openEvacuee()
  await button('Templates').click()

  const texts = [...page.getByRole('dialog').element().querySelectorAll('li')].map((one) => one.textContent)
  expect(texts).toEqual([templates[1]?.text, templates[2]?.text, templates[0]?.text])
  await templateButton('Please wait where you are.').click()
  await expect.element(box()).toHaveValue('Please wait where you are.')
  expect(server.received(listTemplates)[0]?.input.query).toEqual({ type: 'Evacuee' })
})

test('MSG-32 AMB-130 a template asks for a coded answer only while its words stand', async () => {
  await openEvacuee()
  const text = templates[1]?.text ?? ''
  server.answer(sendToEvacuee, { status: 'message_sent', newMessages: [] })
  const choose = async () => {
    await button('Templates').click()
    await templateButton(text).click()
  }
  await choose()
  await button('Send').click()
  await expect.element(box()).toHaveValue('')
  await choose()
  await send(`${text} Please.`)
  await expect.element(box()).toHaveValue('')

  const flags = server.received(sendToEvacuee).map(({ input }) => input.body.automated_response_message)
  expect(flags).toEqual([1, 0])
})

test('AMB-131 without templates there is no button, and no word about it', async () => {
  server.answer(listTemplates, refused('server_error'))
  await openWarden()

  await expect.element(box()).toBeEnabled()
  await expect.element(button('Templates')).not.toBeInTheDocument()
  expect(document.querySelector('[role=alert]')?.textContent).toBe('')
})

test('T18 the box says how many texts a message is; to a warden on duty it is none', async () => {
  await openEvacuee()
  await box().fill('x'.repeat(130))
  await shown('1 SMS · 130/130')
  await box().fill('“Gate B” '.repeat(9))
  await shown('1 SMS · 81/130')
  await box().fill('Gate Б '.repeat(11))
  await shown('2 SMS · 77/130')

  await openWarden()
  await box().last().fill('Is Level 1 clear?')
  await expect.element(page.getByText('17/130', { exact: true })).toBeVisible()
})

test('REC-20 a message to an evacuee takes {link} where the cursor stands, once, and counts the segments of the link', async () => {
  await openEvacuee()
  await box().fill('x'.repeat(120))
  await shown(/^1 SMS · 120/)
  ;(box().element() as HTMLTextAreaElement).setSelectionRange(3, 3)
  await button('Own page').click()

  await expect.element(box()).toHaveValue(`xxx {link} ${'x'.repeat(117)}`)
  await expect.element(box()).toHaveFocus()
  await expect.poll(() => (box().element() as HTMLTextAreaElement).selectionStart).toBe(11)
  // an address of about 40 letters is sent, not the 6 that are written
  await shown(/^2 SMS · 128/)
  await shown("{link} becomes a link to the person's own page, which asks: safe, or in need of help?")
  await expect.element(button('Own page')).toBeDisabled()
  await expectNoAxeViolations()
})

test('REC-20 a message to a warden has no link of an own page', async () => {
  await openWarden()
  await expect.element(box()).toBeVisible()
  expect(button('Own page').elements()).toEqual([])
})
