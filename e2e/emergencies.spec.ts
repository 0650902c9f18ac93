import type { Page } from '@playwright/test'
import { changeAction, listEventSites } from '#features/events/calls/events.ts'
import { listRecords } from '#features/records/calls/records.ts'
import type { Call } from '#kernel/client/client.ts'
import { concludeEvent, signIn, startEvent } from '../rig/api.ts'
import { importOrganisation, type TestOrganisation } from '../rig/organisation.ts'
import type { Product } from '../rig/product.ts'
import { snapshot } from './support/pictures.ts'
import { card, expect, expectAccessible, mark, openFloorOn, press, signInOn, test } from './support/test.ts'

const types = [
  'LOCK,Intruder,Someone dangerous inside,LOCKDOWN. Lock your door and hide.,lockdown,',
  'RED,Code Red,Fire or smoke,Code Red. Go to the next fire compartment.,move,the next fire compartment',
  'STORM,Severe weather,Storm,Storm. Take shelter.,shelter,inner rooms',
  'INVAC,Invacuation,Danger outside,Stay inside.,move,"inside, away from doors and windows"',
]
const phoneSize = { width: 390, height: 844 }

/** Starts an event of the type on behalf of the chief. */
async function start(product: Product, organisation: TestOrganisation, type: string, buildings = ['Tower A']) {
  const { data } = await (await signIn(product, organisation.chief))(listEventSites, {})
  const eventType = data.eventTypes.find((one) => one.type === type)?.id as never
  return startEvent(product, organisation, buildings, { eventType, message: `${type}.` })
}

/** Words of an evacuation that no one may read where no one leaves. Names of pages, of an instruction and of the plan (PEEP) stay. */
const leaving = /\b(?:[Cc]leared|Safe|Dgr|[Ii]n [Dd]anger|[Rr]efus(?:es|ed|al) to (?:evacuate|leave)|[Ee]vacuate)\b/
async function expectNoWordOfLeaving(page: Page, where: string) {
  const said = await page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [
      one.getAttribute('aria-label'),
      one.getAttribute('title'),
    ])
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden no one reads
    return [document.body.innerText, ...spoken].filter((one) => one !== null).join('\n')
  })
  const found = said
    .split('\n')
    .filter((line) => leaving.test(line.replace(/Evacuee Safety|evacuation plan|^Evacuate$/g, '')))
  expect.soft(found, where).toEqual([])
}

/** Ends the event and opens its record on the desk. */
async function readRecord(desk: Page, organisation: TestOrganisation, manager: Call) {
  await concludeEvent(manager)
  const written = async () => (await manager(listRecords, { query: {} })).records.find(({ state }) => state === 'ready')
  await expect.poll(async () => (await written())?.number, { timeout: 60_000 }).toBe(1)
  await signInOn(desk, organisation.chief)
  await desk.goto(`/event/records/${(await written())?.event}`)
  await expect(desk.getByRole('heading', { name: 'Summary' })).toBeVisible()
}
const header = (desk: Page) => desk.getByRole('region', { name: 'Header' })

/** Pages that a chief or a warden opens in an event. */
const pages = [
  ...[
    '/floor/evacuation',
    '/floor/evacstatus',
    '/building/status',
    '/floor/warden/status',
    '/evacuee/safety',
    '/event/people',
  ],
  ...['/event/people?tab=contradictions', '/event/command', '/event/instructions', '/event/coverage', '/event/board'],
  ...['/event/management', '/me/role'],
]

test('RESP-03 RESP-05 in a lockdown no page speaks of leaving or sends anyone, and its record says what happened', async ({
  product,
  phone,
}) => {
  test.setTimeout(240_000)
  const organisation = await importOrganisation(product, { eventTypes: types })
  const manager = await start(product, organisation, 'Intruder')
  const warden = await phone({ viewport: phoneSize })
  await openFloorOn(warden, organisation.floor1)
  await mark(warden, 'Bruno Castillo 02', 'Accounted for')
  await mark(warden, 'Chen Liu 03', 'Needs help')
  await expectNoWordOfLeaving(warden, 'the floor')
  await card(warden, 'Chen Liu 03')
    .getByRole('button', { name: /Needs help/ })
    .click()
  await expectNoWordOfLeaving(warden, 'the sheet of a person')
  await warden.keyboard.press('Escape')
  await warden.getByLabel('Floor status').selectOption({ label: 'Locked' })
  await press(warden, 'Set it')

  const desk = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await signInOn(desk, organisation.chief)
  for (const address of pages) {
    await desk.goto(address)
    await expect(desk.getByText(/^Lockdown in Tower A since/)).toBeVisible()
    await desk.waitForLoadState('networkidle')
    await expectNoWordOfLeaving(desk, address)
    for (const sends of ['Take this floor', 'Find a warden', 'Check again'])
      await expect.soft(desk.getByText(sends), `${sends} on ${address}`).toHaveCount(0)
  }
  await desk.goto('/event/people?tab=contradictions')
  await desk.getByRole('button', { name: /^Resolve: Locked, with someone who needs help/ }).click()
  await expect(desk.getByRole('button', { name: 'Keep as it is' })).toBeVisible()
  await expect(desk.getByText('Check the floor again')).toHaveCount(0)
  await expectNoWordOfLeaving(desk, 'a contradiction')
  await snapshot(desk, 'lockdown-contradiction')

  const reader = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await readRecord(reader, organisation, manager)
  await expect(header(reader).getByText(/^Lockdown \d\d:\d\d$/)).toBeVisible()
  await expect(header(reader).getByText('1 in need of help at the end')).toBeVisible()
  await expect(
    reader.getByText(/^1 of 3 floors was reported locked; the last was Tower A - Level 1 after/),
  ).toBeVisible()
  await expect(reader.getByText(/^1 floor was reported locked while \d+ of its people were still/)).toBeVisible()
  await expectNoWordOfLeaving(reader, 'the record')
  await expectAccessible(reader, 'the record of a lockdown')
  await snapshot(reader, 'lockdown-record')
})

