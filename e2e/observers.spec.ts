import { listEventSites } from '#features/events/calls/events.ts'
import { concludeEvent, startEvent } from '../rig/api.ts'
import { picture } from './support/pictures.ts'
import { expect, expectAccessible, openFromMenu, press, reportInOn, signInOn, test } from './support/test.ts'

test('AAR-28 AAR-30 a manager makes a link, an observer and a warden note from their phones, and the record has it', async ({
  product,
  organisation,
  phone,
}) => {
  const manager = await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const chief = await phone()
  await signInOn(chief, organisation.deputy)
  await reportInOn(chief)
  await openFromMenu(chief, 'Event Management')
  await chief.getByRole('link', { name: 'Observers' }).click()
  await chief.getByLabel('Name of the observer').fill('Kim Observer')
  await press(chief, 'Make a link')
  await expect(chief.getByRole('img', { name: 'QR code of the link for Kim Observer' })).toBeVisible()
  await picture(chief, 'observers', { matrix: true })
  await expectAccessible(chief, 'observers of an event')
  const link = new URL(await chief.getByLabel('Link', { exact: true }).inputValue())

  const observer = await phone()
  await observer.goto(`/observe${link.hash}`)
  await expect(observer.getByText('Your name is recorded as Kim Observer.')).toBeVisible()
  await expect(observer.getByText('DRILL', { exact: true })).toBeVisible()
  await observer.getByText('To improve', { exact: true }).click()
  await observer.getByLabel('Place').selectOption('Tower A, Level 1')
  await observer.getByLabel('What you saw').fill('The stair door of Level 1 stuck.')
  await observer.context().setOffline(true)
  await press(observer, 'Save')
  const own = observer.getByRole('region', { name: 'Own notes' })
  await expect(own).toContainText('The stair door of Level 1 stuck.')
  await expect(own).toContainText('(waiting)')
  await picture(observer, 'observe', { matrix: true })
  await expectAccessible(observer, 'the page of an observer')
  await observer.context().setOffline(false)
  await expect(own).not.toContainText('(waiting)')
  await observer.reload()
  await expect(own).toContainText('To improve, Tower A, Level 1')
  await observer.getByText(/^Checklist/).click()
  await press(observer, 'Answer: Areas searched?')
  const answer = observer.getByRole('dialog', { name: 'Areas searched?' })
  await answer.getByText('Not seen', { exact: true }).click()
  await answer.getByRole('button', { name: 'Save' }).click()
  await expect(observer.getByText('Checklist, 1 of 12 answered')).toBeVisible()

  const warden = await phone()
  await signInOn(warden, organisation.floor1)
  await reportInOn(warden)
  await openFromMenu(warden, 'Observation')
  await warden.getByLabel('What you saw').fill('The lobby was empty in a minute.')
  await warden.context().setOffline(true)
  await press(warden, 'Save')
  const noted = warden.getByRole('region', { name: 'Own notes' })
  await expect(noted).toContainText('(waiting)')
  await picture(warden, 'observation', { tight: true, matrix: true })
  await expectAccessible(warden, 'the page of an observation')
  await concludeEvent(manager)
  await warden.context().setOffline(false)

  await expect(async () => {
    await chief.goto('/event/records')
    await chief.getByRole('listitem').getByRole('link').first().click({ timeout: 2000 })
    await expect(chief.getByText('The stair door of Level 1 stuck.').first()).toBeVisible({ timeout: 5000 })
    await expect(chief.getByText('The lobby was empty in a minute.').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 90_000 })
  await expect(chief.getByText(/^Kim Observer,/).first()).toBeVisible()

  await chief.getByRole('link', { name: 'Observers' }).click()
  await expect(chief.getByRole('listitem')).toContainText('2 notes')
  await press(chief, 'End link of Kim Observer')
  await expect(chief.getByRole('listitem')).toContainText('ended')
  await observer.reload()
  await expect(observer.getByText('This link no longer works.')).toBeVisible()
})

test("REC2-16 a drill of two weeks ago takes '10:05' of its own day from a phone in another zone", async ({
  organisation,
  phone,
  product,
}) => {
  const manager = await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const event = (await manager(listEventSites, {})).data.activeEvent?.id
  await concludeEvent(manager)
  const { rows } = await product.pool.query(
    `update event set started_at = ten, began_at = ten, ended_at = ten + interval '14 minutes'
     from (select (date_trunc('day', now() at time zone 'Australia/Sydney') - interval '14 days' + interval '10 hours')
       at time zone 'Australia/Sydney' as ten) ago where uid = $1
     returning to_char(ten at time zone 'Australia/Sydney', 'YYYY-MM-DD') as day, ten + interval '5 minutes' as seen`,
    [event],
  )
  const [{ day, seen }] = rows
  const abroad = await phone({ timezoneId: 'America/New_York' })
  await signInOn(abroad, organisation.chief)

  await abroad.goto('/event/observation')
  await expect(abroad.getByLabel('Date')).toHaveValue(day)
  await expect(abroad.getByText('It ran from 10:00 to 10:14. Leave the time empty for its end.')).toBeVisible()
  await abroad.getByLabel('Time', { exact: true }).fill('10:05')
  await abroad.getByLabel('What you saw').fill('The stair door stuck.')
  await picture(abroad, 'observation-abroad', { tight: true })
  await press(abroad, 'Save')

  const own = abroad.getByRole('region', { name: 'Own notes' })
  await expect(own).toContainText('The stair door stuck.')
  await expect(own).not.toContainText('(waiting)')
  const noted = await product.pool.query(
    `select observed_at from record_entry where event_uid = $1 and kind = 'observation'`,
    [event],
  )
  expect(noted.rows.map(({ observed_at }) => Number(observed_at))).toEqual([Number(seen)])
})
