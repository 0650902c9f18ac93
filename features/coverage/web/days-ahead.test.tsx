import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import {
  askForDay,
  type CoverageAhead,
  getCoverageAhead,
  getOwnDays,
  listAskable,
  type OwnDay,
  setOwnDay,
  takeForDay,
} from '../calls/coverage-ahead.ts'
import { DaysAheadScreen } from './days-ahead-screen.tsx'
import { MyDaysScreen } from './my-days-screen.tsx'

const server = serverForEachTest()
const dayOf = (n: number) => `2026-11-${25 + n}`
const floor = (name: string, wardens: string[] = [], offered = 0) => ({
  id: `f-${name}` as never,
  name,
  wardens,
  offered,
})

const coverage = (over: Partial<CoverageAhead> = {}): CoverageAhead => ({
  site: { id: 's' as never, name: 'Harbour Quarter' },
  day: dayOf(1),
  days: [3, 2, 0, 0, 0].map((without, n) => ({ day: dayOf(n), without })),
  has_floor_wardens: true,
  buildings: [
    {
      id: 'a' as never,
      name: 'Tower A',
      floors: [floor('Level 2'), floor('Level 1', [], 2), floor('Ground', ['Ada Quist', 'Ben Lind'])],
    },
  ],
  ...over,
})

const reading = { module_access: flags('Module_Floor_Warden_Status') }
const managing = { module_access: flags('Module_Event_Management', 'Module_Floor_Warden_Status') }

test('COV-20 COV-21 COV-26 a day tells its floors without a warden, and each floor its state in a word', async () => {
  server.answer(getCoverageAhead, coverage())
  await renderScreen(<DaysAheadScreen />, { at: '/coverage', auth: reading })

  await expect.element(page.getByText('2 floors have no warden on Thursday 26 November.')).toBeVisible()
  await expect.element(page.getByText('Accepted is not the same as present.')).toBeVisible()
  const rows = page
    .getByRole('listitem')
    .elements()
    .map((row) => row.textContent)
  expect(rows).toEqual(['Level 2No warden', 'Level 1Asked, 2', 'GroundAda Quist, Ben Lind'])
  await expect.element(page.getByRole('button', { name: /^Thu 26 Nov/ })).toHaveAttribute('aria-current', 'date')
  expect(page.getByRole('button', { name: /^Ask/ }).elements()).toEqual([])
  await expectNoAxeViolations()
})

test('COV-20 COV-26 another day is chosen by its button; with everything covered, and with no floor wardens, the words say so', async () => {
  server.answer(getCoverageAhead, ({ input }) => coverage({ day: input.query.day ?? dayOf(0) }))
  const screen = await renderScreen(<DaysAheadScreen />, { at: '/coverage' })

  await page.getByRole('button', { name: /^Fri 27 Nov/ }).click()
  await expect.element(page.getByText('Every floor has a warden.')).toBeVisible()
  expect(screen.address()).toBe(`/coverage?day=${dayOf(2)}`)

  server.answer(getCoverageAhead, coverage({ has_floor_wardens: false }))
  await page.getByRole('button', { name: /^Today/ }).click()
  await expect.element(page.getByText('No floor has a warden of its own.')).toBeVisible()
})

test("COV-23 'Ask' lists who may take the floor, and one tap asks", async () => {
  server.answer(getCoverageAhead, coverage())
  const person = (name: string, asked = false) => ({
    person: name as never,
    name,
    role: 'Floor Warden',
    why: 'Level 1, 1 floor away',
    asked,
  })
  server.answer(listAskable, { people: [person('Ada Quist'), person('Cal Weber', true)] })
  server.answer(askForDay, { status: 'offered' })
  await renderScreen(<DaysAheadScreen />, { at: '/coverage', auth: managing })

  await page.getByRole('button', { name: 'Ask for Tower A, Level 2' }).click()
  await expect.element(page.getByText('Already asked.')).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Ask Ada Quist' }).click()

  await expect.element(page.getByText('Ada Quist has been asked.')).toBeVisible()
  expect(server.received(askForDay).map(({ input }) => input.body)).toEqual([
    { floorId: 'f-Level 2', day: dayOf(1), personId: 'Ada Quist' },
  ])
})