test('RESP-08 RESP-11 a fire that turns into a lockdown in one of two buildings: the record tells both', async ({
  product,
  phone,
}) => {
  test.setTimeout(180_000)
  const organisation = await importOrganisation(product, { eventTypes: types })
  const manager = await start(product, organisation, 'Fire', ['Tower A', 'Tower B'])
  const warden = await phone({ viewport: phoneSize, colorScheme: 'light' })
  await openFloorOn(warden, organisation.floor1)
  await mark(warden, 'Bruno Castillo 02', 'Safe on floor')
  await warden.getByLabel('Floor status').selectOption({ label: 'Evacuated' })
  await press(warden, 'Set it')
  await expect(warden.getByLabel('Floor status')).toContainText('Evacuated')
  const { data } = await manager(listEventSites, {})
  const tower = data.sites[0]?.buildings.find(({ name }) => name === 'Tower A')
  const change = { buildings: [tower?.id as never], message: 'Hide.', broadcastMessage: 'no' as const }
  await manager(changeAction, {
    body: { ...change, event: data.activeEvent?.id as never, action: 'lockdown', again: 'yes', base: null },
  })
  await press(warden, 'Understood')
  await expect(card(warden, 'Bruno Castillo 02').getByText(/^Before: /)).toBeVisible()

  const desk = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  await readRecord(desk, organisation, manager)
  await expect(header(desk).getByText(/^Evacuate \d\d:\d\d; Lockdown \d\d:\d\d, Tower A$/)).toBeVisible()
  await expect(desk.getByText(/^At \d\d:\d\d the action in Tower A changed from Evacuate to Lockdown\.$/)).toBeVisible()
  // what was cleared before the lockdown is not locked
  await expect(desk.getByText('No floor was reported clear or locked.')).toBeVisible()
  await expect(
    desk.getByText(/people were to be accounted for\. When it ended 0 were safe or accounted for/),
  ).toBeVisible()
  await snapshot(desk, 'lockdown-one-record')
  await desk.setViewportSize(phoneSize)
  await snapshot(desk, 'lockdown-one-record-phone')
})

const others = [
  {
    type: 'Severe weather',
    bar: /^Shelter in Tower A since \d\d:\d\d/,
    where: 'inner rooms',
    marks: 'Accounted for',
    statuses: ['Not sheltered', 'Sheltered'],
    actions: /^Shelter \d\d:\d\d$/,
    floors: /^1 of 3 floors was reported sheltered; the last was Tower A - Level 1 after/,
    people: /When it ended 1 was accounted for, \d+ unknown and 0 in need of help\.$/,
  },
  {
    type: 'Invacuation',
    bar: /^Move in Tower A since \d\d:\d\d/,
    where: 'inside, away from doors and windows',
    marks: 'Safe on floor',
    statuses: ['Not Started', 'Evacuated'],
    actions: /^Move \d\d:\d\d$/,
    floors: /^1 of 3 floors was reported clear; the last was Tower A - Level 1 after/,
    people: /When it ended 1 was safe, \d+ unknown and 0 in danger\.$/,
  },
] as const

for (const { type, bar, where, marks, statuses, actions, floors, people } of others)
  test(`RESP-02 RESP-04 RESP-11 ${type}: the phone says what to do and where, and the record what was done`, async ({
    product,
    phone,
  }) => {
    test.setTimeout(150_000)
    const organisation = await importOrganisation(product, { eventTypes: types })
    const manager = await start(product, organisation, type)
    const warden = await phone({ viewport: phoneSize, colorScheme: 'light' })
    await openFloorOn(warden, organisation.floor1)
    await expect(warden.getByText(bar)).toContainText(where)
    await expect(warden.getByLabel('Floor status')).toContainText(statuses[0])
    await mark(warden, 'Bruno Castillo 02', marks)
    await warden.getByLabel('Floor status').selectOption({ label: statuses[1] })
    await press(warden, 'Set it')
    await expect(warden.getByLabel('Floor status')).toContainText(statuses[1])
    await warden.evaluate(() => window.scrollTo(0, 0))
    await snapshot(warden, `${type.split(' ')[0]}-floor`)
    const desk = await phone({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
    await readRecord(desk, organisation, manager)
    await expect(header(desk).getByText(actions)).toBeVisible()
    await expect(header(desk).getByText(where)).toBeVisible()
    await expect(desk.getByText(floors)).toBeVisible()
    await expect(desk.getByText(people)).toBeVisible()
    await snapshot(desk, `${type.split(' ')[0]}-record`)
  })
