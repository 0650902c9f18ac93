import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { getCommand, handOver, takeCommand } from '../calls/command.ts'
import { ago, ann, dee, me, nextTurnUid, state, turnUid } from './command.fixture.ts'
import { CommandScreen } from './command-screen.tsx'

const server = serverForEachTest()
const open = () => renderScreen(<CommandScreen />, { at: '/event/command' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const taken = state({ turn: nextTurnUid, in_command: me })

test('CMD-02 CMD-03 CMD-10 who leads since when, the chain, and the turns with note and counts', async () => {
  server.answer(getCommand, {
    ...state({ silent_since: ago(6) }),
    turns: [
      {
        uid: turnUid,
        name: ann.name,
        role: ann.role,
        began_at: ago(10),
        ended_at: null,
        how: 'handed_over',
        note: 'Level 2 is not searched.',
        counts: { safe: 85, unknown: 12, danger: 3, floors: 7, floors_cleared: 4 },
      },
    ],
  })
  await open()

  const leader = page.getByRole('region', { name: 'In command' })
  await expect.element(leader).toMatchTextContent('Ann Brown')
  await expect.element(leader).toMatchTextContent('No contact for 6 min')
  await expect.element(leader.getByRole('link', { name: 'Call Ann Brown' })).toHaveAttribute('href', 'tel:+61491000001')
  expect(page.getByRole('region', { name: 'Chain of command' }).getByRole('listitem').elements()).toHaveLength(3)
  const turns = page.getByRole('region', { name: 'Turns' })
  await expect.element(turns).toMatchTextContent('Level 2 is not searched.')
  await expect.element(turns).toMatchTextContent('3 in danger, 12 unknown, 85 safe, 4 of 7 floors cleared')
  await expectNoAxeViolations()
})

test('CMD-07 taking command from someone who is heard is asked first', async () => {
  server.answer(getCommand, state())
  server.answer(takeCommand, taken)
  await open()
  await button('Take command').click()

  const question = page.getByRole('alertdialog', { name: 'Take command from Ann Brown?' })
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  expect(server.received(takeCommand)).toEqual([])
  server.answer(getCommand, taken)
  await question.getByRole('button', { name: 'Take command' }).click()

  await expect.element(page.getByRole('region', { name: 'In command' })).toMatchTextContent('Max Young')
  expect(server.received(takeCommand).map(({ input }) => input.body)).toEqual([{ turn: turnUid }])
})

test.each([
  ['no one is in command', state({ in_command: null })],
  ['the leader is silent', state({ silent_since: ago(6) })],
])('CMD-07 one tap takes command when %s', async (_, given) => {
  server.answer(getCommand, given)
  server.answer(takeCommand, taken)
  await open()
  await button('Take command').click()

  await expect.poll(() => server.received(takeCommand)).toHaveLength(1)
})

test('CMD-09 the second of two reads who has just taken command', async () => {
  server.answer(getCommand, state({ in_command: null }))
  server.answer(takeCommand, refused('command_changed', 'Dee Diaz has just taken command.'))
  await open()
  await expect.element(page.getByText('No one is in command.')).toBeVisible()
  server.answer(getCommand, state({ turn: nextTurnUid, in_command: dee }))
  await button('Take command').click()

  await expect.element(page.getByRole('alert').getByText('Dee Diaz has just taken command.')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'In command' })).toMatchTextContent('Dee Diaz')
})

test('CMD-08 the leader hands over to one of the chain; a failed press keeps the note', async () => {
  const leading = state({ in_command: { ...ann, wardenSignInUid: someSignIn } })
  server.answer(getCommand, leading)
  server.answer(handOver, refused('unavailable'))
  await open()
  await button('Hand over').click()
  const sheet = page.getByRole('dialog', { name: 'Hand over' })
  await sheet.getByRole('radio', { name: 'Dee Diaz, Deputy Chief Warden' }).click()
  await sheet.getByLabelText('Note').fill('Level 2 is not searched.')
  await expectNoAxeViolations()
  await sheet.getByRole('button', { name: 'Ask' }).click()
  await expect.element(page.getByText('Not saved. Try again.')).toBeVisible()

  const until = ago(-2)
  const asked = { ...leading, turn: { ...leading.turn, asked: { ...dee, until } } }
  server.answer(handOver, asked as typeof leading)
  server.answer(getCommand, asked as typeof leading)
  await sheet.getByRole('button', { name: 'Ask' }).click()

  await expect.element(page.getByText('Dee Diaz has been asked to take command.')).toBeVisible()
  const [first, second] = server.received(handOver)
  expect(second?.input.body).toEqual({ turn: turnUid, to: dee.wardenSignInUid, note: 'Level 2 is not searched.' })
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
})

test('CMD-07 who is not of the chain has nothing to press', async () => {
  server.answer(getCommand, { ...state(), chain: [ann, dee] })
  await open()

  await expect.element(page.getByText('Who has led')).toBeVisible()
  expect(button('Take command').query()).toBeNull()
  expect(button('Hand over').query()).toBeNull()
})
