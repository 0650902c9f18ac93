import { listSimulatedPhones, sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { onDuty, startEvent, strangerOf } from '../rig/api.ts'
import { card, expect, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

const question = 'Are you out of the building? Reply 1 if safe, 2 if you need help.'

test('UX-01 UX-03 UX-04 UX-05 EGRP-02 EGRP-08 MSG-36 MSG-37 SAFE-33 AMB-130 an event manager asks the unknown of one tower; what three of them answer shows on two phones', async ({
  organisation,
  phone,
  product,
}) => {
  await startEvent(product, organisation, ['Tower A', 'Tower B'])
  const [chief, warden] = [await phone(), await phone()]
  await signInOn(chief, organisation.chief)
  await openFromMenu(chief, 'evacuee safety')
  await signInOn(warden, organisation.floor1)
  await reportInOn(warden)
  await openFromMenu(warden, 'floor evacuation')
  for (const page of [chief, warden]) await page.evaluate(() => Object.assign(window, { neverReloaded: true }))

  // to all of Tower A whose status is unknown, though the chief's area is both towers and all boxes are ticked
  await chief.getByRole('button', { name: 'Areas' }).click()
  await expect(chief.getByRole('checkbox', { name: 'Tower B' })).toBeChecked()
  await chief.getByRole('checkbox', { name: 'Tower A' }).click()
  await chief
    .getByRole('group', { name: 'Display' })
    .getByRole('button', { name: /Unknown/ })
    .click()
  await chief.getByRole('button', { name: 'Broadcast to 33' }).click()
  await expect(chief.getByText('SMS Count')).toBeVisible()
  await expect(chief.getByRole('list', { name: 'Filters' })).toHaveText(/^Unknown.*Tower A, all \d floors$/)
  await chief.getByRole('button', { name: 'Templates' }).click()
  await chief.getByRole('dialog').getByRole('button', { name: question }).click()
  await chief.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(chief.getByText(/^Unknown, in Tower A, all \d floors\. Not Tower B\.$/)).toBeVisible()
  await chief.getByRole('button', { name: /^Send to \d+$/ }).click()
  await expect(chief.getByText(/^Message sent to \d+ evacuees\.$/)).toBeVisible()
  await expect(card(warden, 'Bruno Castillo 02')).toContainText('No reply')

  // one answers on the simulator, two by its call
  const simulator = await phone()
  await simulator.goto(`/simulator?mobile=${organisation.occupantMobile(1)}`)
  await expect(simulator.getByText(question)).toBeVisible()
  await simulator.getByRole('textbox', { name: 'Reply from this phone' }).fill('1')
  await simulator.getByRole('button', { name: 'Send reply' }).click()
  await expect(simulator.getByText(/Arrived, and set the status/)).toBeVisible()
  const stranger = strangerOf(product)
  for (const [n, text] of [
    [2, '2'],
    [3, 'I am in the lift lobby'],
  ] as const) {
    const { outcome } = await stranger(sendSimulatedReply, {
      body: { id: crypto.randomUUID(), mobile: organisation.occupantMobile(n), text },
    })
    expect(outcome).toBe(n === 2 ? 'status_set' : 'stored')
  }
  expect((await stranger(listSimulatedPhones, { query: { search: organisation.occupantMobile(1) } }))[0]?.texts).toBe(2)

  // the floor warden's phone follows by itself
  await expect(card(warden, 'Bruno Castillo 02').getByRole('button', { name: /Safe on floor|Safe/ })).toBeVisible()
  await expect(card(warden, 'Bruno Castillo 02')).toContainText('by SMS, unverified')
  await expect(card(warden, 'Chen Liu 03').getByRole('button', { name: /Danger/ })).toBeVisible()
  await expect(card(warden, 'Dara Nolan 04').getByRole('link', { name: 'Message Dara Nolan 04, unread' })).toBeVisible()
  await expect(warden.getByText('Unread Message from Evacuees only').first()).toBeVisible()

  // and the manager's, by the banner and the message filter
  await chief.getByRole('button', { name: 'Back' }).click()
  await chief.getByRole('link', { name: /Unread Message from Evacuees only/ }).click()
  await expect(card(chief, 'Dara Nolan 04')).toBeVisible()
  await expect(card(chief, 'Amara Adeyemi 01')).toBeHidden()
  await card(chief, 'Dara Nolan 04')
    .getByRole('link', { name: /^Message/ })
    .click()
  await expect(chief.getByRole('log').getByText('I am in the lift lobby')).toBeVisible()
  await chief.getByRole('textbox', { name: 'Message' }).fill('Stay there, help is coming.')
  await chief.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(chief.getByRole('log').getByText('Stay there, help is coming.')).toBeVisible()
  await expect(chief.getByText('SMS delivered').first()).toBeVisible()

  for (const page of [chief, warden])
    expect(await page.evaluate(() => (window as { neverReloaded?: boolean }).neverReloaded)).toBe(true)
})

test('MSG-13 MSG-14 MSG-38 ALLMSG-11 GRP-12 LINK-05 wardens write to each other, and a group gets links', async ({
  organisation,
  phone,
  product,
}) => {
  await startEvent(product, organisation, ['Tower A', 'Tower B'])
  await onDuty(product, organisation.deputy)
  const [chief, warden] = [await phone(), await phone()]
  await signInOn(chief, organisation.chief)
  await openFromMenu(chief, 'Warden Messaging')
  await signInOn(warden, organisation.floor1)
  await reportInOn(warden)

  // one warden to the other, and back
  await card(chief, 'Oliver Level One')
    .getByRole('link', { name: /^Message/ })
    .click()
  await chief.getByRole('textbox', { name: 'Message' }).fill('Is Level 1 clear?')
  await chief.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(chief.getByRole('log').getByText('Is Level 1 clear?')).toBeVisible()
  await warden.getByRole('link', { name: /Unread Message from Wardens only/ }).click()
  await expect(warden.getByRole('tab', { name: /^Inbox/ })).toHaveAttribute('aria-selected', 'true')
  await card(warden, 'Grace Chief')
    .getByRole('link', { name: /^Message/ })
    .click()
  await expect(warden.getByRole('log').getByText('Is Level 1 clear?')).toBeVisible()
  await expect(chief.getByRole('log').getByText('Read')).toBeVisible()
  await warden.getByRole('textbox', { name: 'Message' }).fill('All clear.')
  await warden.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(chief.getByRole('log').getByText('All clear.')).toBeVisible()

  // to everyone, with links to those who have not reported in
  await chief.getByRole('button', { name: 'Back' }).click()
  await expect(card(chief, 'Oliver Level One').getByText('On Duty')).toBeVisible()
  await chief.getByRole('link', { name: 'Broadcast' }).click()
  await expect(chief.getByRole('list', { name: 'Recipients' }).getByRole('listitem')).toHaveCount(4)
  await chief.getByRole('textbox', { name: 'Message' }).fill('Assembly point B.')
  await chief.getByRole('button', { name: 'Send', exact: true }).click()
  await chief.getByRole('button', { name: 'Send to 4' }).click()
  await expect(chief.getByText('Message sent to 4 wardens.')).toBeVisible()
  await expect(warden.getByRole('log').getByText('Assembly point B.')).toBeVisible()
  await chief.getByRole('button', { name: 'Send Report-in Links (2)' }).click()
  await expect(chief.getByText('2 Report-in links sent.')).toBeVisible()
  await chief.getByRole('button', { name: 'Back' }).click()
  await expect(chief.getByRole('tab', { name: /^Filters/ })).toBeVisible()
})
