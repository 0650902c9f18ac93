import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as limits from '#kernel/limits.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { type RenderedScreen, renderScreen } from '#web/testing/render-screen.tsx'
import { loginByMobile } from '../calls/sign-in.ts'
import { LoginScreen } from './login-screen.tsx'

const server = serverForEachTest()
let screen: RenderedScreen
const number = page.getByRole('textbox', { name: 'Mobile number' })
const country = page.getByRole('combobox', { name: 'Country' })
const button = page.getByRole('button', { name: 'Request link' })
const alert = page.getByRole('alertdialog')
const ok = page.getByRole('button', { name: 'OK' })
const tooMany = page.getByText('Too many failed attempts. Try again in 5 minutes.', { exact: true })

const open = async () => {
  screen = await renderScreen(<LoginScreen />, { at: '/login', auth: null })
}
const reload = async () => {
  await screen.unmount()
  await open()
}
beforeEach(async () => {
  server.answer(loginByMobile, { mobile: 'valid', popup_text: '' })
  await open()
})

/** Requests a link that is refused, and reads the answer away. */
async function request(times = 1) {
  server.answer(loginByMobile, { mobile: 'invalid', popup_text: 'We do not know it.' })
  await number.fill('0491000004')
  for (let i = 0; i < times; i++) {
    await button.click()
    await ok.click()
  }
}
const minutesLeft = () => page.getByRole('button', { name: /^\d:\d\d$/ })

test("LOGIN-02 LOGIN-10 first the mobile form, then 'or', then the form with a password", async () => {
  const order = [number, button, page.getByText('or', { exact: true }), page.getByLabelText('Password')]
  const tops = order.map((part) => part.element().getBoundingClientRect().top)
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  await expectNoAxeViolations()
})

test("LOGIN-09 the selector shows flag and '+61', its list the four countries", async () => {
  const options = [...(country.element() as HTMLSelectElement).options]
  expect(options.map((option) => option.textContent)).toEqual([
    'Australia +61',
    'New Zealand +64',
    'United States +1',
    'United Kingdom +44',
  ])
  const shown = () => country.element().parentElement
  expect(shown()?.querySelector('[data-flag=AU]')).not.toBeNull()
  await expect.element(page.getByText('+61', { exact: true })).toBeVisible()

  await country.selectOptions('44')

  await expect.element(page.getByText('+44', { exact: true })).toBeVisible()
  expect(shown()?.querySelector('[data-flag=GB]')).not.toBeNull()
})

test.each([
  ['LOGIN-31', '61', 'Australian must be 10 digits starting with 04'],
  ['LOGIN-32', '64', 'New Zealand 10 digits starting with 02'],
  ['LOGIN-33', '1', 'US 10 digits starting with the 3-digit area code'],
  ['LOGIN-34', '44', 'UK 11 digits starting with 07'],
])('%s LOGIN-11 LOGIN-12 LOGIN-13 a wrong number for +%s is marked, with the hint: %s', async (_, dialling, hint) => {
  await country.selectOptions(dialling)
  await expect.element(number).not.toHaveAttribute('aria-invalid')
  expect(page.getByText(hint).query()).toBeNull()
  await expect.element(button).toBeDisabled()

  await number.fill('09')

  await expect.element(number).toBeInvalid()
  await expect.element(number).toHaveAccessibleDescription(hint)
  await expect.element(page.getByText(hint, { exact: true })).toBeVisible()
  await expect.element(button).toBeDisabled()
  await expectNoAxeViolations()
})

test('LOGIN-13 LOGIN-35 AMB-029 spaces vanish as they are typed; the number is sent with its country code', async () => {
  await userEvent.type(number, '0491 000 004')
  await expect.element(number).toHaveValue('0491000004')
  await expect.element(number).not.toHaveAttribute('aria-invalid')

  await userEvent.keyboard('{Enter}')

  await expect.poll(() => server.received(loginByMobile)[0]?.input.body).toEqual({ phone: '61491000004' })
})

