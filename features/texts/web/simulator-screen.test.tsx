import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CallReply } from '#kernel/route.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  actOnSimulatedCall,
  getSimulatedCall,
  listSimulatedCodes,
  listSimulatedMails,
  listSimulatedPhones,
  listSimulatedTexts,
  sendSimulatedReply,
} from '../calls/simulator.ts'
import { SimulatorScreen } from './simulator-screen.tsx'

const server = serverForEachTest()
const oliver = { mobile: '61491000004', name: 'Oliver Hughes', texts: 0, ringing: false }
const aisha = { mobile: '61491000005', name: 'Aisha Rahman', texts: 1, ringing: false }
const text = (id: string, body: string) => ({ id, body, received_at: '2026-03-01T10:00:00.000Z' })
const link = 'http://evac.example:8080/login#token=abc_-1'

beforeEach(() => {
  server.answer(listSimulatedPhones, ({ input }) =>
    [oliver, aisha].filter(({ name, mobile }) => `${name} ${mobile}`.includes(input.query.search ?? '')),
  )
  server.answer(listSimulatedTexts, [])
  server.answer(getSimulatedCall, { call: null })
  server.answer(listSimulatedMails, [])
  server.answer(listSimulatedCodes, refused('not_found'))
})
const open = (search = '') =>
  renderScreen(<SimulatorScreen switchedOff="switched off" />, { at: `/simulator${search}`, auth: null })

