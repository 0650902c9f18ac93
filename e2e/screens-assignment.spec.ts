import type { Page } from '@playwright/test'
import { listAssignmentPeeps, listDocuments } from '#features/assignments/calls/assignments.ts'
import { picture, rewrite } from './support/pictures.ts'
import { expect, press, signInOn, test } from './support/test.ts'

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('ASSIGN-01 UI accept, decline, withdraw and documents, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
}) => {
  test.slow()
  const page = await phone()
  await signInOn(page, organisation.newcomer)
  await press(page, 'Documents')
  await heading(page, 'Documents')
  await expect(page.getByRole('link', { name: /Emergency plan/ })).toBeVisible()
  await picture(page, 'documents')
  await rewrite(page, listDocuments, () => ({ documents: [] }))
  await page.reload()
  await expect(page.getByText('No Documents')).toBeVisible()
  await picture(page, 'documents-none')
  await page.unrouteAll()

  await page.goto('/reportinlist')
  await press(page, 'Review to Accept / Decline')
  await expect(page.getByText("There are no PEEP's in your area.")).toBeVisible()
  await picture(page, 'offer')
  await rewrite(page, listAssignmentPeeps, () =>
    ['Amara Adeyemi', 'Bruno Castillo', 'Chen Liu', 'Dara Nolan'].map((Person) => ({
      Person,
      PEEP_Floor: 'Tower A - Level 2',
      PEEP_Summary: 'Uses a wheelchair. Evacuation chair and two helpers.',
    })),
  )
  await page.reload()
  await expect(page.getByText('Chen Liu')).toBeVisible()
  await picture(page, 'offer-peeps')
  await press(page, 'Decline')
  await picture(page, 'offer-decline')
  await press(page, 'Back')
  await press(page, 'Accept')
  await expect(page.getByRole('alertdialog', { name: 'Success' })).toBeVisible()
  await picture(page, 'offer-accepted')
  await press(page, 'OK')

  await press(page, 'Withdraw')
  await heading(page, 'Withdraw from Warden Assignment')
  await picture(page, 'withdraw')
  await page.getByLabel('Reason').fill('I am moving to another building')
  await press(page, 'Withdraw')
  await expect(page.getByRole('alertdialog', { name: 'Success' })).toBeVisible()
  await picture(page, 'withdrawn')
})