test("COV-23 someone who was asked meanwhile: 'Already asked.'", async () => {
  server.answer(getCoverageAhead, coverage())
  server.answer(listAskable, {
    people: [
      { person: 'p' as never, name: 'Ada Quist', role: 'Floor Warden', why: 'Ground, 2 floors away', asked: false },
    ],
  })
  server.answer(askForDay, refused('invalid_transition', 'Already asked.'))
  await renderScreen(<DaysAheadScreen />, { at: '/coverage', auth: managing })

  await page.getByRole('button', { name: 'Ask for Tower A, Level 1' }).click()
  await page.getByRole('button', { name: 'Ask Ada Quist' }).click()

  await expect.element(page.getByRole('alert').getByText('Already asked.')).toBeVisible()
})

const own = (n: number, over: Partial<OwnDay> = {}): OwnDay => ({
  day: dayOf(n),
  in: true,
  places: ['Tower A - Ground'],
  ...over,
})

test("COV-22 one tap marks a day 'Not in', and undo within 5 s takes it back", async () => {
  const days = [own(0), own(1), own(2, { places: [] })]
  server.answer(getOwnDays, () => ({ days: [...days], near: [] }))
  server.answer(setOwnDay, ({ input }) => {
    const n = days.findIndex(({ day }) => day === input.body.day)
    days[n] = own(n, { in: input.body.in === 'yes' })
    return { day: days[n] }
  })
  await renderScreen(<MyDaysScreen />, { at: '/coverage/mine' })
  const thursday = page.getByRole('group', { name: 'Thursday 26 November' })
  const pressed = (name: string) =>
    thursday.getByRole('button', { name, exact: true }).element().getAttribute('aria-pressed')

  await thursday.getByRole('button', { name: 'Not in' }).click()
  await expect.element(page.getByText('Thursday 26 November: Not in')).toBeVisible()
  expect([pressed('In'), pressed('Not in')]).toEqual(['false', 'true'])
  await expectNoAxeViolations()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => pressed('In')).toBe('true')
  expect(page.getByRole('group', { name: 'Friday 27 November' }).getByRole('button').elements()).toEqual([])
})

test('COV-24 a floor near the own one is taken by one tap; who came too late reads who has it', async () => {
  const near = [
    { id: 'f1' as never, name: 'Level 1', building: 'Tower A', day: dayOf(0) },
    { id: 'f2' as never, name: 'Level 2', building: 'Tower A', day: dayOf(1) },
  ]
  server.answer(getOwnDays, { days: [own(0), own(1)], near })
  server.answer(takeForDay, ({ input }) =>
    input.body.floorId === ('f2' as never)
      ? refused('floor_taken', 'Oda Lind has just taken it. Thank you.')
      : ({ status: 'accepted' } as const),
  )
  await renderScreen(<MyDaysScreen />, { at: '/coverage/mine' })

  await page.getByRole('button', { name: 'I can take it: Tower A, Level 1, today' }).click()
  await expect.element(page.getByText('You have taken Level 1.')).toBeVisible()
  await page.getByRole('button', { name: 'I can take it: Tower A, Level 2, tomorrow' }).click()
  await expect.element(page.getByText('Oda Lind has just taken it. Thank you.')).toBeVisible()
  await expectNoAxeViolations()
})

test('COV-22 a mark that was not saved stays as it was, and says so', async () => {
  server.answer(getOwnDays, { days: [own(0)], near: [] })
  server.answer(setOwnDay, refused('server_error'))
  await renderScreen(<MyDaysScreen />, { at: '/coverage/mine' })

  await page.getByRole('button', { name: 'Not in' }).click()

  await expect.element(page.getByText('Not saved. Try again.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'In', exact: true })).toHaveAttribute('aria-pressed', 'true')
})
