import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listAreaFloors, setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import { openEventPlan } from '#features/peeps/calls/plan-access.ts'
import { listReports } from '#features/self-report/calls.ts'
import { sayOf } from '#kernel/action-words.ts'
import type { BuildingUid, EvacueeUid, FloorStatusUid } from '#kernel/ids.ts'
import { responseStore } from '#web/live/response.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { emptyOutbox, personId } from '#web/testing/outbox.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { floorId } from '#web/testing/safety-data.ts'
import { flags } from '#web/testing/stored-auth.ts'
import {
  type AccountedPerson,
  askUnknown,
  type ContradictionItem,
  countAsked,
  keepContradiction,
  listAccounted,
  listContradictions,
  type Source,
} from '../calls.ts'
import { plainQuestion } from '../words.ts'
import { AccountingScreen } from './accounting-screen.tsx'

const server = serverForEachTest()
beforeEach(emptyOutbox)
beforeEach(() => page.viewport(390, 844))

const now = Date.parse('2026-11-25T12:00:00.000Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const at = minutesAgo(0)
const ann = { name: 'Ann Lee', role: 'Floor Warden' }
const seen: Source = { grade: 'seen', by: ann, floor: 'Level 1', at: minutesAgo(4) }
const told: Source = { grade: 'told', by: ann, floor: null, at: minutesAgo(45) }
const own: Source = { grade: 'own', by: null, floor: null, at: minutesAgo(2) }
const none: Source = { grade: 'none', by: null, floor: null, at: null }

const person = (n: number, more: Partial<AccountedPerson> = {}): AccountedPerson => ({
  id: personId(n),
  evacuee_list_uid: floorId(300 + n) as unknown as EvacueeUid,
  name: `Person 0${n}`,
  location: 'Tower A - Level 1',
  floor: floorId(1),
  phone: '61491570006',
  status: 'unknown',
  on_floor: false,
  ...{
    refused: false,
    visitor: false,
    plan: false,
    unread: false,
    sms_refused: false,
    source: none,
    cause: 'not_asked',
  },
  ...more,
})
const tower = floorId(901) as unknown as BuildingUid
const clearedDanger = (more: Partial<ContradictionItem> = {}): ContradictionItem => ({
  kind: 'cleared_danger',
  subject: floorId(1),
  state: '1.2.1',
  location: 'Tower A - Level 1',
  count: 1,
  floor: floorId(1),
  building: tower,
  first: { said: 'cleared', words: 'Evacuated', source: told },
  second: { said: 'danger', words: null, source: seen },
  people: [person(1, { status: 'danger', cause: null })],
  ...more,
})
const asked = { text: plainQuestion, count: 2, segments: 2, asked_lately: 1, without_mobile: 0, sms_refused: 0 }

function open(at = '/event/people', people = [person(1)], items = [clearedDanger()], auth = {}) {
  server.answer(listAccounted, { at: minutesAgo(0), people, next: null })
  server.answer(listContradictions, { at: minutesAgo(0), items, next: null })
  server.answer(countAsked, asked)
  server.answer(listAreaFloors, {
    floorsTotal: 1,
    floors: [
      {
        buildingId: tower,
        name: 'Tower A',
        floors: [{ id: floorId(1), name: 'Level 1', status: floorId(201) as unknown as FloorStatusUid }],
      },
    ],
  })
  return renderScreen(<AccountingScreen />, { at: split(at), route: '/event/people', auth })
}
const split = (address: string) => {
  const [pathname = '', search] = address.split('?')
  return { pathname, ...(search && { search: `?${search}` }) }
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const sheet = () => page.getByRole('dialog')
const question = () => page.getByRole('alertdialog')

test('REC-01 each person with grade, source and age; above 30 minutes in bold', async () => {
  await open('/event/people', [
    ...[person(1, { source: seen }), person(2, { source: told }), person(3, { source: own }), person(4)],
  ])

  for (const line of ['Recorded by Ann Lee, Floor Warden, on Level 1', 'Own text', 'Nothing yet'])
    await expect.element(page.getByText(line)).toBeVisible()
  for (const grade of ['Seen', 'Reported', 'Self-reported', 'None'])
    await expect.element(page.getByText(grade, { exact: true })).toBeVisible()
  const weight = (age: string) => getComputedStyle(page.getByText(`· ${age}`).element()).fontWeight
  expect([weight('4 min ago'), weight('45 min ago')]).toEqual(['400', '700'])
  await expectNoAxeViolations()
})

test('REC-10 the address chooses list, floor and cause, and what is chosen stands in it', async () => {
  const { address } = await open(`/event/people?tab=unknown&floor=${floorId(1)}&cause=asked`)
  await expect.element(page.getByRole('heading', { name: 'Person 01' })).toBeVisible()
  const query = () => server.received(listAccounted).at(-1)?.input.query
  expect(query()).toEqual({ list: 'unknown', floor: floorId(1), cause: 'asked' })

  await page.getByLabelText('Cause').selectOptions('text failed')
  expect(address()).toBe(`/event/people?tab=unknown&floor=${floorId(1)}&cause=text_failed`)
  await page.getByRole('tab', { name: 'PEEPs' }).click()
  await expect.poll(query).toEqual({ list: 'peeps', floor: floorId(1) })
  expect(address()).toBe(`/event/people?tab=peeps&floor=${floorId(1)}`)
})

test('REC-10 of a PEEP the mark alone; without messages neither message nor question', async () => {
  const role = { module_access: flags('Module_Evacuee_Safety') }
  await open('/event/people', [person(1, { plan: true, refused: true })], [], role)

  await expect.element(page.getByText('PEEP', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Refuses to evacuate')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Call Person 01' })).toBeVisible()
  expect(page.getByRole('link', { name: /Message/ }).elements()).toEqual([])
  expect(button(/^Ask/).elements()).toEqual([])
  expect(page.getByRole('tab', { name: 'Contradictions' }).elements()).toEqual([])
})

test('REC-09 the question is asked for with its texts and segments, and says when the number has changed', async () => {
  await open(`/event/people?cause=not_asked`)
  server.answer(askUnknown, refused('changed_since'))
  await button('Ask 2').click()

  await expect.element(question().getByText('This sends 2 texts (2 segments).')).toBeVisible()
  await expect.element(question().getByText(plainQuestion)).toBeVisible()
  await expect.element(question().getByText('1 asked within 3 minutes')).toBeVisible()
  await expectNoAxeViolations()
  await question().getByRole('button', { name: 'Ask 2' }).click()
  await expect.element(page.getByText('Not sent: the number has changed. Please look again.')).toBeVisible()
  expect(server.received(askUnknown)[0]?.input.body).toEqual({ floors: [], causes: ['not_asked'], count: 2 })
})

test('REC-08 resolve shows both records side by side; record again opens the sheet of the person', async () => {
  const safe = { id: personId(1), status: 'safe', on_floor: false } as const
  server.answer(setEvacueeStatus, {
    evacueeId: safe.id,
    newStatus: 'safe',
    superseded: false,
    person: safe,
    status: 'success',
  })
  await open('/event/people?tab=contradictions')
  await button(/^Resolve/).click()

  await expect.element(sheet().getByRole('heading', { name: 'Evacuated' })).toBeVisible()
  await expect.element(sheet().getByRole('heading', { name: 'In Danger' })).toBeVisible()
  await expectNoAxeViolations()
  await sheet().getByRole('button', { name: 'Record again: Person 01' }).click()
  await sheet().getByRole('button', { name: 'Safe' }).click()

  await expect
    .poll(() => server.received(setEvacueeStatus)[0]?.input.body)
    .toEqual({ evacueeId: personId(1), status: 'safe' })
})

test('REC-08 REC-10 at a desk the record stands beside the list, which stays in use', async () => {
  await page.viewport(1440, 900)
  await open('/event/people?tab=danger', [person(1, { status: 'danger' }), person(2, { status: 'danger' })])
  const beside = page.getByRole('complementary', { name: 'Record' })
  await expect.element(beside.getByText('Nothing is chosen.')).toBeVisible()
  await button(/^Person 01: In Danger/).click()
  await expect.element(beside.getByRole('heading', { name: 'Person 01' })).toHaveFocus()
  expect(sheet().elements()).toEqual([])
  await expectNoAxeViolations()

  await button(/^Person 02: In Danger/).click()
  await expect.element(beside.getByRole('heading', { name: 'Person 02' })).toHaveFocus()
  expect(beside.getByRole('heading').elements()).toHaveLength(1)
  await userEvent.keyboard('{Escape}')
  await expect.element(beside.getByText('Nothing is chosen.')).toBeVisible()
  await expect.element(button(/^Person 02: In Danger/)).toHaveFocus()

  await button(/^Person 01: In Danger/).click()
  await page.getByRole('tab', { name: 'Contradictions' }).click()
  await expect.element(beside.getByText('Nothing is chosen.')).toBeVisible()
  await button(/^Resolve/).click()
  await expect.element(beside.getByRole('heading', { name: 'Evacuated' })).toBeVisible()
  await beside.getByRole('button', { name: 'Record again: Person 01' }).click()
  await expect.element(beside.getByRole('heading', { name: 'Person 01' })).toBeVisible()
  await button(/^Resolve/).click()
  await expect.element(beside.getByRole('heading', { name: 'Person 01' })).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('REC-08 at a desk each word of a tab has its room, and reports have no record beside them', async () => {
  await page.viewport(1100, 900)
  await open('/event/people?tab=contradictions')
  const tabs = page.getByRole('tab')
  await expect.element(tabs.first()).toBeVisible()
  for (const tab of tabs.elements()) expect(tab.scrollWidth, tab.textContent).toBeLessThanOrEqual(tab.clientWidth)
  await expect.element(page.getByText('Nothing is chosen.')).toBeVisible()
  server.answer(listReports, {
    ...{
      at,
      reports: [],
      next: null,
      open: 0,
      help: 0,
      newest: null,
      page_open: true,
      texts_open: true,
      more_numbers: 0,
      naming: 0,
      groups: [],
    },
    chosen: { count: 0, help: 0 },
  })
  const before = tabs.first().element().getBoundingClientRect()
  await page.getByRole('tab', { name: 'Reports' }).click()
  await expect.element(page.getByText('Nothing is chosen.')).not.toBeInTheDocument()
  expect(tabs.first().element().getBoundingClientRect()).toEqual(before)
  await expectNoAxeViolations()
})

test('REC-08 keep as it is asks for a reason, and the second of two reads what the first chose', async () => {
  await open('/event/people?tab=contradictions')
  server.answer(keepContradiction, {
    kept: { reason: 'The fire service knows', by: 'Kim Orr', at, own: false },
  })
  await button(/^Resolve/).click()
  await sheet().getByRole('button', { name: 'Keep as it is' }).click()
  await expect.element(sheet().getByText('At least 3 characters.')).toBeVisible()
  await sheet().getByLabelText('Reason').fill('Seen by two')
  server.answer(listContradictions, { at, items: [], next: null })
  await sheet().getByRole('button', { name: 'Keep as it is' }).click()

  await expect.element(page.getByText('Kim Orr kept it: The fire service knows')).toBeVisible()
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  expect(server.received(keepContradiction)[0]?.input.body).toEqual({
    kind: 'cleared_danger',
    subject: floorId(1),
    state: '1.2.1',
    reason: 'Seen by two',
  })
})

test('REC-08 who manages the event has the floor checked again: its instruction is confirmed on the next page', async () => {
  const { address } = await open('/event/people?tab=contradictions', [], [clearedDanger()])
  await button(/^Resolve/).click()
  await sheet().getByRole('link', { name: 'Check the floor again' }).click()
  expect(address()).toBe(`/event/instructions?floor=${floorId(1)}&kind=recheck`)
})

test.for([
  ['without the right to instruct', {}, flags('Module_Evacuee_Safety', 'Module_Building_Evacuation_Status')],
  ['of someone on no floor', { kind: 'own_safe', floor: null } as const, flags()],
] as const)('REC-08 %s there is no check of the floor', async ([, more, module_access]) => {
  await open('/event/people?tab=contradictions', [], [clearedDanger(more)], { module_access })
  await button(/^Resolve/).click()
  await expect.element(sheet().getByRole('button', { name: 'Keep as it is' })).toBeVisible()
  expect(sheet().getByRole('link').elements()).toEqual([])
})

test('RESP-03 RESP-05 in a lockdown no floor is checked again, and both records are in its words', async () => {
  onTestFinished(() => responseStore.set(null))
  const say = sayOf([{ action: 'lockdown' }])
  responseStore.set({ of: () => say, in: () => say, total: say, isHidden: false, quiet: new Set([tower]) })
  const first = { said: 'cleared', words: null, source: told } as const
  await open('/event/people?tab=contradictions', [], [clearedDanger({ first })])
  await button(/^Resolve: Locked, with someone who needs help/).click()
  await expect.element(sheet().getByRole('heading', { name: 'Locked', exact: true })).toBeVisible()
  await expect.element(sheet().getByRole('heading', { name: 'Needs help' })).toBeVisible()
  expect(sheet().getByRole('link', { name: 'Check the floor again' }).elements()).toEqual([])
})

test('REC-08 a record that changed meanwhile keeps the reason typed; a failed read says so', async () => {
  await open('/event/people?tab=contradictions')
  server.answer(keepContradiction, refused('changed_since'))
  await button(/^Resolve/).click()
  await sheet().getByLabelText('Reason').fill('Seen by two')
  await sheet().getByRole('button', { name: 'Keep as it is' }).click()

  await expect.element(sheet().getByText('Someone else changed this. Read both records again.')).toBeVisible()
  await expect.element(sheet().getByLabelText('Reason')).toHaveValue('Seen by two')
})

test('BOARD-13 REC-08 the address opens the contradiction that it names', async () => {
  await open(`/event/people?tab=contradictions&open=${encodeURIComponent(`cleared_danger ${floorId(1)}`)}`)

  await expect.element(sheet().getByRole('button', { name: 'Keep as it is' })).toBeVisible()
})

test('REC-10 REC-06 contradictions are asked for of the place that is chosen, also of a building’s people on no floor', async () => {
  await open(`/event/people?tab=contradictions&floor=${floorId(901)}`)
  const query = () => server.received(listContradictions).at(-1)?.input.query
  await expect.element(button(/^Resolve/)).toBeVisible()
  expect(query()).toEqual({ floor: floorId(901) })

  await page.getByLabelText('Place').selectOptions('Tower A - Level 1')
  await expect.poll(query).toEqual({ floor: floorId(1) })
  await page.getByLabelText('Place').selectOptions('Every floor')
  await expect.poll(query).toEqual({})
})

test('REC-10 a list without anyone', async () => {
  await open('/event/people', [])

  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  await expectNoAxeViolations()
})

test.for([
  ['no_event', 'No Current Events'],
  ['not_on_duty', 'You are not on duty in this event. Please report in first.'],
  ['not_found', 'This floor has left the event.'],
  ['server_error', 'This could not be loaded. Try again.'],
] as const)('REC-10 %s is told', async ([code, text]) => {
  await open('/event/people?tab=danger')
  server.answer(listAccounted, refused(code))
  await page.getByRole('tab', { name: 'PEEPs' }).click()

  await expect.element(page.getByText(text)).toBeVisible()
})

test("PEEP-02 PEEP-03 a person with a plan has the mark and 'Show plan', never its text; the sheet asks why", async () => {
  server.answer(openEventPlan, { assistance: 'Evacuation chair' })
  await open('/event/people?tab=peeps', [person(1, { plan: true }), person(2)])
  await expect.element(page.getByText('PEEP', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Evacuation chair')).not.toBeInTheDocument()
  await expect.element(button('Show plan: Person 02')).not.toBeInTheDocument()

  await button('Show plan: Person 01').click()
  await expect.element(sheet().getByRole('heading', { name: 'Why?' })).toBeVisible()
  await expectNoAxeViolations()
  await sheet().getByRole('button', { name: 'I am going to help' }).click()

  await expect.element(sheet().getByText('Evacuation chair')).toBeVisible()
  expect(server.received(openEventPlan)).toHaveLength(1)
})

test("REC-08 PEEP-03 'Resolve' shows the way to the plan of a person who has one", async () => {
  const planned = person(1, { plan: true })
  await open('/event/people?tab=contradictions', [], [clearedDanger({ kind: 'cleared_plan', people: [planned] })])
  await button(/^Resolve/).click()

  await button('Show plan: Person 01').click()

  await expect.element(sheet().getByRole('heading', { name: 'Why?' })).toBeVisible()
})
