import type { Page } from '@playwright/test'
import { login, loginByMobile, verifyLoginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { obstruct, picture, rewrite } from './support/pictures.ts'
import { expect, press, test } from './support/test.ts'

const alert = (page: Page, name: string) => page.getByRole('alertdialog', { name })
const openLogin = async (page: Page, search = '') => {
  await page.goto(`/login${search}`)
  await expect(page.getByRole('heading', { name: 'Emergency Event Management' })).toBeVisible()
}

test('LOGIN-01 UI the login page with a password, in every size', { tag: '@long' }, async ({ phone, organisation }) => {
  test.slow()
  const page = await phone()
  await openLogin(page)
  await picture(page, 'login')

  const [email, password] = [page.getByLabel('Email / Username'), page.getByLabel('Password')]
  for (const [name, word, slug] of [
    ['', '', 'both-missing'],
    ['', 'evacuate1', 'name-missing'],
    [organisation.chief, '', 'password-missing'],
    [organisation.chief, 'short', 'password-short'],
  ] as const) {
    await email.fill(name)
    await password.fill(word)
    await password.press('Enter')
    await expect(alert(page, 'Error')).toBeVisible()
    await picture(page, `login-${slug}`)
    await press(page, 'OK')
  }

  await password.fill('wrong-password')
  await page.getByRole('button', { name: 'Show characters' }).click()
  const release = await obstruct(page, login, 'hold')
  await press(page, 'Sign in')
  await expect(page.getByRole('button', { name: 'Loading' })).toBeVisible()
  await picture(page, 'login-loading')
  await release()
  await expect(alert(page, 'Error')).toBeVisible()
  await picture(page, 'login-refused')
  await press(page, 'OK')

  await rewrite(page, login, () => ({ error: 'unauthorized_access', message: '' }))
  await press(page, 'Sign in')
  await expect(alert(page, 'Warning')).toBeVisible()
  await picture(page, 'login-unauthorised')
})

test('LOGIN-09 UI the login page with a mobile number, in every size', { tag: '@long' }, async ({
  phone,
  organisation,
}) => {
  test.slow()
  const page = await phone()
  await openLogin(page)
  const number = page.getByLabel('Mobile number')
  for (const dialling of ['61', '64', '1', '44']) {
    await page.getByLabel('Country').selectOption(dialling)
    await number.fill('12')
    await expect(number).toHaveAttribute('aria-invalid', 'true')
    await picture(page, `login-mobile-hint-${dialling}`)
  }
  await page.getByLabel('Country').selectOption('61')
  await number.fill(organisation.floor1Mobile)
  await press(page, 'Request link')
  await expect(alert(page, 'Success')).toBeVisible()
  await picture(page, 'login-link-sent')
  await press(page, 'OK')

  await rewrite(page, loginByMobile, (reply) => ({ ...reply, mobile: 'invalid', popup_text: 'Invalid mobile number.' }))
  await press(page, 'Request link')
  await expect(alert(page, 'Error')).toBeVisible()
  await picture(page, 'login-mobile-refused')

  await page.evaluate(() => localStorage.setItem('lockStartTime', String(Date.now())))
  await page.reload()
  await expect(page.getByRole('button', { name: /^[45]:\d\d$/ })).toBeVisible()
  await picture(page, 'login-locked')

  await page.evaluate(() => {
    localStorage.removeItem('lockStartTime')
    sessionStorage.setItem('signedOut', '1')
  })
  await page.reload()
  await expect(page.getByText('You were signed out. Please sign in again.')).toBeVisible()
  await picture(page, 'login-signed-out')
})

test('LOGIN-04 UI the login page with a link, in every size', { tag: '@long' }, async ({ phone }) => {
  test.slow()
  const page = await phone()
  const release = await obstruct(page, verifyLoginByMobile, 'hold')
  await openLogin(page, '#token=none')
  await expect(page.getByText('Checking your link...')).toBeVisible()
  await picture(page, 'login-link-checking')
  await release()
  await expect(alert(page, 'Error')).toBeVisible()
  await picture(page, 'login-link-expired')

  await obstruct(page, verifyLoginByMobile, 'cut off')
  await openLogin(page, '#token=none')
  await expect(page.getByRole('button', { name: 'Try the link again' })).toBeVisible()
  await picture(page, 'login-link-trouble')
})

test('AMB-028 UI the pages of a forgotten password, in every size', { tag: '@long' }, async ({ phone }) => {
  test.slow()
  const page = await phone()
  for (const [address, shows, name] of [
    ['/forgot-password', 'Back to sign in', 'forgot-password'],
    ['/reset-password#token=none', 'New password', 'reset-password'],
    ['/reset-password', 'Request another link', 'reset-password-no-link'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByText(shows, { exact: true })).toBeVisible()
    await picture(page, name)
  }
})
