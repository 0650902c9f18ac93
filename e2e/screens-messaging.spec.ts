import type { Page } from '@playwright/test'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { onDuty, startEvent, strangerOf } from '../rig/api.ts'
import { picture } from './support/pictures.ts'
import { card, expect, openFromMenu, signInOn, test } from './support/test.ts'

const back = (page: Page) => page.getByRole('button', { name: 'Back' }).click()
async function write(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('log').getByText(text)).toBeVisible()
}

test('MSG-01 EGRP-02 threads with evacuees and messages to many of them, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  await startEvent(product, organisation)
  const page = await phone()
  await signInOn(page, organisation.chief)
  await openFromMenu(page, 'evacuee safety')
  await card(page, 'Amara Adeyemi 01')
    .getByRole('link', { name: /^Message/ })
    .click()
  await expect(page.getByText('No messages yet')).toBeVisible()
  await picture(page, 'evacuee-thread-empty', { tight: true })
  await page.getByRole('button', { name: 'Templates' }).click()
  await picture(page, 'templates', { tight: true })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Reply 1 if safe/ })
    .click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('SMS delivered')).toBeVisible()
  const reply = (text: string) =>
    strangerOf(product)(sendSimulatedReply, {
      body: { id: crypto.randomUUID(), mobile: organisation.occupantMobile(0), text },
    })
  await reply('2 I am in a wheelchair on the west stair')
  await expect(page.getByText(/Recorded: In Danger/)).toBeVisible()
  await reply('STOP')
  await expect(page.getByText('SMS refused')).toBeVisible()
  await picture(page, 'evacuee-thread', { tight: true })

  await back(page)
  await picture(page, 'evacuee-safety-by-sms', { tight: true })
  await page.getByRole('button', { name: 'Broadcast' }).click()
  await expect(page.getByText('Message History Unavailable.')).toBeVisible()
  await picture(page, 'evacuee-group', { tight: true })
})

test('MSG-04 GRP-04 ALLMSG-01 threads with wardens, groups of them and all of them, in every size', {
  tag: '@long',
}, async ({ organisation, phone, product }) => {
  test.slow()
  await startEvent(product, organisation, ['Tower A', 'Tower B'])
  await onDuty(product, organisation.deputy)
  const page = await phone()
  await signInOn(page, organisation.chief)
  await openFromMenu(page, 'Warden Messaging')
  await expect(page.getByText('Count: 4')).toBeVisible()
  await picture(page, 'all-messages', { tight: true })
  await page.getByRole('button', { name: 'Status' }).click()
  await picture(page, 'all-messages-filter', { tight: true })
  await page.getByRole('button', { name: 'Status' }).click()
  await card(page, 'Oliver Level One')
    .getByRole('link', { name: /^Message/ })
    .click()
  await write(page, 'Is Level 1 clear?')
  await picture(page, 'warden-thread', { tight: true })
  await back(page)
  await page.getByRole('tab', { name: /^Inbox/ }).click()
  await expect(card(page, 'Oliver Level One')).toBeVisible()
  await picture(page, 'inbox', { tight: true })
  await page.getByRole('tab', { name: /^Filters/ }).click()
  await page.getByRole('link', { name: 'Broadcast' }).click()
  await expect(page.getByRole('button', { name: /^Send Report-in Links/ })).toBeVisible()
  await picture(page, 'warden-group', { tight: true })
})