test('AMB-129 the phones are there to choose from, with their texts counted', async () => {
  const screen = await open()

  await expect.element(page.getByRole('heading', { level: 1, name: 'Phone simulator' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Aisha Rahman +61 491 000 005 1 text' })).toBeVisible()
  await expectNoAxeViolations()

  await page.getByRole('button', { name: /^Oliver Hughes/ }).click()

  expect(screen.address()).toBe('/simulator?mobile=61491000004')
  await expect.element(page.getByText('No texts yet. They appear here by themselves.')).toBeVisible()
})

test("ORG-08 the codes of the demo's administrators stand beside the phones", async () => {
  server.answer(listSimulatedCodes, [{ email: 'admin@harbour.test', name: 'Nora Lindqvist', code: '012345' }])
  await open()

  await expect.element(page.getByRole('heading', { name: "Administrators' codes" })).toBeVisible()
  await expect.element(page.getByText('012345')).toBeVisible()
  await expectNoAxeViolations()
})

test('AMB-129 a phone is searched for by name or number', async () => {
  await open()
  await expect.element(page.getByRole('button', { name: /^Oliver Hughes/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search by name or number' }).fill(' Aisha ')

  await expect.element(page.getByRole('button', { name: /^Oliver Hughes/ })).not.toBeInTheDocument()
  await expect.poll(() => server.received(listSimulatedPhones).at(-1)?.input.query).toEqual({ search: 'Aisha' })

  await page.getByRole('searchbox').fill('nobody')
  await expect.element(page.getByText('No phone with this name or number')).toBeVisible()
})

test('AMB-129 while the answer to a search is awaited, only phones that fit it are shown', async () => {
  await open()
  await expect.element(page.getByRole('button', { name: /^Oliver Hughes/ })).toBeVisible()
  server.answer(listSimulatedPhones, () => new Promise(() => undefined))

  await page.getByRole('searchbox').fill('0491 000 005')

  await expect.element(page.getByRole('button', { name: /^Oliver Hughes/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^Aisha Rahman/ })).toBeVisible()
})

test('AMB-129 a text appears while one looks, and its link opens in this tab on this host', async () => {
  await open('?mobile=61491000004')
  await expect.element(page.getByText('No texts yet.', { exact: false })).toBeVisible()

  server.answer(listSimulatedTexts, [text('1', `All Wardens sign-in link (expires in 3 minutes): ${link}`)])

  const shown = page.getByRole('link', { name: link })
  await expect.element(shown, { timeout: 5_000 }).toBeVisible()
  await expect.element(shown).toHaveAttribute('href', '/login#token=abc_-1')
  await expect.element(shown).not.toHaveAttribute('target')
  await expectNoAxeViolations()
})

test('AMB-129 what a message says is shown as it is: no markup, and no address made up from half of one', async () => {
  server.answer(listSimulatedTexts, [text('1', '<b>Leave</b> http://[ now, see https://example.com/plan')])

  await open('?mobile=61491000004')

  await expect.element(page.getByText('<b>Leave</b> http://[ now, see', { exact: false })).toBeVisible()
  const [only, ...more] = page.getByRole('link').elements()
  expect([only?.getAttribute('href'), more]).toEqual(['https://example.com/plan', []])
})

test('AMB-129 back leads to all phones', async () => {
  const screen = await open('?mobile=61491000005')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Aisha Rahman' })).toBeVisible()

  await page.getByRole('button', { name: 'All phones' }).click()

  expect(screen.address()).toBe('/simulator')
})

test('AMB-129 AMB-028 a mail appears among the texts, newest first, and its link opens in this tab on this host', async () => {
  const mailed = 'http://evac.example:8080/reset-password#token=xyz_-1'
  server.answer(listSimulatedTexts, [text('1', 'Evacuate now.')])
  await open('?mobile=61491000004')
  await expect.element(page.getByText('Evacuate now.')).toBeVisible()

  server.answer(listSimulatedMails, [
    {
      id: '2',
      subject: 'Set a new password',
      body: `Hello Oliver,\n\n${mailed}\n\nThe link works once.`,
      received_at: '2026-03-01T10:05:00.000Z',
    },
  ])

  const shown = page.getByRole('link', { name: mailed })
  await expect.element(shown, { timeout: 5_000 }).toHaveAttribute('href', '/reset-password#token=xyz_-1')
  await expect.element(page.getByRole('heading', { level: 2, name: 'Mail: Set a new password' })).toBeVisible()
  const [newest] = page.getByRole('log').getByRole('article').elements()
  expect(newest?.textContent).toContain('Hello Oliver,')
  await expectNoAxeViolations()
})

test('AMB-129 where a real mail server sends the mails, the texts are there all the same', async () => {
  server.answer(listSimulatedMails, refused('not_found'))
  server.answer(listSimulatedTexts, [text('1', 'Evacuate now.')])

  await open('?mobile=61491000004')

  await expect.element(page.getByText('Evacuate now.')).toBeVisible()
})

test('AMB-129 AMB-130 a reply from the phone is sent, and what became of it is told', async () => {
  await open('?mobile=61491000004')
  const send = page.getByRole('button', { name: 'Send reply' })
  await expect.element(send).toBeDisabled()
  server.answer(sendSimulatedReply, { outcome: 'status_set' })
  await page.getByRole('textbox', { name: 'Reply from this phone' }).fill('1')
  await send.click()

  await expect.element(page.getByText(/Arrived, and set the status/)).toBeVisible()
  await expect.element(page.getByRole('textbox')).toHaveValue('')
  expect(server.received(sendSimulatedReply)[0]?.input.body).toMatchObject({ mobile: oliver.mobile, text: '1' })
  await expectNoAxeViolations()
})

test('AMB-129 a reply whose answer was lost counts once when it is sent again', async () => {
  await open('?mobile=61491000004')
  server.answer(sendSimulatedReply, cutOff)
  await page.getByRole('textbox').fill('I am out')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect.element(page.getByText(/^No connection/)).toBeVisible()
  server.answer(sendSimulatedReply, { outcome: 'repeated' })
  await page.getByRole('button', { name: 'Send reply' }).click()

  await expect.element(page.getByText(/Arrived in the thread/)).toBeVisible()
  expect(new Set(server.received(sendSimulatedReply).map(({ input }) => input.body.id)).size).toBe(1)
})

test('LADDER-11 a phone rings: answered it shows the words and keys, and a key that answers ends the call', async () => {
  const id = 'c0000000-0000-4000-8000-000000000001'
  let ringing: CallReply<typeof getSimulatedCall>['call'] = { id, answered: false, say: '', keys: '1' }
  server.answer(getSimulatedCall, () => ({ call: ringing }))
  server.answer(actOnSimulatedCall, ({ input: { body } }) => {
    if (body.act === 'answer') ringing = { id, answered: true, say: 'Press 1 when you have understood.', keys: '1' }
    if (body.key === '1') ringing = null
    return { taken: body.key === '1' }
  })
  await open('?mobile=61491000005')
  await expect.element(page.getByRole('heading', { name: 'This phone is ringing' })).toBeVisible()
  await expectNoAxeViolations()

  await page.getByRole('button', { name: 'Answer' }).click()
  await expect.element(page.getByText('Press 1 when you have understood.')).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: '7', exact: true }).click()
  await expect.element(page.getByText('Another key. The words come once more.')).toBeVisible()
  await page.getByRole('button', { name: '1', exact: true }).click()

  await expect.element(page.getByText('Thank you. The call has ended.')).toBeVisible()
  expect(server.received(actOnSimulatedCall).map(({ input }) => input.body)).toEqual([
    { act: 'answer' },
    { act: 'key', key: '7' },
    { act: 'key', key: '1' },
  ])
})
