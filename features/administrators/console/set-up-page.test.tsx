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

test('ORG-04 passwords that differ, or that are too short, are not sent', async () => {
  await fill()
  await secret('Password again').fill('something else entirely')
  await go.click()
  await expect.element(page.getByText('The two passwords differ.').first()).toBeVisible()
  await secret('Password').fill('short')
  await go.click()

  await expect.element(page.getByText('Password must be at least 15 characters long.').first()).toBeVisible()
  expect(server.received(setUp)).toEqual([])
})

test('ORG-03 an installation that is set up, a wrong token and a weak password are told', async () => {
  await fill()
  const told = async (text: string) => {
    await go.click()
    await expect.element(page.getByRole('alert').getByText(text)).toBeVisible()
  }
  server.answer(setUp, refused('already_set_up'))
  await told('This installation is set up. Sign in instead.')
  await expect.element(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/console')
  server.answer(setUp, refused('forbidden', 'This token is not valid. Open the address that the server printed.'))
  await told('This token is not valid. Open the address that the server printed.')
  server.answer(setUp, { problem: 'too_common' })
  await told('This password is too easy to guess. Please choose another.')
})
