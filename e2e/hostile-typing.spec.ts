import type { Locator, Page } from '@playwright/test'
import { hostileTexts } from './support/hostile-texts.ts'
import { expect, signInOn, test } from './support/test.ts'
import { watchForScripts } from './support/watch-for-scripts.ts'

/** Some of each kind, for where each one is sent. */
const some = [
  '"><script>window.hit=1,alert(1)</script>',
  "'><img src=x onerror=window.hit=1,alert(1)>",
  "' or '1'='1",
  '{{constructor.constructor("hit=1")()}}',
  '\u202eoverride\u202c',
]

/** Puts each text into the field as typing does, and answers those that stand there as something else, with what. */
const typeAll = (field: Locator) =>
  field.evaluate((element, texts) => {
    const input = element as HTMLInputElement
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') as PropertyDescriptor
    const write = (text: string) => {
      set?.call(input, text)
      input.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
    }
    const changed = texts.flatMap((text) => {
      write(text)
      return input.value === text ? [] : [[text, input.value] as const]
    })
    write('')
    return changed
  }, hostileTexts)

/** Tries every text field that the page shows once the one named is there, and answers their names. */
async function tryFields(page: Page, awaited: string): Promise<string[]> {
  const fields = page.locator('input:not([type=checkbox], [type=radio]), textarea').filter({ visible: true })
  await expect(page.getByLabel(awaited, { exact: true }).and(fields)).toBeEnabled()
  const names: string[] = []
  for (const field of await fields.all()) {
    const name = await field.evaluate((one: HTMLInputElement) => one.ariaLabel ?? one.labels?.[0]?.textContent ?? '')
    // a mobile number is written without what people put between its digits
    const changed = (await typeAll(field)).filter(
      ([text, value]) => name !== 'Mobile number' || value !== text.replace(/[\s().\p{Pd}]/gu, ''),
    )
    expect.soft(changed, name).toEqual([])
    names.push(name)
  }
  return names
}

async function send(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}
async function sendToGroup(page: Page, text: string) {
  await send(page, text)
  await expect(page.getByRole('alertdialog').getByText(text)).toBeVisible()
  await page.getByRole('button', { name: /^Send to \d+$/ }).click()
}
async function sendAll(page: Page, texts: readonly string[]) {
  for (const text of texts) {
    await send(page, text)
    await expect(page.getByRole('log').getByText(text)).toBeVisible()
  }
}

test('T13 T18 who is not signed in types two hundred hostile texts into every field', { tag: '@long' }, async ({
  organisation,
  phone,
}) => {
  const page = await phone()
  const seen = await watchForScripts(page)

  const tried: Record<string, string[]> = {}
  for (const [path, field] of [
    ['/login', 'Email / Username'],
    ['/forgot-password', 'Email'],
    ['/reset-password?token=x', 'New password'],
    ['/simulator', 'Search by name or number'],
    [`/simulator?mobile=${organisation.occupantMobile(0)}`, 'Reply from this phone'],
  ] as const) {
    await page.goto(path)
    tried[path.replace(/\d+/, '')] = await tryFields(page, field)
  }
  await page.goto('/login')
  for (const text of some.slice(0, 3)) {
    await page.getByLabel(/email/i).fill(text)
    await page.getByLabel(/^password/i).fill(text)
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button').click()
    await expect(page.getByLabel(/email/i)).toHaveValue(text)
  }

  expect(tried).toEqual({
    '/login': ['Mobile number', 'Email / Username', 'Password'],
    '/forgot-password': ['Email'],
    '/reset-password?token=x': ['New password'],
    '/simulator': ['Search by name or number'],
    '/simulator?mobile=': ['Reply from this phone'],
  })
  expect(seen).toEqual([])
})

const [first, ...others] = some as [string, ...string[]]

