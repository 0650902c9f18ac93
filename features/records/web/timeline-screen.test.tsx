import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addToRecord } from '../calls/additions.ts'
import { getRecord, listTimeline, type TimelineEntry } from '../calls/records.ts'
import { added, answerWith, someEvent, someRecord } from './records.fixture.tsx'
import { TimelineScreen } from './timeline-screen.tsx'

const server = serverForEachTest()
afterEach(() => page.viewport(390, 844))

const entry = (id: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id,
  action: 'event_started',
  what: 'Started the event',
  who: 'Grace Okafor',
  role: 'Chief Warden',
  recorded_at: '2026-11-05T23:04:53.000Z',
  seen_at: null,
  phone: null,
  late: null,
  overruled: false,
  ...more,
})
const late = entry('2.1', {
  action: 'evacuee_status_set',
  what: 'Ada Lovelace: In Danger, Tower A, Level 4',
  overruled: true,
  seen_at: '2026-11-05T23:04:11.000Z',
  late: 42,
  phone: 'phone 12, iPhone',
  who: 'Kim Lee',
  role: 'Floor Warden',
})
const open = (search = '', entries = [entry('1.1'), late], record = someRecord) => {
  server.answer(getRecord, answerWith(record, [added(1, 'correction', { entry: '2.1', text: 'It was Level 3.' })]))
  server.answer(listTimeline, ({ input: { query } }) =>
    query.after ? { entries: [entry('3.1', { what: 'Ended the event' })], next: null } : { entries, next: 'p1' },
  )
  return renderScreen(<TimelineScreen />, {
    at: { pathname: `/event/records/${someEvent}/timeline`, search },
    route: '/event/records/:eventUid/timeline',
  })
}
const lastQuery = () => server.received(listTimeline).at(-1)?.input.query

test("AAR-10 AAR-11 'Key moments' first; each line says who, what, when seen, how late, by which phone, and what overruled it", async () => {
  await open()

  await expect.element(page.getByText('Started the event').first()).toBeVisible()
  await expect.element(page.getByText('seen 10:04:11, 42 s late')).toBeVisible()
  for (const text of ['phone 12, iPhone', 'overruled', 'Kim Lee (Floor Warden)'])
    await expect.element(page.getByText(text)).toBeVisible()
  expect(lastQuery()).toEqual({ show: 'moments' })
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(page.getByText('Ended the event').first()).toBeVisible()
})

test("AAR-10 'Everything', kind, floor and lateness narrow it by the address", async () => {
  const { address } = await open()
  await page.getByText('Everything').click()
  await expect.poll(lastQuery).toEqual({ show: 'all' })
  await page.getByLabelText('Kind').selectOptions('Floor status')
  await page.getByLabelText('Floor', { exact: true }).selectOptions('Tower A, Level 4')
  await page.getByLabelText('Only late records').click()
  const floor = someRecord.floors.rows[3]?.id
  await expect.poll(lastQuery).toEqual({ show: 'all', floor, action: 'floor_status_set', late: 'yes' })
  expect(address()).toContain('late=yes')
})

test('AAR-10 the address of an evidence or of a name filters from the start, and the person can be left', async () => {
  await open('?show=all&person=00000000-0000-4000-8000-000000000301')
  await expect.poll(lastQuery).toEqual({ show: 'all', person: '00000000-0000-4000-8000-000000000301' })
  await page.getByRole('button', { name: 'Only one person: show all' }).click()
  await expect.poll(lastQuery).toEqual({ show: 'all' })
})

test('AAR-10 nothing found is said', async () => {
  server.answer(getRecord, answerWith(someRecord))
  await open('?late=yes', [])
  await expect.element(page.getByText('No entries match the filter.')).toBeVisible()
})

test("AAR-35 'Correct this' adds a correction, which stands under its entry", async () => {
  await open()
  await expect.element(page.getByText('Correction: It was Level 3.')).toBeVisible()
  server.answer(addToRecord, ({ input: { body } }) => ({ entry: added(2, body.kind, body.body) }))
  await page.getByRole('button', { name: 'More: Started the event' }).click()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Correct this' }).click()
  await page.getByLabelText('What is right').fill('The alarm panel started it.')
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.element(page.getByText('Correction: The alarm panel started it.')).toBeVisible()
  expect(server.received(addToRecord)[0]?.input.body).toEqual({
    kind: 'correction',
    body: { entry: '1.1', text: 'The alarm panel started it.' },
  })
})

test('AAR-10 at 1440 px the timeline is a table whose head stays in view', async () => {
  await page.viewport(1440, 900)
  await open(
    '',
    Array.from({ length: 40 }, (_, n) => entry(`1.${n}`)),
  )
  const table = page.getByRole('table', { name: 'Timeline' })
  await expect.element(table).toBeVisible()
  window.scrollTo(0, document.body.scrollHeight)

  const head = table.element().querySelector('thead th') as HTMLElement
  await expect.poll(() => head.getBoundingClientRect().top).toBeGreaterThanOrEqual(0)
  await expectNoAxeViolations()
})

test('REC2-23 a table has Time, What, Who, Seen and Phone, and marks danger, refusal, help, outage and a broken log in words', async () => {
  await page.viewport(1440, 900)
  const marks = ['danger', 'refusal', 'help', 'outage', 'broken'] as const
  await open(
    '',
    marks.map((mark, nth) => entry(`1.${nth}`, { mark, what: `Entry ${nth}` })),
  )
  const table = page.getByRole('table', { name: 'Timeline' })
  await expect.element(table).toBeVisible()
  const heads = table.getByRole('columnheader').elements()
  expect(heads.map((head) => head.textContent)).toEqual(['Time', 'What', 'Who', 'Seen', 'Phone'])
  for (const word of ['Danger', 'Refusal', 'Call for help', 'Outage', 'Log broken'])
    await expect.element(table.getByText(word, { exact: true })).toBeVisible()
  const row = table.getByRole('row').filter({ hasText: 'Entry 0' }).element()
  expect(getComputedStyle(row.firstElementChild as Element).borderLeftWidth).toBe('6px')
  await expectNoAxeViolations()
  await page.viewport(390, 844)
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Entry 0' }).getByText('Danger')).toBeVisible()
  await expectNoAxeViolations()
})

test('REC2-23 beside the clock stands the time since it began to count, since the drill began before that, and nothing after the end', async () => {
  const times = ['23:03:10', '23:05:00', '23:09:12', '23:59:00']
  const entries = times.map((time, nth) => entry(`1.${nth}`, { recorded_at: `2026-11-05T${time}.000Z` }))
  await open('', entries, { ...someRecord, kind: 'live', version: 2, live_from: '2026-11-05T23:05:00.000Z' })

  await expect
    .poll(() => [...document.querySelectorAll('time')].map((time) => time.parentElement?.textContent))
    .toEqual(['10:03:10drill 3:10', '10:05:00+0:00', '10:09:12+4:12', '10:59:00'])
})
