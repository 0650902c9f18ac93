import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { BuildingUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listDrillsDue, listRecords, listTrends, type RecordCard } from '../calls/records.ts'
import { card, site, someEvent } from './records.fixture.tsx'
import { RecordsScreen } from './records-screen.tsx'

const server = serverForEachTest()
type List = CallReply<typeof listRecords>
const list = (records: RecordCard[], more: Partial<List> = {}): List => ({
  records,
  running: [],
  sites: [site],
  next: null,
  ...more,
})
const due = (n: number, due_in: number | null, last: string | null = '2026-05-05') => ({
  building: `00000000-0000-4000-8000-00000000020${n}` as BuildingUid,
  name: `Tower ${n}`,
  site: site.name,
  shift: null,
  last,
  due_in,
})
const trend = (n: number, kind: 'drill' | 'live', last_clear: number | null) => ({
  ...{
    event: card(n).event,
    number: n,
    kind,
    started_at: card(n).started_at,
    timezone: 'Australia/Sydney',
    last_clear,
  },
  covered: 3,
  floors: 4,
  answered: 5,
  wardens: 5,
})
beforeEach(() => {
  server.answer(listDrillsDue, { due: [], unannounced: { drills: 0, unannounced: 0 } })
  server.answer(listTrends, { points: [], not_drawn: { drill: 0, live: 0 } })
})
afterEach(async () => {
  onlineManager.setOnline(true)
  await page.viewport(390, 844)
})
const open = () => renderScreen(<RecordsScreen />, { at: '/event/records' })
const lastQuery = () => server.received(listRecords).at(-1)?.input.query

test('AAR-36 past events as cards with kind, number, result and what is open, to the end', async () => {
  server.answer(listRecords, ({ input: { query } }) =>
    query.after === 'p1'
      ? list([card(12, { kind: 'live', result: { word: 'danger', people: 1 } })])
      : list(
          [card(14, { signed: true }), card(13, { result: { word: 'unaccounted', people: 1204 }, actions_open: 2 })],
          {
            next: 'p1',
          },
        ),
  )
  const { address } = await open()

  await expect.element(page.getByText('Record 14')).toBeVisible()
  for (const text of ['Everyone accounted for', '1,204 not accounted for', 'Signed', '2 actions open'])
    await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByText('06 Nov 2026, 10:00, 14:20').first()).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(page.getByText('1 in danger at the end')).toBeVisible()
  await expect.element(page.getByText('You have reached the end.')).toBeVisible()

  await page.getByRole('link', { name: 'Fire drill' }).first().click()
  expect(address()).toBe(`/event/records/${card(14).event}`)
})

test('AAR-36 a running event is on top, whatever the filter', async () => {
  server.answer(
    listRecords,
    list([], {
      running: [
        {
          event: someEvent,
          kind: 'drill',
          type: 'Fire drill',
          site: site.name,
          buildings: ['Tower A'],
          timezone: 'Australia/Sydney',
          started_at: '2026-11-05T23:00:00.000Z',
        },
      ],
    }),
  )
  await open()
  await expect.element(page.getByRole('region', { name: 'Running' }).getByText('Running')).toBeVisible()
  await expectNoAxeViolations()
})

test('AAR-36 AAR-43 search, chips and filter go to the server; nothing found is not nothing there', async () => {
  server.answer(listRecords, list([]))
  await open()
  const empty = 'No past events yet. The record of each event and drill appears here when it ends.'
  await expect.element(page.getByText(empty)).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search past events' }).fill('1')
  await expect.poll(lastQuery).toEqual({ q: '1' })
  await expect.element(page.getByText('No past events match the filter.')).toBeVisible()
  await page.getByText('Drills', { exact: true }).click()
  await expect.poll(lastQuery).toEqual({ q: '1', kind: 'drill' })
  await page.getByText('Actions open').click()
  await expect.poll(lastQuery).toEqual({ q: '1', open: 'yes' })

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabelText('Site').selectOptions(site.name)
  await page.getByLabelText('Ended from').fill('2026-11-01')
  await page.getByLabelText('Result').selectOptions('In danger at the end')
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(lastQuery).toEqual({ q: '1', open: 'yes', site: site.id, from: '2026-11-01', result: 'danger' })
  await expect.element(page.getByRole('button', { name: 'Filter, 3 set' })).toBeVisible()
})