/** Starts an event whose message is hostile. */
async function startEventOn(page: Page) {
  await page.goto('/event/management')
  await page.getByRole('checkbox', { name: 'Tower A' }).check()
  await page.getByRole('combobox', { name: 'Event type' }).selectOption({ label: 'Fire' })
  const tried = await tryFields(page, 'Broadcast message')
  await page.getByRole('textbox', { name: 'Broadcast message' }).fill(first)
  await page.getByRole('button', { name: 'Start Event', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toContainText(first)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  return tried
}

/** Every search of the event's lists. */
async function searchOn(page: Page) {
  const tried: Record<string, string[]> = {}
  await page.goto('/floor/evacstatus')
  tried.overview = await tryFields(page, 'Search Occupants')
  await page.goto('/message/all')
  tried.wardens = await tryFields(page, 'Search Wardens')
  await page.getByRole('tab', { name: /^Inbox/ }).click()
  tried.inbox = await tryFields(page, 'Search Inbox')
  await page.goto('/floor/evacuation')
  await page.getByRole('button', { name: /People with Disability on this Floor/ }).click()
  tried.floor = await tryFields(page, 'Search PEEPS')
  for (const text of others) {
    const asked = page.waitForResponse((answer) => decodeURIComponent(answer.url()).includes(`/search/${text}?floor=`))
    await page.getByRole('searchbox', { name: 'Search Occupants' }).fill(text)
    expect((await asked).status()).toBe(200)
  }
  return tried
}

/** Every box for messages. */
async function messageOn(page: Page) {
  const tried: Record<string, string[]> = {}
  await page.goto('/evacuee/safety')
  tried.safety = await tryFields(page, 'Search Evacuees')
  await page
    .getByRole('link', { name: /^Message Amara/ })
    .first()
    .click()
  tried.thread = await tryFields(page, 'Message')
  await sendAll(page, others)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Broadcast' }).click()
  tried.evacuees = await tryFields(page, 'Message')
  await sendToGroup(page, first)
  await expect(page.getByText(/^Message sent to \d+ evacuees\.$/)).toBeVisible()

  await page.goto('/message/all')
  await page
    .getByRole('link', { name: /^Message Oliver/ })
    .first()
    .click()
  tried.warden = await tryFields(page, 'Message')
  await sendAll(page, others)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Broadcast' }).click()
  tried.group = await tryFields(page, 'Message')
  await sendToGroup(page, first)
  await expect(page.getByText(/^Message sent to \d+ wardens\.$/)).toBeVisible()
  return tried
}

test('T13 T18 a manager types two hundred hostile texts into every field, and some on to others', {
  tag: '@long',
}, async ({ organisation, phone }) => {
  const page = await phone()
  const seen = await watchForScripts(page)
  await signInOn(page, organisation.chief)

  await page.getByRole('button', { name: 'Withdraw' }).click()
  const withdraw = await tryFields(page, 'Reason')
  const start = await startEventOn(page)
  const tried = { withdraw, start, ...(await searchOn(page)), ...(await messageOn(page)) }

  expect(tried).toEqual({
    withdraw: ['Reason'],
    start: ['Broadcast message'],
    overview: ['Search Occupants'],
    wardens: ['Search Wardens'],
    inbox: ['Search Inbox'],
    floor: ['Search PEEPS', 'Search Occupants'],
    safety: ['Search Evacuees'],
    thread: ['Message'],
    evacuees: ['Message'],
    warden: ['Message'],
    group: ['Message'],
  })
  expect(seen).toEqual([])
})

test('T13 T18 a newcomer types two hundred hostile texts into the reason for declining, and one is the reason', {
  tag: '@long',
}, async ({ organisation, phone }) => {
  const page = await phone()
  const seen = await watchForScripts(page)
  await signInOn(page, organisation.newcomer)
  await page.getByRole('button', { name: 'Review to Accept / Decline' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()

  expect(await tryFields(page, 'Reason')).toEqual(['Reason'])
  await page.getByRole('textbox', { name: 'Reason' }).fill(some[0] as string)
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('You have declined the Warden assignment.')).toBeVisible()
  expect(seen).toEqual([])
})