test('LOGIN-44 a link on its way is told in green', async () => {
  await number.fill('0491000004')
  await button.click()

  await expect.element(alert).toHaveAccessibleName('Success')
  const text = 'A sign-in link has been sent to your phone. This link will expire in 3 minutes.'
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expectNoAxeViolations()
})

test('LOGIN-10 while it is being asked for, a link is asked for once', async () => {
  const asked = Promise.withResolvers<void>()
  server.answer(loginByMobile, () => asked.promise.then(() => ({ mobile: 'valid', popup_text: '' })))
  await number.fill('0491000004')
  await button.click()

  await expect.element(button).toBeDisabled()
  await userEvent.type(number, '{Enter}')
  expect(server.received(loginByMobile)).toHaveLength(1)

  asked.resolve()
  await expect.element(alert).toBeVisible()
})

test.each([
  ['LOGIN-43', { mobile: 'invalid', popup_text: 'We do not know it.' } as const, 'We do not know it.'],
  ['LOGIN-42', refused('too_many_attempts', 'x'), 'Too many failed attempts. Try again in 5 minutes.'],
  ['LOGIN-43', refused('server_error', 'x'), 'Something went wrong. Please try again.'],
  ['LOGIN-43', cutOff, 'No connection. Please check your signal and try again.'],
])('%s an answer of %o alerts in red: %s', async (_, answer, text) => {
  server.answer(loginByMobile, answer)
  await number.fill('0491000004')
  await button.click()

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await ok.click()
  await expect.element(button).toBeEnabled()
})

test('LOGIN-17 LOGIN-19 LOGIN-20 CONST-01 after the fifth answer has been read the form locks, counting from 5:00', async () => {
  await request(4)
  await button.click()
  await expect.element(page.getByText('We do not know it.')).toBeVisible()
  expect(localStorage.getItem('lockStartTime')).toBeNull()

  const before = Date.now()
  await ok.click()

  await expect.element(tooMany).toBeVisible()
  await expect.element(minutesLeft()).toBeDisabled()
  expect(minutesLeft().element().textContent).toMatch(/^(5:00|4:59)$/)
  await expect.element(page.getByRole('button', { name: '4:58' })).toBeVisible()
  expect(Number(localStorage.getItem('lockStartTime'))).toBeGreaterThanOrEqual(before)
  expect(server.received(loginByMobile)).toHaveLength(5)
  await userEvent.keyboard('{Escape}')
  await expect.element(tooMany).toBeVisible()
  await expectNoAxeViolations()
})

test('LOGIN-17 AMB-032 a reload changes nothing: four requests and one more lock it', async () => {
  await request(4)
  await reload()
  await expect.element(button).toBeDisabled()

  await request(1)

  await expect.element(tooMany).toBeVisible()
})

test('LOGIN-17 AMB-032 reloading instead of reading the fifth answer locks it all the same', async () => {
  await request(4)
  await button.click()
  await expect.element(alert).toBeVisible()

  await reload()

  await expect.element(tooMany).toBeVisible()
  expect(Number(localStorage.getItem('lockStartTime'))).toBeGreaterThan(0)
})

test('LOGIN-17 AMB-032 requests of over five minutes ago no longer count, those since then do', async () => {
  await request(4)
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + limits.mobileLock)
  await reload()

  await request(4)
  await expect.element(button).toBeEnabled()
  expect(tooMany.query()).toBeNull()
  await request(1)

  await expect.element(tooMany).toBeVisible()
})

test.each([
  ['a bare count', () => '4'],
  [
    'times that a clock set back left in the future',
    () =>
      Array(4)
        .fill(Date.now() + 60_000)
        .join(),
  ],
])('LOGIN-17 AMB-032 what is no time of the last five minutes does not count: %s', async (_, stored) => {
  await screen.unmount()
  localStorage.setItem('attempts', stored())
  await open()

  await request(1)

  await expect.element(button).toBeEnabled()
  expect(tooMany.query()).toBeNull()
})

