import { getCommand, takeCommand } from '#features/command/calls/command.ts'
import { expect, reportInOn, signInOn, test } from './support/test.ts'

/** As if no one had heard of any warden for six minutes. */
const silence = `
  with past as (select now() - interval '6 minutes' as at),
    contact as (update warden_contact set seen_at = (select at from past)),
    duty as (update warden_sign_in set on_duty_at = (select at from past)),
    turn as (update command_turn set began_at = (select at from past) where ended_at is null)
  update journal set recorded_at = (select at from past)`

test('CMD-05 CMD-07 CMD-09 CMD-10 CMD-22 CMD-24 a leader is cut off, a deputy takes command, instructs, and everyone sees it', async ({
  product,
  organisation,
  manager,
  floorPhone,
  phone,
}) => {
  test.setTimeout(120_000)
  const [chief, deputy] = [await phone(), await phone()]
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/command')
  await expect(chief.getByRole('link', { name: /^In command/ })).toBeVisible()
  await signInOn(deputy, organisation.deputy)
  await reportInOn(deputy)
  const { turn } = await manager(getCommand, {})

  // the chief's phone is cut off, and five minutes pass
  await chief.context().setOffline(true)
  const asked = deputy.getByRole('alertdialog', { name: /has been out of contact for \d+ min\. Take command\?$/ })
  await expect(async () => {
    await product.pool.query(silence)
    await expect(asked).toBeVisible({ timeout: 8_000 })
  }).toPass()
  await expect(floorPhone.getByRole('link', { name: /No contact for \d+ min/ })).toBeVisible()

  // one tap; every phone shows the name, and another one at that instant is told
  await asked.getByRole('button', { name: 'Take command' }).click()
  const told = /^Now in command: /
  await expect(floorPhone.getByText(told)).toBeVisible()
  await expect(deputy.getByText(told)).toBeVisible()
  const { turn: now } = await manager(getCommand, {})
  const name = now.in_command?.name as string
  await expect(floorPhone.getByRole('link', { name: `In command: ${name}` })).toBeVisible()
  await expect(manager(takeCommand, { body: { turn: turn.turn } })).rejects.toMatchObject({
    code: 'command_changed',
    message: `${name} has just taken command.`,
  })

  // the former leader is told as soon as the phone is back
  await chief.context().setOffline(false)
  await expect(chief.getByText(told)).toBeVisible({ timeout: 30_000 })

  // an instruction goes and comes
  await deputy.goto('/event/instructions')
  await deputy.getByText('Check again', { exact: true }).click()
  await deputy.getByRole('button', { name: 'All floors' }).click()
  await deputy.getByRole('button', { name: 'Send', exact: true }).click()
  await deputy.getByRole('button', { name: /^Send to \d+ wardens?$/ }).click()
  const sheet = floorPhone.getByRole('alertdialog', { name: 'Check again' })
  await expect(sheet).toBeVisible({ timeout: 3_000 })
  await expect(sheet).toContainText(`Check your floor again: someone may still be there.`)
  await sheet.getByRole('button', { name: 'Understood' }).click()
  await expect(sheet).toBeHidden()
  await expect(deputy.getByText(/^1 of \d+ understood$/)).toBeVisible({ timeout: 3_000 })
})
