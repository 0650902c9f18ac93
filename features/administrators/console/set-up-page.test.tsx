import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { startEnrolment } from '#features/sign-in/calls/console-sign-in.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { setUp } from '../calls/set-up.ts'

const server = serverForEachTest()
const box = (name: string) => page.getByRole('textbox', { name, exact: true })
const secret = (name: string) => page.getByLabelText(name, { exact: true })
const go = page.getByRole('button', { name: 'Continue' })
const good = 'nine lamps on the quay'

beforeEach(() => {
  givenConsole(null)
  server.answer(setUp, { ticket: 'a ticket', step: 'enrol' })
  server.answer(startEnrolment, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' })
})

async function fill() {
  const screen = await renderScreen(<Console />, { at: '/console/set-up#the-token', auth: null })
  await box('Name').fill('Harbour School')
  await box('First name').fill('Nora')
  await box('Last name').fill('Lind')
  await box('Email').fill('nora@school.test')
  await secret('Password').fill(good)
  await secret('Password again').fill(good)
  return screen
}

test('ORG-02 ORG-04 the token of the address, organisation, person and password go in one call', async () => {
  const screen = await fill()
  await expect.element(box('Token')).toHaveValue('the-token')
  await expect.element(box('Code')).toHaveValue('HARBOUR-SCHOOL')
  expect(screen.address()).toBe('/console/set-up')
  await expectNoAxeViolations()

  await go.click()

  await expect.element(page.getByText('ABCD EFGH')).toBeVisible()
  expect(server.received(setUp)[0]?.input.body).toMatchObject({
    token: 'the-token',
    organisation: { name: 'Harbour School', code: 'HARBOUR-SCHOOL' },
    administrator: { first_name: 'Nora', last_name: 'Lind', email: 'nora@school.test', mobile: '' },
    password: good,
  })
})

test('ORG-46 all that is wrong stands below its field at once; the length of a password is said before', async () => {
  await fill()
  await expect.element(page.getByText('At least 15 characters. A few words are fine.')).toBeVisible()
  const wrong = {
    name: 'Name is empty',
    email: 'Email is not an email address',
    password: 'Password must be at least 15 characters long.',
    again: 'The two passwords differ.',
  }
  const problems = Object.entries(wrong).map(([field, message]) => ({ field, row: 1, message }))
  server.answer(setUp, refused('invalid_request', 'Name is empty', problems))
  await secret('Password again').fill('something else entirely')

  await go.click()

  for (const text of Object.values(wrong)) await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(box('Name')).toHaveFocus()
  await expect.element(secret('Password again')).toHaveAccessibleDescription('The two passwords differ.')
  expect(server.received(setUp)[0]?.input.body).toMatchObject({ password: good, again: 'something else entirely' })
  await expectNoAxeViolations()
  await box('Email').fill('nora.lind@school.test')
  await expect.element(page.getByText(wrong.email)).not.toBeInTheDocument()
  await expect.element(box('Email')).toHaveFocus()
})

test('ORG-03 an installation that is set up, and a wrong token, are told', async () => {
  await fill()
  server.answer(setUp, refused('already_set_up'))
  await go.click()
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText('This installation is set up. Sign in instead.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/console')

  const message = 'This token is not valid. Open the address that the server printed.'
  server.answer(setUp, refused('forbidden', message, [{ field: 'token', row: 1, message }]))
  await go.click()
  await expect.element(box('Token')).toHaveAccessibleDescription(message)
  await expect.element(page.getByRole('link', { name: 'Sign in' })).not.toBeInTheDocument()
})
