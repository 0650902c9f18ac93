import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { signIn, startEvent } from '../rig/api.ts'
import { desk, lookAt, openConsole, pressOn, typeInto } from './support/console.ts'
import { expect, openFromMenu, signInOn, test } from './support/test.ts'

test('ORG-35 ORG-44 PPL-20 PPL-24 PPL-25 PPL-27 by the keyboard alone an administrator adds a floor and offers it, the warden accepts on a phone, coverage turns; in an event the deactivation waits until off duty', async ({
  organisation,
  phone,
  product,
}) => {
  test.setTimeout(120_000)
  await product.pool.query(
    `insert into administrator (client_uid, person_uid, reach)
       select client_uid, uid, 'organisation' from person where email = $1`,
    [organisation.chief],
  )
  const desktop = await phone({ viewport: desk })
  await openConsole(desktop, product, organisation.chief)
  await expect(desktop.getByText('None in the last 14 days.')).toBeVisible()

  await test.step('a floor is added', async () => {
    await pressOn(desktop, desktop.getByRole('link', { name: 'Places', exact: true }))
    await lookAt(desktop, 'places')
    await pressOn(desktop, desktop.getByRole('link', { name: new RegExp(`^${organisation.site}`) }))
    const tower = desktop.getByRole('region', { name: 'Tower A' })
    await pressOn(desktop, tower.getByRole('button', { name: 'Add a floor' }))
    await typeInto(desktop, desktop.getByLabel('Name', { exact: true }), 'Roof')
    await desktop.keyboard.press('Enter')
    await expect(tower.getByRole('row', { name: /^Roof F-001/ })).toBeVisible()
    await lookAt(desktop, 'site')
  })

  const cell = desktop.getByRole('button', { name: /^Floor Warden, Roof:/ })
  await test.step('no one has it, so it is offered', async () => {
    await pressOn(desktop, desktop.getByRole('link', { name: 'Wardens', exact: true }))
    await pressOn(desktop, desktop.getByRole('link', { name: 'Coverage', exact: true }))
    await expect(desktop.getByRole('rowheader', { name: /Roof/ }).getByText('No warden')).toBeVisible()
    await lookAt(desktop, 'coverage')
    await pressOn(desktop, cell)
    await typeInto(desktop, desktop.getByRole('searchbox', { name: 'Search people' }), 'Lucas')
    await pressOn(desktop, desktop.getByRole('button', { name: /^Lucas Tower B/ }))
    await lookAt(desktop, 'offer')
    await pressOn(desktop, desktop.getByRole('button', { name: 'Offer', exact: true }))
    await expect(cell).toHaveText('1 offered')
  })

  const page = await phone()
  await test.step('the warden accepts on a phone', async () => {
    await signInOn(page, organisation.towerB)
    await page.getByRole('button', { name: 'Review to Accept / Decline' }).click()
    await expect(page.getByText('Tower A - Roof')).toBeVisible()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(page.getByText('You have accepted the Warden assignment.', { exact: true })).toBeVisible()
  })

  await test.step('coverage turns by itself', async () => {
    await expect(cell).toHaveText('Lucas Tower B', { timeout: 20_000 })
    await expect(desktop.getByRole('rowheader', { name: /Roof/ }).getByText('No warden')).toBeHidden()
    await pressOn(desktop, desktop.getByRole('link', { name: 'Assignments', exact: true }))
    await expect(desktop.getByRole('row', { name: /Tower B, Lucas.*Roof.*Accepted/ })).toBeVisible()
    await lookAt(desktop, 'assignments')
    await pressOn(desktop, desktop.getByRole('link', { name: 'Roles', exact: true }))
    await expect(desktop.getByText('Chief Warden')).toBeVisible()
    await lookAt(desktop, 'roles')
  })

  await test.step('an event starts, and the deactivation of its warden waits', async () => {
    await startEvent(product, organisation)
    await page.goto('/reportinlist')
    // the card of the other tower's role is there, too, and disabled
    await page.getByRole('button', { name: 'Report In - Available', disabled: false }).click()
    await page.getByRole('button', { name: 'Report In', exact: true }).click()
    await page.waitForURL('**/me/role')
    await pressOn(desktop, desktop.getByRole('link', { name: 'People', exact: true }))
    await expect(desktop.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
    await desktop.keyboard.press('/')
    await desktop.keyboard.type('Lucas')
    await pressOn(desktop, desktop.getByRole('link', { name: /Tower B, Lucas|Lucas Tower B/ }))
    await pressOn(desktop, desktop.getByRole('button', { name: 'Deactivate' }))
    await pressOn(desktop, desktop.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }))
    await expect(desktop.getByText('On duty. This happens when they go off duty.')).toBeVisible()
  })

  await test.step('off duty it happens, and their next request is 401', async () => {
    const other = await signIn(product, organisation.towerB)
    await openFromMenu(page, 'Go Off Duty')
    await page.getByRole('button', { name: 'Logout', exact: true }).click()
    await expect(async () => {
      await expect(other(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in' })
    }).toPass({ timeout: 30_000 })
    await desktop.reload()
    await expect(desktop.getByText('Inactive. Left out of future events.')).toBeVisible()
  })
})
