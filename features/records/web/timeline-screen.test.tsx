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
const open = (search = '', entries = [entry('1.1'), late]) => {
  server.answer(getRecord, answerWith(someRecord, [added(1, 'correction', { entry: '2.1', text: 'It was Level 3.' })]))
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
  await page.getByRole('button', { name: 'Correct this: Started the event' }).click()
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