test('AAR-38 on a phone drills due unfold below what is overdue: three are shown, the others by a press', async () => {
  server.answer(listRecords, list([]))
  server.answer(listDrillsDue, {
    due: [due(1, null, null), due(2, -1), due(3, 0), due(4, 40)],
    unannounced: { drills: 4, unannounced: 1 },
  })
  await open()

  await page.getByText('Drills due (2 overdue or never drilled)').click()
  for (const words of ['Never drilled', 'Overdue by 1 day', 'Due in 0 days'])
    await expect.element(page.getByText(words)).toBeVisible()
  await expect.element(page.getByText('Due in 40 days')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Show all 4' }).click()
  await expect.element(page.getByText('Due in 40 days')).toBeVisible()
  await expect.element(page.getByText('1 of 4 drills in the last 12 months was unannounced.')).toBeVisible()
  await expectNoAxeViolations()
})

test('AAR-37 REC2-11 trends of drills first, or of live events: figures that exist as bars, all in a table', async () => {
  server.answer(listRecords, list([card(14)]))
  server.answer(listTrends, {
    points: [
      trend(10, 'live', 60),
      trend(11, 'live', 90),
      trend(12, 'drill', null),
      trend(13, 'drill', 300),
      trend(14, 'drill', 402),
    ],
    not_drawn: { drill: 2, live: 0 },
  })
  const { address } = await open()

  await expect.element(page.getByRole('link', { name: 'Record 14, drill: 6:42' })).toBeInTheDocument()
  await expect.element(page.getByText('Not drawn: 2')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Record 12, drill: No floor was reported clear.' }))
    .not.toBeInTheDocument()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(page.getByRole('table', { name: 'Trends' })).toBeVisible()
  expect(page.getByRole('table', { name: 'Trends' }).element().textContent).toContain('– No floor was reported clear.')
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('button', { name: 'Of live events' }).click()
  await expect.element(page.getByRole('link', { name: 'Record 11, live event: 1:30' })).toBeInTheDocument()
  await expect.element(page.getByText('Not drawn: 2')).not.toBeInTheDocument()
  const fills = [...document.querySelectorAll('.rec-bar')].map((one) => one.getAttribute('fill'))
  expect(fills.every((fill) => fill?.startsWith('url('))).toBe(true)
  await page.getByRole('link', { name: 'Record 11, live event: 1:30' }).click()
  expect(address()).toBe(`/event/records/${trend(11, 'live', 90).event}`)
})

test('AAR-37 with one record there are no trends yet', async () => {
  server.answer(listRecords, list([card(14)]))
  server.answer(listTrends, { points: [trend(14, 'drill', 402)], not_drawn: { drill: 0, live: 0 } })
  await open()
  await expect.element(page.getByText('Trends appear once there are two records.')).toBeVisible()
})

test('AAR-36 at 1440 px the list is a table, newest end first, with due and trends after it', async () => {
  await page.viewport(1440, 900)
  server.answer(listRecords, list([card(14), card(13, { kind: 'live' })]))
  server.answer(listDrillsDue, { due: [due(1, 5)], unannounced: { drills: 1, unannounced: 0 } })
  await open()

  const table = page.getByRole('table', { name: 'Past events' })
  await expect.element(table).toBeVisible()
  const heads = [...table.element().querySelectorAll('thead th')].map(({ textContent }) => textContent)
  expect(heads).toEqual(['Event', 'Kind', 'Record', 'Began', 'Duration', 'Result'])
  const dueHeading = page.getByRole('heading', { name: 'Drills due' })
  await expect.element(dueHeading).toBeVisible()
  expect(table.element().compareDocumentPosition(dueHeading.element()) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  await expectNoAxeViolations()
})

test('AAR-36 a press of a head sorts the table at the server, and a second one turns it round', async () => {
  await page.viewport(1440, 900)
  server.answer(listRecords, list([card(14), card(13)]))
  await open()
  const head = (name: string) => page.getByRole('columnheader', { name })
  await expect.element(head('Record')).toHaveAttribute('aria-sort', 'descending')
  const asked = () => server.received(listRecords).at(-1)?.input.query

  await head('Duration').getByRole('button').click()
  await expect.element(head('Duration')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(asked).toMatchObject({ sort: 'duration', direction: 'down' })
  await head('Duration').getByRole('button').click()
  await expect.poll(asked).toMatchObject({ sort: 'duration', direction: 'up' })
  await expect.element(head('Record')).not.toHaveAttribute('aria-sort')
})

test('AAR-36 a failed read keeps the list, and without signal the page says that records need a connection', async () => {
  server.answer(listRecords, list([card(14)]))
  const { queryClient } = await open()
  await expect.element(page.getByText('Record 14')).toBeVisible()
  server.answer(listRecords, refused('unavailable'))
  await queryClient.refetchQueries()

  await expect.element(page.getByText('This could not be loaded. Try again.')).toBeVisible()
  await expect.element(page.getByText('Record 14')).toBeVisible()
  onlineManager.setOnline(false)
  await expect.element(page.getByText('Offline. Records need a connection.')).toBeVisible()
})
