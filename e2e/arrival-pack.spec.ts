import { startEvent } from '../rig/api.ts'
import { lacks, outputOf, printOf, readQrCode } from './support/outside-tools.ts'
import { picture, snapshot } from './support/pictures.ts'
import { expect, expectAccessible, openFromMenu, press, reportInOn, signInOn, test } from './support/test.ts'

test('PACK-01 PACK-02 PACK-03 PACK-10 a manager shows the code, a fire officer opens it without script and prints one sheet, and it ends', async ({
  browser,
  product,
  organisation,
  phone,
}) => {
  await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const chief = await phone()
  // a page without a screen has no one who closes the dialog
  await chief.context().addInitScript(() => {
    window.print = () => {
      document.title = 'Printed'
    }
  })
  await signInOn(chief, organisation.deputy)
  await reportInOn(chief)
  await openFromMenu(chief, 'Event Management')
  await chief.getByRole('link', { name: 'Arrival pack' }).click()
  await chief.getByLabel('Hazard', { exact: true }).fill('Gas cylinders at the loading dock')
  await press(chief, 'Note the hazard')
  await press(chief, 'Arrival pack')
  const address = new URL(await chief.getByText(/\/p\/[\w-]{22}$/).innerText())
  const code = chief.getByRole('img', { name: 'QR code of the arrival pack' })
  await code.scrollIntoViewIfNeeded()
  expect(await readQrCode(browser, await chief.screenshot())).toBe(address.href)
  await picture(chief, 'arrival-pack', { matrix: true, tight: true })
  await expectAccessible(chief, 'the page of arrival packs')

  const officer = await phone({ javaScriptEnabled: false })
  await officer.goto(address.pathname)
  await officer.getByLabel('Your name and unit').fill('Kim, Engine 4')
  await officer.getByRole('button', { name: 'Open as fire service' }).click()
  await expect(officer).toHaveURL(/\/p\/[\w-]{22}\/[\w-]{22}$/)
  await expect(officer.getByText('DRILL. This is an exercise.')).toBeVisible()
  await expect(officer.getByText('Gas cylinders at the loading dock')).toBeVisible()
  await snapshot(officer, 'arrival-pack-opened')
  if (lacks('pdftoppm') === undefined) {
    const sheet = outputOf('pdftoppm', ['-png', '-singlefile', '-r', '110', '-'], await printOf(officer))
    expect(await readQrCode(browser, sheet)).toBe(address.href)
  }

  await expect(chief.getByText('Kim, Engine 4')).toBeVisible({ timeout: 20_000 })
  const [printed] = await Promise.all([chief.waitForEvent('popup'), press(chief, 'Print')])
  await printed.waitForFunction(() => document.title === 'Printed')
  await expect(chief.getByText('Printed', { exact: true })).toBeVisible({ timeout: 20_000 })
  await printed.close()

  await press(chief, 'End')
  await expect(code).toBeHidden()
  await officer.getByRole('link', { name: 'Refresh' }).click()
  await expect(officer.getByText('This page is no longer available. Ask the person in command.')).toBeVisible()
  expect((await officer.reload())?.status()).toBe(410)
})
