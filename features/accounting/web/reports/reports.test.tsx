import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { filterEvacuees, listAreaFloors } from '#features/evacuation/calls/safety.ts'
import {
  acceptReports,
  dismissReports,
  handleReport,
  listReports,
  openUnknownTexts,
  type ReportPerson,
  type SelfReport,
} from '#features/self-report/calls.ts'
import type { BuildingUid, SelfReportUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { type StoredAuth, setAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { occupant } from '#web/testing/floor-data.ts'
import { personId } from '#web/testing/outbox.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { floorId } from '#web/testing/safety-data.ts'
import { flags, storedAuth } from '#web/testing/stored-auth.ts'
import { listAccounted } from '../../calls.ts'
import { AccountingScreen } from '../accounting-screen.tsx'
import { undoWaiting } from './waiting-act.ts'

const server = serverForEachTest()
beforeEach(() => server.answer(listAreaFloors, { floors: [], floorsTotal: 0 }))
afterEach(async () => {
  undoWaiting()
  vi.useRealTimers()
  await page.viewport(390, 844)
})

const at = '2026-11-25T12:00:00.000Z'
const uid = (n: number) => floorId(700 + n) as unknown as SelfReportUid
const person = (n: number): ReportPerson => ({
  id: personId(n),
  name: `Person 0${n}`,
  location: 'Tower A - Level 1',
  status: 'unknown',
})
const safe = (n: number, more: Partial<SelfReport> = {}): SelfReport => ({
  uid: uid(n),
  way: 'poster',
  says: 'safe',
  at: '2026-11-25T11:57:00.000Z',
  name: `Ann ${n}`,
  mobile: null,
  ...{
    words: null,
    unsure: false,
    elsewhere: false,
    building: null,
    floor: null,
    person: person(n),
    state: 'open',
    handled: null,
  },
  ...more,
})
const place = {
  building: { id: floorId(901) as unknown as BuildingUid, name: 'Tower A' },
  floor: { id: floorId(1), name: 'Level 1' },
}
const help = (n: number, more: Partial<SelfReport> = {}) =>
  safe(n, {
    says: 'help',
    name: null,
    mobile: '0491 570 006',
    person: null,
    words: 'Stair B, door jammed',
    ...place,
    ...more,
  })
const listed = (reports: SelfReport[], more: Partial<CallReply<typeof listReports>> = {}) => ({
  at,
  reports,
  next: null,
  open: reports.length,
  help: 0,
  naming: 0,
  chosen: { count: reports.length, help: 0 },
  newest: reports.at(-1)?.uid ?? null,
  groups: [],
  page_open: true,
  texts_open: true,
  more_numbers: 0,
  ...more,
})
const handled = (
  report: SelfReport,
  state: SelfReport['state'],
  who: string | null = null,
): { report: SelfReport } => ({
  report: { ...report, state, handled: { by: 'Ann Lee', at, who } },
})
const open = (answer: CallReply<typeof listReports>, auth?: Partial<StoredAuth>) => {
  server.answer(listReports, answer)
  return renderScreen(<AccountingScreen />, {
    at: { pathname: '/event/people', search: '?tab=reports' },
    ...(auth && { auth }),
  })
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const sheet = () => page.getByRole('dialog')
const acts = () => server.received(handleReport).map(({ input }) => ({ ...input.params, ...input.body }))

test('REC-27 a report with its proposed person is accepted and leaves the list', async () => {
  const report = safe(1)
  await open(listed([report, safe(2, { person: null })]))
  await expect.element(page.getByText('Says safe').first()).toBeVisible()
  await expect.element(page.getByText('Person 01')).toBeVisible()
  await expect.element(page.getByText('By poster, unverified · 3 min ago').first()).toBeVisible()
  expect(button('Accept: Says safe: Ann 2').elements()).toEqual([])
  await expectNoAxeViolations()

  server.answer(handleReport, handled(report, 'accepted'))
  server.answer(listReports, listed([safe(2, { person: null })]))
  await button('Accept: Says safe: Ann 1').click()
  await expect.element(page.getByText('Recorded. Person 01')).toBeVisible()
  await expect.element(page.getByText('Ann 1', { exact: true })).not.toBeInTheDocument()
  expect(acts()).toEqual([{ uid: uid(1), act: 'accept' }])
})

test('REC-27 another person is searched for by the name that was written, and accepted', async () => {
  const report = safe(1, { name: 'Ann Lee' })
  server.answer(filterEvacuees, {
    evacuees: [{ ...occupant(7), name: 'Ann Lee-Park', location: 'Tower B - Level 2' }],
    pagination: { total: 1, from: 1, current_page: 1, total_pages: 1, next_page_url: null },
    filterCounts: { safe: 0, unknown: 1, danger: 0, total: 1 },
  })
  await open(listed([report]))
  await button('Other person: Says safe: Ann Lee').click()
  await expect.element(sheet().getByRole('button', { name: /Ann Lee-Park/ })).toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(filterEvacuees)[0]?.input.body).toMatchObject({ area: 'everyone', search: 'Ann Lee' })

  server.answer(handleReport, handled({ ...report, person: person(7) }, 'accepted'))
  await sheet()
    .getByRole('button', { name: /Ann Lee-Park/ })
    .click()
  await expect.element(sheet()).not.toBeInTheDocument()
  expect(acts()).toEqual([{ uid: uid(1), act: 'accept', person: occupant(7).id }])
})

test('REC-28 a call for help is answered with who goes, or closed as false after a question', async () => {
  const [first, second] = [help(1), help(2, { building: null, floor: null, words: null })]
  await open(listed([first, second], { help: 2 }))
  await expect.element(page.getByText('2 open reports, 2 calls for help')).toBeVisible()
  await expect.element(page.getByText('Tower A · Level 1')).toBeVisible()
  await expect.element(page.getByText('“Stair B, door jammed”')).toBeVisible()
  await expect.element(page.getByText('Place not known')).toBeVisible()
  expect(page.getByRole('link', { name: 'Call 0491 570 006' }).first().element().getAttribute('href')).toBe(
    'tel:0491570006',
  )
  await expectNoAxeViolations()

  await button('Answered: Call for help: Tower A · Level 1').click()
  await sheet().getByRole('button', { name: 'Answered' }).click()
  await expect.element(sheet().getByText('Enter who is going.')).toBeVisible()
  await expectNoAxeViolations()
  server.answer(handleReport, handled(first, 'answered', 'Engine 4'))
  await sheet().getByLabelText('Who is going there').fill('Engine 4')
  await sheet().getByRole('button', { name: 'Answered' }).click()
  await expect.element(page.getByText('Answered: Engine 4')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  server.answer(handleReport, handled(second, 'false'))
  await button('False alarm: Call for help: Place not known').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'False alarm' }).click()
  await expect.element(page.getByText('Marked as a false alarm.')).toBeVisible()
  expect(acts()).toEqual([
    { uid: uid(1), act: 'answered', who: 'Engine 4' },
    { uid: uid(2), act: 'false' },
  ])
})

test('BOARD-13 REC-28 the address opens the call for help that it names, to be answered', async () => {
  server.answer(listReports, listed([help(1), help(2)], { help: 2 }))
  const at = { pathname: '/event/people', search: `?tab=reports&open=${help(2).uid}` }
  await renderScreen(<AccountingScreen />, { at })

  await expect.element(page.getByRole('dialog', { name: 'Who is going?' })).toBeVisible()
})

test('KIND-18 a report of a drill says so: on its card, where it is answered, where it is a false alarm, and when it is handled', async () => {
  await open(listed([help(1, { in_drill: true }), help(2), safe(3, { in_drill: true })], { help: 2 }))
  const cards = page.getByRole('listitem')
  await expect.element(cards.nth(0).getByText('Drill', { exact: true })).toBeVisible()
  await expect.element(cards.nth(2).getByText('Drill', { exact: true })).toBeVisible()
  expect(cards.nth(1).getByText('Drill', { exact: true }).query()).toBeNull()
  await expectNoAxeViolations()

  await button('Answered: Call for help: Tower A · Level 1').first().click()
  await expect.element(sheet().getByText('Drill', { exact: true })).toBeVisible()
  await sheet().getByRole('button', { name: 'Close' }).click()
  await button('False alarm: Call for help: Tower A · Level 1').first().click()
  await expect.element(page.getByText('Drill. Tower A · Level 1. It is removed from every board.')).toBeVisible()
  await button('Cancel').click()

  server.answer(listReports, listed([handled(help(1, { in_drill: true }), 'answered', 'Engine 4').report]))
  await page.getByText('Handled').click()
  await expect.element(page.getByText('Drill', { exact: true })).toBeVisible()
})

test('KIND-18 an entry of a network says how many of its reports are of a drill', async () => {
  const groups = [
    { network: 'abc', count: 30, help: 3, more: 0, naming: 0, newest: at, in_drill: 12 },
    { network: 'def', count: 40, help: 0, more: 0, naming: 0, newest: at, in_drill: 40 },
  ]
  await open(listed([], { open: 70, groups }))
  const entry = (words: string) => page.getByRole('listitem').filter({ hasText: words })

  await expect.element(entry('40 from one network').getByText('Drill', { exact: true })).toBeVisible()
  expect(entry('30 from one network').element().textContent).toContain(', 12 in the drill')
  expect(entry('30 from one network').getByText('Drill', { exact: true }).query()).toBeNull()
})

test('REC-28 what was typed stays when it was not saved; who came second reads what the first did', async () => {
  await open(listed([help(1)], { help: 1 }))
  server.answer(handleReport, refused('server_error'))
  await button('Answered: Call for help: Tower A · Level 1').click()
  await sheet().getByLabelText('Who is going there').fill('Engine 4')
  await sheet().getByRole('button', { name: 'Answered' }).click()
  await expect.element(sheet().getByText('Not saved. Try again.')).toBeVisible()
  await expectNoAxeViolations()
  await expect.element(sheet().getByLabelText('Who is going there')).toHaveValue('Engine 4')

  server.answer(handleReport, refused('invalid_transition', 'Kim Orr has answered it: Ladder 2'))
  await sheet().getByRole('button', { name: 'Answered' }).click()
  await expect.element(sheet().getByText('Kim Orr has answered it: Ladder 2')).toBeVisible()
})

test('REC-27 Accept all waits 10 s for Undo; then it sends what was there when it was pressed', async () => {
  await open(listed([safe(1), safe(2)], { naming: 2 }))
  server.answer(acceptReports, { accepted: 2, left: 0 })
  await button('Accept all 2 that name one person').click()
  await button('Undo: accepting 2').click()
  await expect.element(button('Accept all 2 that name one person')).toBeVisible()

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ;(button('Accept all 2 that name one person').element() as HTMLButtonElement).click()
  vi.advanceTimersByTime(9_999)
  expect(server.received(acceptReports)).toEqual([])
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await expect.element(page.getByText('Recorded: 2.')).toBeVisible()
  expect(server.received(acceptReports).map(({ input }) => input.body)).toEqual([{ upTo: uid(2) }])
})

test('REC-27 Accept all is not sent in the name of another warden who has taken over the phone', async () => {
  await open(listed([safe(1)], { naming: 1 }))
  await expect.element(button('Accept all 1 that name one person')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ;(button('Accept all 1 that name one person').element() as HTMLButtonElement).click()
  setAuth(storedAuth({ WardenSignInUID: floorId(55) as never }))
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await expect.element(button('Accept all 1 that name one person')).toBeVisible()
  expect(server.received(acceptReports)).toEqual([])
})

const group = { network: 'abc', count: 1200, help: 3, more: 0, naming: 300, newest: at }
/** Without the ten seconds. */
async function pressAndWait(press: () => HTMLElement) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  press().click()
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
}

test('REC-27 many reports of one network are one entry, which opens and is accepted by itself', async () => {
  await open(listed([safe(1)], { open: 1201, help: 3, groups: [group], page_open: false }))
  await expect.element(page.getByText('1,200 from one network')).toBeVisible()
  await expect.element(page.getByText('3 calls for help', { exact: false }).first()).toBeVisible()
  await expect.element(page.getByText('The poster page is closed.')).toBeVisible()
  await expectNoAxeViolations()

  server.answer(acceptReports, { accepted: 300, left: 0 })
  const accept = button('Accept these 300: 1,200 from one network')
  await expect.element(accept).toBeVisible()
  await pressAndWait(() => accept.element() as HTMLElement)
  await expect.element(page.getByText('Recorded: 300.')).toBeVisible()
  expect(server.received(acceptReports).map(({ input }) => input.body)).toEqual([{ upTo: uid(1), network: 'abc' }])

  server.answer(listReports, listed([safe(5)], { open: 1201, naming: 900 }))
  await button('Show: 1,200 from one network').click()
  await expect.element(page.getByText('Reports from one network.')).toBeVisible()
  await expect.element(button('Accept all 500 that name one person')).toBeVisible()
  expect(server.received(listReports).at(-1)?.input.query).toEqual({ state: 'open', texts: 'yes', network: 'abc' })
  await button('All reports').click()
  await expect.element(page.getByText('Reports from one network.')).not.toBeInTheDocument()
})

test('REC-32 a flood ends by one press with one undo; calls for help among it stay open unless the warden says so', async () => {
  await open(listed([safe(1)], { open: 1201, help: 3, groups: [{ ...group, more: 40 }] }))
  await expect.element(page.getByText('40 more calls from this network')).toBeVisible()
  await button('Dismiss all 1,240: 1,200 from one network').click()
  const dialog = page.getByRole('alertdialog')
  await expect.element(dialog.getByText('The calls for help stay open.')).toBeVisible()
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Dismiss 1,197' }).click()
  await button('Undo: dismissing 1,197').click()

  server.answer(dismissReports, ({ input }) =>
    input.body.more ? { dismissed: 1000, left: 200 } : { dismissed: 200, left: 0 },
  )
  await button('Dismiss all 1,240: 1,200 from one network').click()
  await dialog.getByRole('checkbox', { name: 'Also mark 43 calls for help as false alarms' }).click()
  await pressAndWait(() => dialog.getByRole('button', { name: 'Dismiss all 1,240' }).element() as HTMLElement)
  await expect.element(page.getByText('Dismissed: 1,240.')).toBeVisible()
  const all = { upTo: uid(1), network: 'abc', calls: 'false' }
  expect(server.received(dismissReports).map(({ input }) => input.body)).toEqual([{ ...all, more: 40 }, all])
})

test('REC-34 a flood of many networks that names no floor is chosen as a place and ends by one press; people have no such place', async () => {
  await open(listed([safe(1)], { open: 5000 }))
  await expect.element(page.getByText('5,000 open reports')).toBeVisible()
  expect(button(/^Dismiss all/).elements()).toEqual([])
  server.answer(listReports, listed([safe(1)], { open: 5000, chosen: { count: 4990, help: 0 } }))
  await page.getByLabelText('Place').selectOptions('No floor named')
  await expect.element(button('Dismiss all 4,990')).toBeVisible()
  expect(server.received(listReports).at(-1)?.input.query).toEqual({ state: 'open', texts: 'yes', floor: 'none' })
  await expectNoAxeViolations()

  await button('Dismiss all 4,990').click()
  await button('Undo: dismissing 4,990').click()
  server.answer(dismissReports, { dismissed: 4990, left: 0 })
  await pressAndWait(() => button('Dismiss all 4,990').element() as HTMLElement)
  await expect.element(page.getByText('Dismissed: 4,990.')).toBeVisible()
  const body = { upTo: uid(1), floor: 'none', calls: 'keep' }
  expect(server.received(dismissReports).map(({ input }) => input.body)).toEqual([body])

  server.answer(listAccounted, { at, people: [], next: null })
  await page.getByRole('tab', { name: 'In danger' }).click()
  await expect.poll(() => server.received(listAccounted).at(-1)?.input.query).toEqual({ list: 'danger' })
  await expect.element(page.getByLabelText('Place')).toHaveValue('all')
})

test('REC-27 handled reports say what was done, by whom, and to which person', async () => {
  await open(listed([]))
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  server.answer(
    listReports,
    listed([
      handled(help(1), 'answered', 'Engine 4').report,
      handled(safe(2), 'accepted').report,
      safe(3, { way: 'link', state: 'accepted' }),
    ]),
  )
  await page.getByText('Handled', { exact: true }).click()
  await expect.element(page.getByText('Engine 4')).toBeVisible()
  await expect.element(page.getByText('Accepted: Person 02 recorded as safe')).toBeVisible()
  await expect.element(page.getByText('Recorded automatically: Person 03 recorded as safe')).toBeVisible()
  await expectNoAxeViolations()
})

test('REC-27 the next page is read as the list is scrolled', async () => {
  const reports = Array.from({ length: 20 }, (_, n) => safe(n + 1, { name: `Zoe ${n + 1}` }))
  server.answer(listReports, ({ input }) =>
    input.query.after ? listed([safe(30, { name: 'Zoe 30' })]) : listed(reports, { next: uid(20), open: 21 }),
  )
  await renderScreen(<AccountingScreen />, { at: { pathname: '/event/people', search: '?tab=reports' } })
  await expect.element(page.getByText('Zoe 20')).toBeInTheDocument()
  window.scrollTo(0, document.documentElement.scrollHeight)
  await expect.element(page.getByText('Zoe 30')).toBeInTheDocument()
  expect(server.received(listReports).at(-1)?.input.query).toEqual({ state: 'open', texts: 'yes', after: uid(20) })
})

test.for([
  ['no_event', 'No Current Events'],
  ['server_error', 'This could not be loaded. Try again.'],
] as const)('REC-27 %s is told', async ([code, text]) => {
  server.answer(listReports, refused(code))
  await renderScreen(<AccountingScreen />, { at: { pathname: '/event/people', search: '?tab=reports' } })
  await expect.element(page.getByText(text)).toBeVisible()
})

const text = (n: number, more: Partial<SelfReport> = {}) =>
  help(n, { way: 'text', mobile: `6148155000${n}`, building: null, floor: null, words: 'trapped in the lift', ...more })

test('ANS-05 ANS-07 texts of unknown numbers: a call, one that may be a call, one for elsewhere, and words that are dismissed', async () => {
  const words = text(4, { says: 'words', words: 'What is going on?\nHello?' })
  await open(
    listed(
      [
        text(1),
        text(2, { unsure: true, words: 'no fire here', elsewhere: true }),
        text(3, { name: 'Olga Orr, Ben Bolt', words: '2' }),
        text(5, { way: 'call', name: 'Cas Cole', words: 'Pressed 2 in a call: needs help.' }),
        words,
      ],
      { help: 4, more_numbers: 12 },
    ),
    { module_access: flags('Module_Evacuee_Safety') },
  )
  await expect.element(page.getByText('Unknown number +61481550001')).toBeVisible()
  await expect.element(page.getByText('May be a call for help')).toBeVisible()
  await expect.element(page.getByText('This text may be for another organisation.')).toBeVisible()
  await expect.element(page.getByText('Olga Orr, Ben Bolt')).toBeVisible()
  await expect.element(page.getByText('Text from an unknown number')).toBeVisible()
  await expect.element(page.getByText('+ 12 more numbers')).toBeVisible()
  await expect.element(page.getByText('By text, unverified · 3 min ago').first()).toBeVisible()
  await expect.element(page.getByText('By key in a telephone call, unverified · 3 min ago')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Call Cas Cole' })).toHaveAttribute('href', 'tel:+61481550005')
  expect(server.received(listReports)[0]?.input.query).toMatchObject({ texts: 'yes' })
  expect(button('Close texts from unknown numbers').elements()).toEqual([])
  await expectNoAxeViolations()

  server.answer(handleReport, handled(words, 'dismissed'))
  await button('Dismiss: Text from an unknown number: Unknown number +61481550004').click()
  await expect.poll(acts).toEqual([{ uid: uid(4), act: 'dismiss' }])
})

test('ANS-07 a manager closes texts from unknown numbers, and opens them again', async () => {
  server.answer(openUnknownTexts, { open: false })
  await open(listed([text(1)], { help: 1 }))
  server.answer(listReports, listed([text(1)], { help: 1, texts_open: false }))

  await button('Close texts from unknown numbers').click()

  await expect
    .element(page.getByText('Texts from unknown numbers are closed. Calls for help still come in.'))
    .toBeVisible()
  await expect.element(button('Open texts from unknown numbers')).toBeVisible()
  expect(server.received(openUnknownTexts).map(({ input }) => input.body)).toEqual([{ open: 'no' }])
  await expectNoAxeViolations()
})
