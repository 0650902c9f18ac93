import { expect, expectAccessible, mark, press, signInOn, test } from './support/test.ts'

test('REC-06 REC-08 CMD-22 CMD-24 danger on a cleared floor contradicts: its warden is told to check again and has understood, and a newer record or a reason settles it', async ({
  floorPhone,
  organisation,
  phone,
}) => {
  const chief = await phone({ viewport: { width: 1440, height: 900 } })
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/people?tab=contradictions')
  await expect(chief.getByText('Nothing here.')).toBeVisible()

  await floorPhone.getByRole('combobox', { name: 'Floor status', exact: true }).selectOption('Evacuated')
  await press(floorPhone, 'Set it')
  await mark(floorPhone, 'Bruno Castillo 02', 'Danger on floor')

  const items = chief.getByRole('list', { name: 'Contradictions' }).getByRole('listitem')
  const danger = items.filter({ hasText: 'Cleared, with someone in danger' })
  await expect(danger).toContainText('Bruno Castillo 02', { timeout: 3000 })
  await danger.getByRole('button', { name: /^Resolve/ }).click()
  const record = chief.getByRole('complementary', { name: 'Record' })
  await expect(record.getByRole('heading', { name: 'Evacuated' })).toBeVisible()
  await expect(record.getByRole('heading', { name: 'In Danger', exact: true })).toBeVisible()
  await expectAccessible(chief, 'a contradiction beside its list')

  // the floor is checked again
  await record.getByRole('link', { name: 'Check the floor again' }).click()
  const confirm = chief.getByRole('alertdialog', { name: 'Send ‘Check again’?' })
  await expect(confirm).toContainText('Tower A, Level 1')
  await confirm.getByRole('button', { name: /^Send to \d+ wardens?$/ }).click()
  const sheet = floorPhone.getByRole('alertdialog', { name: 'Check again' })
  await expect(sheet).toContainText(/, Level 1\. Check your floor again: someone may still be there\./, {
    timeout: 3000,
  })
  await sheet.getByRole('button', { name: 'Understood' }).click()
  await expect(sheet).toBeHidden()
  await expect(chief.getByText(/^1 of \d+ understood$/)).toBeVisible({ timeout: 3000 })

  // back at the list, a newer record settles one contradiction, and a reason hides the other
  await chief.goBack()
  await danger.getByRole('button', { name: /^Resolve/ }).click()
  await record.getByRole('button', { name: 'Record again: Bruno Castillo 02' }).click()
  await record.getByRole('button', { name: 'Safe' }).click()
  await expect(danger).toBeHidden()
  const plan = items.filter({ hasText: 'Cleared, with a PEEP unknown' })
  await plan.getByRole('button', { name: /^Resolve/ }).click()
  await record.getByLabel('Reason').fill('Works from home today')
  await press(chief, 'Keep as it is')
  await expect(plan).toBeHidden()
  await expect(chief.getByText('Nothing here.')).toBeVisible()
})
