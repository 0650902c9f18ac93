import type { Page } from '@playwright/test'
import { onDuty, startEvent } from './support/api.ts'
import { expect, expectAccessible, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

const folder = 'output/screens'

/** A picture of the whole screen for whoever wants to look, and no accessibility finding. */
async function inspect(page: Page, name: string) {
  await page.screenshot({ path: `${import.meta.dirname}/${folder}/${name}.png` })
  await expectAccessible(page, name)
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`PROD-04 SHELL-05 every screen of an evacuation is readable and accessible (${colorScheme})`, async ({
    organisation,
    phone,
    product,
  }) => {
    test.slow() // some thirty screens, each looked through by axe
    const view = (name: string) => `${name}-${colorScheme}`
    const chief = await phone({ colorScheme })
    await chief.goto('/login')
    await expect(chief.getByText('Emergency Event Management')).toBeVisible()
    await inspect(chief, view('login'))
    await signInOn(chief, organisation.chief)
    await expect(chief.getByText('Current Assignment')).toBeVisible()
    await inspect(chief, view('list-no-event'))
    await chief.getByRole('button', { name: 'Start Event' }).click()
    await chief.getByRole('checkbox', { name: 'Tower A' }).check()
    await inspect(chief, view('event-start'))
    await chief.getByRole('combobox', { name: /type/i }).selectOption({ label: 'Fire' })
    await chief.getByRole('button', { name: 'Start Event' }).click()
    await expect(chief.getByRole('alertdialog')).toBeVisible()
    await inspect(chief, view('event-confirm'))
    await chief.getByRole('button', { name: 'Cancel' }).click()
    await startEvent(product, organisation, ['Tower A'], { broadcastMessage: 'yes' })
    await onDuty(product, organisation.deputy)

    await chief.goto('/building/status')
    await expect(chief.getByRole('table', { name: 'Tower A' })).toBeVisible()
    await inspect(chief, view('building-status'))
    await chief.goto('/event/management')
    await chief.getByRole('button', { name: 'Not reached: call instead' }).click()
    await expect(chief.getByRole('list', { name: 'Not reached' })).toBeVisible()
    await inspect(chief, view('event-texts'))

    const warden = await phone({ colorScheme })
    await signInOn(warden, organisation.floor1)
    await expect(warden.getByText('Event In Progress')).toBeVisible()
    await inspect(warden, view('list-event'))
    await warden.getByRole('button', { name: 'Report In - Available' }).click()
    await expect(warden.getByRole('button', { name: 'Report In', exact: true })).toBeVisible()
    await inspect(warden, view('report'))
    await warden.goBack()
    await reportInOn(warden)
    await expect(warden.getByText('Floor Warden').first()).toBeVisible()
    await inspect(warden, view('my-role'))
    await warden.getByRole('button', { name: 'Menu' }).click()
    await inspect(warden, view('menu'))
    await warden.getByRole('button', { name: 'Go Off Duty' }).click()
    await inspect(warden, view('off-duty'))
    await warden.getByRole('button', { name: 'Cancel' }).click()
    await warden.keyboard.press('Escape')

    await openFromMenu(warden, 'floor evacuation')
    const card = (name: string) => warden.getByRole('listitem').filter({ hasText: name }).last()
    await card('Bruno Castillo 02')
      .getByRole('button', { name: /Unknown/ })
      .click()
    await inspect(warden, view('status-sheet'))
    await warden.getByRole('dialog').getByRole('button', { name: 'Danger on floor' }).click()
    await card('Amara Adeyemi 01')
      .getByRole('button', { name: /Unknown/ })
      .click()
    await warden.getByRole('dialog').getByRole('button', { name: 'Safe on floor' }).click()
    await inspect(warden, view('floor-evacuation'))
    await warden.getByRole('button', { name: /People with Disability on this Floor/ }).click()
    await inspect(warden, view('floor-peeps'))
    await warden.context().setOffline(true)
    await card('Chen Liu 03')
      .getByRole('button', { name: /Unknown/ })
      .click()
    await warden.getByRole('dialog').getByRole('button', { name: 'Safe on floor' }).click()
    await expect(card('Chen Liu 03')).toContainText('(waiting)')
    await inspect(warden, view('floor-offline'))
    await warden.context().setOffline(false)
    await expect(card('Chen Liu 03')).not.toContainText('(waiting)')
    await openFromMenu(warden, 'evacuee safety')
    await expect(card('Bruno Castillo 02')).toContainText('In Danger')
    await inspect(warden, view('evacuee-safety'))
    await warden.getByRole('button', { name: 'Areas' }).click()
    await warden.getByRole('button', { name: 'Floors of Tower A' }).click()
    await inspect(warden, view('safety-areas'))
    await warden.getByRole('button', { name: 'Areas' }).click()
    await openFromMenu(warden, 'floor evacuation status')
    await warden.getByRole('button', { name: /^Level 1/ }).click()
    await expect(card('Bruno Castillo 02')).toContainText('Danger on floor')
    await inspect(warden, view('floor-status'))

    await openFromMenu(chief, 'Floor Warden Status')
    await expect(chief.getByText('2 floors without a warden on duty')).toBeVisible()
    await inspect(chief, view('floor-warden-status'))
    await chief
      .getByRole('button', { name: /^Level 1/ })
      .last()
      .click()
    await chief.getByRole('link', { name: 'Call Oliver Level One' }).scrollIntoViewIfNeeded()
    await inspect(chief, view('floor-wardens'))
    await openFromMenu(chief, 'Wardens On duty')
    await chief.getByRole('button', { name: /^Floor Warden/ }).click()
    await inspect(chief, view('wardens-on-duty'))
    await warden.goto('/no/such/page')
    await expect(warden.getByText('404 Not Found!')).toBeVisible()
    await inspect(warden, view('not-found'))
  })

  test(`AMB-028 the screens of a forgotten password are readable and accessible (${colorScheme})`, async ({
    organisation,
    phone,
  }) => {
    const view = (name: string) => `${name}-${colorScheme}`
    const page = await phone({ colorScheme })
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot Password' }).click()
    await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
    await page.getByLabel('Email', { exact: true }).fill(organisation.floor1)
    await inspect(page, view('forgot-password'))
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await inspect(page, view('forgot-password-sent'))
    await page.goto('/simulator')
    await page.getByLabel('Search by name or number').fill(organisation.floor1Mobile.slice(1))
    await page.getByRole('button', { name: /Oliver Level One/ }).click()
    await expect(page.getByRole('log').getByRole('link')).toBeVisible()
    await inspect(page, view('simulator-mail'))
    await page.getByRole('log').getByRole('link').click()
    await page.getByLabel('New password').fill('fourteen chars')
    await inspect(page, view('reset-password'))
    await page.goto('/reset-password')
    await expect(page.getByText('Open the link in your mail again, or request another.')).toBeVisible()
    await inspect(page, view('reset-password-no-link'))
  })
}
