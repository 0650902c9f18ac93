import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { startEvent } from '../rig/api.ts'
import { picture, snapshot } from './support/pictures.ts'
import { expect, expectAccessible, openFromMenu, press, reportInOn, signInOn, test } from './support/test.ts'

test('PACK-01 PACK-03 PACK-10 a manager shows the code, a fire officer opens it without script and prints one sheet, and it ends', async ({
  product,
  organisation,
  phone,
}, info) => {
  await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const chief = await phone()
  await signInOn(chief, organisation.deputy)
  await reportInOn(chief)
  await openFromMenu(chief, 'Event Management')
  await chief.getByRole('link', { name: 'Arrival pack' }).click()
  await chief.getByLabel('Hazard', { exact: true }).fill('Gas cylinders at the loading dock')
  await press(chief, 'Note the hazard')
  await press(chief, 'Arrival pack')
  await expect(chief.getByRole('img', { name: 'QR code of the arrival pack' })).toBeVisible()
  const address = new URL(await chief.getByText(/\/p\/[\w-]{22}$/).innerText())
  await picture(chief, 'arrival-pack', { matrix: true, tight: true })
  await expectAccessible(chief, 'the page of arrival packs')

  const officer = await phone({ javaScriptEnabled: false })
  await officer.goto(address.pathname)
  await officer.getByLabel('Your name and unit').fill('Kim, Engine 4')
  await officer.getByRole('button', { name: 'Open as fire service' }).click()
  await expect(officer).toHaveURL(/\/p\/[\w-]{22}\/[\w-]{22}$/)
  await expect(officer.getByText('DRILL. This is an exercise.')).toBeVisible()
  await expect(officer.getByText('Gas cylinders at the loading dock')).toBeVisible()
  const sheet = info.outputPath('pack.pdf')
  await snapshot(officer, 'arrival-pack-opened')
  writeFileSync(sheet, await officer.pdf({ preferCSSPageSize: true }))
  const read = execFileSync('pdftotext', ['-layout', sheet, '-'], { encoding: 'utf8' })
  expect(read.split('\f')).toHaveLength(2) // one sheet, and the end of the file
  expect(read).toContain('Unknown is not safe.')

  await expect(chief.getByText('Kim, Engine 4')).toBeVisible({ timeout: 20_000 })
  await press(chief, 'End')
  await officer.getByRole('link', { name: 'Read again' }).click()
  await expect(officer.getByText('This page has ended. Ask the person in command.')).toBeVisible()
})
