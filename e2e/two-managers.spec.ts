import type { Page } from '@playwright/test'
import { type FloorData, getFloorData, listOccupants } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import type { FloorUid } from '#kernel/ids.ts'
import { nobodyCounted, type StatusTotals, safetyStatuses, withTotal } from '#kernel/vocabulary.ts'
import { signIn } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { card, expect, openFloorOn, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

test('RT-03 EVENT-01 EVENT-02 EVENT-03 EVENT-04 BLDG-04 BLDG-09 two managers and four wardens: every counter is what a recount gives', async ({
  product,
  phone,
}) => {
  test.setTimeout(240_000)
  const site = 'Harbour Quarter'
  const organisation = await importOrganisation(product, { site, furtherWardens: 1 })
  const [chief, deputy] = [await phone(), await phone()]
  const { furtherWarden, floor1, floor2, towerB } = organisation

  // the chief starts an event in Tower A, the deputy and three wardens report in
  await signInOn(chief, organisation.chief)
  await chief.getByRole('button', { name: 'Start Event' }).click()
  await change(chief, ['Tower A'], 'Start Event', 'Event has been successfully created.', 'Fire')
  await signInOn(deputy, organisation.deputy)
  await reportInOn(deputy)
  const wardens = new Map<string, Page>()
  for (const email of [furtherWarden, floor1, floor2]) {
    const page = await phone()
    wardens.set(email, page)
    await openFloorOn(page, email)
  }
  await openFromMenu(chief, 'Evacuation Status')
  await expect(chief.getByRole('heading', { name: site })).toBeVisible()
  const recounting = await signIn(product, organisation.chief)
  const expectRecounted = async (...pages: Page[]) => {
    for (const page of pages) await expect.poll(() => countersOf(page)).toEqual(await recount(recounting, site))
  }
  await expectRecounted(chief)

  // the deputy adds Tower B; the chief's screen follows, and its warden reports in
  await openFromMenu(deputy, 'Event Management')
  const added = 'The building has successfully been added to the current event.'
  await change(deputy, ['Tower B'], 'Add building(s)', added)
  await expect(chief.getByRole('heading', { name: 'Tower B' })).toBeVisible()
  const inB = await phone()
  await signInOn(inB, towerB)
  await reportInOn(inB)
  await openFromMenu(inB, 'floor evacuation')

  // people are recorded on four phones
  await record(wardens.get(floor1), 'Amara Adeyemi 01', 'Safe on floor')
  await record(wardens.get(floor1), 'Bruno Castillo 02', 'Danger on floor')
  await record(wardens.get(floor1), 'Chen Liu 03', 'Safe on floor')
  await record(wardens.get(floor2), 'Petra Quiet', 'Danger on floor')
  await record(inB, 'Rosa Stone', 'Safe on floor')
  await openFromMenu(deputy, 'Evacuation Status')
  await expect.poll(async () => (await countersOf(chief))[site]).toMatchObject({ safe: 3, danger: 2 })
  await expectRecounted(chief, deputy)

  // the deputy takes Tower B out: it is gone from both screens, and its warden is told
  await openFromMenu(deputy, 'Event Management')
  const removed = 'The building(s) have been removed from the event. Affected Wardens be signed out.'
  await change(deputy, ['Tower B'], 'Remove building(s)', removed)
  await expect(chief.getByRole('heading', { name: 'Tower B' })).toBeHidden()
  await expect(inB.getByText(/Your building has been removed from the event/)).toBeVisible()
  await record(wardens.get(floor1), 'Bruno Castillo 02', 'Safe on floor')
  await expect.poll(async () => (await countersOf(chief))[site]).toMatchObject({ safe: 3, danger: 1 })
  await expectRecounted(chief)

  // the chief ends it: everyone is told, and the chief's other tab goes to the list
  const other = await chief.context().newPage()
  await other.goto('/me/role')
  await expect(other.getByText('Connected')).toBeVisible()
  await openFromMenu(chief, 'Event Management')
  await change(chief, ['Tower A'], 'End event', 'The Event has been concluded. All Wardens will be signed out.')
  for (const page of [deputy, ...wardens.values()])
    await expect(
      page.getByText('The event has been concluded. All wardens will be signed out.', { exact: true }),
    ).toBeVisible()
  await expect(other).toHaveURL(/reportinlist/)
  await expect(other.getByRole('alertdialog')).toHaveCount(0)
})

/** Ticks, asks, confirms and reads the result. */
async function change(page: Page, buildings: string[], button: string, result: string, type?: string) {
  for (const name of buildings) await page.getByRole('checkbox', { name }).check()
  if (type) await page.getByRole('combobox', { name: 'Event type' }).selectOption({ label: type })
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(result, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText(result, { exact: true })).toBeHidden()
  await page.waitForLoadState()
}

async function record(page: Page | undefined, name: string, status: string) {
  if (!page) throw new Error('no one is there to record it')
  const person = card(page, name)
  await person.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('dialog').getByRole('button', { name: status }).click()
  await expect(person.getByRole('button', { name: new RegExp(status) })).toBeVisible()
}

type Counters = Record<string, StatusTotals>

/** What the screen says, by the name of the table. */
async function countersOf(page: Page): Promise<Counters> {
  const tables = await page.getByRole('table').evaluateAll((all) =>
    (all as HTMLTableElement[]).map((table) => ({
      name: table.caption?.textContent ?? '',
      counts: [...table.querySelectorAll('td')].map((cell) => Number(cell.firstElementChild?.textContent)),
    })),
  )
  return Object.fromEntries(
    tables.map(({ name, counts: [safe = -1, unknown = -1, danger = -1, total = -1] }) => [
      name.replace(', all buildings', ''),
      { safe, unknown, danger, total },
    ]),
  )
}

/** Each person of each floor counted one by one. */
async function recount(call: Call, site: string): Promise<Counters> {
  const none = () => withTotal(nobodyCounted)
  const counters: Counters = { [site]: none() }
  const { floors } = (await call(getFloorData, {})) as FloorData
  for (const { id, building } of floors) {
    const people = await everybodyOn(call, id)
    counters[building.name] ??= none()
    for (const counted of [counters[site], counters[building.name]] as StatusTotals[]) {
      for (const status of safetyStatuses) counted[status] += people.filter((one) => one.status === status).length
      counted.total += people.length
    }
  }
  return counters
}

async function everybodyOn(call: Call, floor: FloorUid) {
  const people = []
  for (let page = 1; ; page++) {
    const { persons, pagination } = await call(listOccupants, { query: { floor, page: String(page) } })
    people.push(...persons)
    if (!pagination.next_page_url) return people
  }
}
