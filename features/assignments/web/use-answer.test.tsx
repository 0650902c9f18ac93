import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { AssignmentUid } from '#kernel/ids.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { someAssignment } from '#web/testing/stored-auth.ts'
import { updateAssignmentStatus } from '../calls/assignments.ts'
import { button, offerOnScreen, reason, showOffer } from './offer.fixture.tsx'

const { server, sent } = offerOnScreen()

test('LIST-34 the list that follows is read anew, however fresh it was', async () => {
  const screen = await showOffer()
  const cards = ['assignment', 'cards', 'Email']
  screen.queryClient.setQueryData(cards, [])

  await button('Accept').click()
  expect(screen.queryClient.getQueryState(cards)?.isInvalidated).toBe(false)
  await button('OK').click()

  await expect.poll(() => screen.queryClient.getQueryState(cards)?.isInvalidated).toBe(true)
})

test.each([
  ['turned down', refused('on_duty')],
  ['without signal', cutOff],
])('ERR-06 AMB-068 an answer that is %s only stops the loader', async (_, answer) => {
  server.answer(updateAssignmentStatus, answer)
  const screen = await showOffer()

  await button('Accept').click()

  await expect.poll(() => sent()).toHaveLength(1)
  await expect.element(button('Accept')).not.toHaveAttribute('aria-busy')
  expect(page.getByRole('alertdialog').query()).toBeNull()
  expect(
    page
      .getByRole('alert')
      .elements()
      .map((region) => region.textContent),
  ).toEqual([''])
  expect(screen.address()).toBe(`/warden-assignment/${someAssignment}`)
})

test('ASSIGN-17 an answer that was taken unheard is told as done, also with another reason', async () => {
  server.answer(updateAssignmentStatus, cutOff)
  await showOffer()
  await button('Decline').click()
  await reason.fill('No')
  await button('Decline').click()
  await expect.poll(() => sent()).toHaveLength(1)
  await expect.element(button('Decline')).not.toHaveAttribute('aria-busy')

  server.answer(updateAssignmentStatus, refused('invalid_transition'))
  await reason.fill('On leave')
  await button('Decline').click()

  await expect.element(page.getByText('You have declined the Warden assignment.')).toBeVisible()
})

test('AMB-067 an assignment that has changed meanwhile leads back to the list, which shows it', async () => {
  server.answer(updateAssignmentStatus, refused('invalid_transition'))
  const screen = await showOffer()
  await button('Accept').click()
  await expect.poll(() => screen.address()).toBe('/reportinlist')
})

test('AMB-068 while an answer is under way its button shows it, and no second one leaves', async () => {
  const answered = Promise.withResolvers<{ success: true }>()
  server.answer(updateAssignmentStatus, () => answered.promise)
  await showOffer()

  await button('Accept').click()
  await expect.element(button('Accept')).toHaveAttribute('aria-busy', 'true')
  // Playwright would wait for the button to be ready again.
  const press = (name: string) => (button(name).element() as HTMLElement).click()
  press('Accept')
  await expectNoAxeViolations()
  answered.resolve({ success: true })

  await expect.element(page.getByText('You have accepted the Warden assignment.')).toBeVisible()
  expect(sent()).toHaveLength(1)
})

test('ASSIGN-17 pressed again after a lost reply, the answer carries the same key; another answer another', async () => {
  server.answer(updateAssignmentStatus, cutOff)
  await showOffer()
  const press = async (name: string, count: number) => {
    await button(name).click()
    await expect.poll(() => sent()).toHaveLength(count)
    await expect.element(button(name)).not.toHaveAttribute('aria-busy')
  }
  await press('Accept', 1)
  await press('Accept', 2)
  await button('Decline').click()
  await reason.fill('No')
  await press('Decline', 3)

  const [first, again, other] = sent().map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toBe(again)
  expect(other).not.toBe(first)
})

test('AMB-040 a declined assignment that the session is bound to has no sign-in any more', async () => {
  await showOffer()
  await button('Decline').click()
  await reason.fill('No')

  await button('Decline').click()

  await expect.element(button('OK')).toBeVisible()
  expect(getAuth()?.WardenSignInUID).toBeNull()
})

test('AMB-040 declining another assignment leaves the session as it is', async () => {
  const before = { Warden_Assignment_UID: '00000000-0000-4000-8000-00000000b00b' as AssignmentUid }
  await showOffer(before)
  const { WardenSignInUID } = getAuth() ?? {}
  await button('Decline').click()
  await reason.fill('No')

  await button('Decline').click()

  await expect.element(button('OK')).toBeVisible()
  expect(getAuth()?.WardenSignInUID).toBe(WardenSignInUID)
})