test('LOGIN-18 SESSION-10 a reload during the lock shows it with the right time left', async () => {
  await screen.unmount()
  localStorage.setItem('attempts', '5')
  localStorage.setItem('lockStartTime', String(Date.now() - 3 * 60_000))

  await open()

  await expect.element(tooMany).toBeVisible()
  expect(minutesLeft().element().textContent).toMatch(/^(2:00|1:5\d)$/)
  await expect.element(minutesLeft()).toBeDisabled()
})

test('LOGIN-20 LOGIN-21 when it ends the alert can be closed, and five requests are free again', async () => {
  await screen.unmount()
  localStorage.setItem('attempts', '5')
  localStorage.setItem('lockStartTime', String(Date.now() - limits.mobileLock + 1500))
  await open()
  await expect.element(page.getByRole('button', { name: '0:01' })).toBeDisabled()

  await expect.element(ok).toBeEnabled()
  expect({ ...localStorage }).toEqual({})
  await number.fill('0491000004')
  await expect.element(button).toBeEnabled()
  await ok.click()
  await request(4)

  await expect.element(button).toBeEnabled()
  expect(server.received(loginByMobile)).toHaveLength(4)
})

test('LOGIN-21 a lock that ended while the page was closed is not shown', async () => {
  await screen.unmount()
  localStorage.setItem('attempts', '5')
  localStorage.setItem('lockStartTime', String(Date.now() - limits.mobileLock - 1))

  await open()

  await number.fill('0491000004')
  await expect.element(button).toBeEnabled()
  expect({ ...localStorage }).toEqual({})
})

test('LOGIN-18 a clock that was set back never locks for longer than five minutes', async () => {
  await screen.unmount()
  localStorage.setItem('lockStartTime', String(Date.now() + 24 * 3_600_000))

  await open()

  await expect.element(page.getByRole('button', { name: '5:00' })).toBeDisabled()
})

test('LOGIN-17 AMB-032 only requests that the server refused count: links that were sent and lost signals do not', async () => {
  for (const answer of [{ mobile: 'valid', popup_text: '' } as const, cutOff]) {
    server.answer(loginByMobile, answer)
    await number.fill('0491000004')
    for (let i = 0; i < 5; i++) {
      await button.click()
      await ok.click()
    }
  }

  await expect.element(button).toBeEnabled()
  expect([tooMany.query(), localStorage.getItem('lockStartTime')]).toEqual([null, null])
})

test('LOGIN-17 the lock closes the form for mobiles alone: who knows a password signs in', async () => {
  await request(5)
  await expect.element(tooMany).toBeVisible()

  await expect.element(number).toBeDisabled()
  await expect.element(country).toBeDisabled()
  await expect.element(button).toBeDisabled()
  await page.getByRole('textbox', { name: 'Email / Username' }).fill('wade')
  await page.getByLabelText('Password').fill('evacuate1')
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
})

test('LOGIN-09 AMB-029 the country is still chosen after a reload', async () => {
  await country.selectOptions('44')

  await reload()

  await expect.element(country).toHaveValue('44')
})

test('LOGIN-09 AMB-029 a browser that stores nothing takes a country all the same', async () => {
  await screen.unmount()
  const refusal = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('refused', 'QuotaExceededError')
  })
  onTestFinished(() => refusal.mockRestore())

  await open()
  await country.selectOptions('64')

  await expect.element(page.getByText('+64', { exact: true })).toBeVisible()
})

test('LOGIN-13 LOGIN-35 AMB-029 a number with its country code is taken as it is pasted', async () => {
  await number.fill('+44 7123 456-789')

  await expect.element(number).toHaveValue('07123456789')
  await expect.element(country).toHaveValue('44')
  await button.click()
  await expect.poll(() => server.received(loginByMobile)[0]?.input.body).toEqual({ phone: '447123456789' })
})
