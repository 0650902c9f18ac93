import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listPeople } from '#features/people/calls/people.ts'
import type { CallReply } from '#kernel/route.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  endPlan,
  getPlan,
  listPlanNotices,
  listPlans,
  listPlanViews,
  notePlanTold,
  type PlanRow,
  savePlan,
} from '../calls/plans.ts'

const server = serverForEachTest()
const { uid } = personRow(1)
const row = (over: Partial<PlanRow> = {}): PlanRow => ({
  uid,
  first_name: 'Ada',
  last_name: 'Zuse',
  place: 'Tower A - Level 3',
  review_on: '2027-01-31',
  is_overdue: false,
  has_consent: true,
  is_untold: false,
  ...over,
})
const person = { uid, first_name: 'Ada', last_name: 'Zuse', place: 'Tower A - Level 3', today: '2026-11-23' }
const plan = {
  version: 'a0000000-0000-4000-8000-000000000000',
  assistance: 'Evacuation chair',
  disability: '',
  other: '',
  summary: 'Chair',
  consent: 'guardian' as const,
  consent_on: '2026-02-01',
  review_on: '2027-01-31',
  fire_service: null,
  changed_at: '2026-11-22T23:42:07.000Z',
}
const view = (over: Partial<CallReply<typeof listPlanViews>[number]> = {}) => ({
  at: '2026-11-22T23:42:07.000Z',
  who: 'Nora Lind',
  what: 'plan_viewed' as const,
  way: null,
  reason: null,
  ...over,
})
const open = (at = '/console/plans') => renderScreen(<Console />, { at, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPlans, listPage([row()]))
  server.answer(listPlanViews, [view()])
  server.answer(listPlanNotices, [])
})

afterEach(() => page.viewport(390, 844))

test('PPL-30 the list says what is open, and never a word of a plan', async () => {
  const other = personRow(2).uid
  server.answer(
    listPlans,
    listPage([row(), row({ uid: other, last_name: 'Abel', review_on: null, is_overdue: true, has_consent: false })]),
  )
  await open()

  await expect.element(page.getByRole('row', { name: 'Zuse, Ada Tower A - Level 3 31 Jan 2027' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Review overdue Consent not recorded' })).toBeVisible()
  await expect.element(page.getByText('Who needs help to get out. Each view of a plan is recorded.')).toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(getPlan)).toEqual([])
})

test('PPL-30 who has no mark has no page of plans', async () => {
  serveConsole(server, someMe({ sees_plans: false, rights: ['people'] }))
  await open()

  await expect.element(page.getByText('You do not have access to this page.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Plans' })).not.toBeInTheDocument()
})

test('PPL-30 PPL-31 PPL-32 a plan is opened once, changed with its consent, and saved', async () => {
  server.answer(getPlan, { person, plan })
  server.answer(savePlan, { status: 'saved' })
  await open()
  await page.getByRole('link', { name: 'Zuse, Ada' }).click()
  await expect.element(field('Assistance needed')).toHaveValue('Evacuation chair')
  await expect.element(page.getByText('Each view is recorded.')).toBeVisible()
  await expect.element(page.getByText('Only if the person wants this.')).toBeVisible()
  await expect.element(page.getByText('Nora Lind').last()).toBeVisible()
  await expect
    .element(page.getByRole('checkbox', { name: 'The person agrees that wardens of their floor read this' }))
    .toBeChecked()
  await expect.element(page.getByRole('combobox', { name: 'Given' })).toHaveValue('guardian')
  await expectNoAxeViolations()

  await field('Assistance needed').fill('Two helpers')
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
  expect(server.received(getPlan)).toHaveLength(1)
  const { changed_at: _, ...held } = plan
  expect(server.received(savePlan)[0]?.input.body).toEqual({ ...held, assistance: 'Two helpers', fire_service: '' })
})

test('PPL-32 a new plan is reviewed in twelve months, and without consent the server says what is missing', async () => {
  server.answer(listPeople, listPage([personRow(1)]))
  server.answer(getPlan, { person, plan: null })
  const problems = [{ field: 'consent', row: 1, message: 'Consent is needed' }]
  server.answer(savePlan, refused('invalid_request', 'Consent is needed', problems))
  await open()
  await button('Write a plan').click()
  await page.getByRole('searchbox', { name: 'Person' }).fill('person')
  await page.getByRole('button', { name: /Person 0001/ }).click()

  await expect.element(page.getByLabelText('Review day')).toHaveValue('2027-11-23')
  await expect.element(page.getByLabelText('Day of the consent')).toHaveValue('2026-11-23')
  await expect.element(button('End the plan')).not.toBeInTheDocument()
  await field('Assistance needed').fill('Chair')
  await button('Save').click()
  await expect.element(page.getByText('Consent is needed')).toBeVisible()
  expect(server.received(savePlan)[0]?.input.body).toMatchObject({ version: null, consent: '' })
})

test('ORG-33 of two who change a plan at once the second sees both texts and loses nothing', async () => {
  server.answer(getPlan, { person, plan })
  let isFirst = true
  server.answer(savePlan, () => {
    if (!isFirst) return { status: 'saved' as const }
    isFirst = false
    server.answer(getPlan, { person, plan: { ...plan, version: 'v9', assistance: 'Theirs' } })
    return refused('changed_since', 'Someone else changed this at 10:42.')
  })
  await open(`/console/plans/${uid}`)
  await field('Assistance needed').fill('Mine')
  await button('Save').click()

  await expect.element(button('Keep mine: Assistance needed')).toBeVisible()
  await expect.element(field('Assistance needed')).toHaveValue('Mine')
  await expectNoAxeViolations()
  await button('Keep mine: Assistance needed').click()
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(savePlan)[1]?.input.body).toMatchObject({ version: 'v9', assistance: 'Mine' })
})

test('PPL-33 a plan is ended after a question', async () => {
  server.answer(getPlan, { person, plan })
  server.answer(endPlan, { status: 'ended' })
  await open(`/console/plans/${uid}`)
  await button('End the plan').click()
  await expect.element(page.getByRole('heading', { name: 'End the plan of Ada Zuse?' })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the plan' }).click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(endPlan)[0]?.input).toMatchObject({
    params: { personUid: uid },
    body: { version: plan.version },
  })
})

test('PEEP-08 PEEP-09 who was not told has the mark, and is told in person; each view of an event says why', async () => {
  server.answer(listPlans, listPage([row({ is_untold: true })]))
  server.answer(getPlan, { person, plan })
  server.answer(listPlanViews, [
    view({ at: '2026-11-22T23:45:07.000Z', who: 'Fire service: Kim', way: 'pack' }),
    view({ at: '2026-11-22T23:44:07.000Z', who: 'Ann Lee', way: 'opened', reason: 'sending' }),
    view({ at: '2026-11-22T23:43:07.000Z', who: 'Bo Ray', way: 'list' }),
  ])
  const notice = { site: 'Harbour', began_at: '2026-11-22T23:40:00.000Z', at: '2026-11-23T00:40:00.000Z' }
  server.answer(listPlanNotices, [{ ...notice, how: 'none' }])
  server.answer(notePlanTold, () => {
    server.answer(listPlanNotices, [{ ...notice, how: 'in_person' }])
    return { status: 'saved' as const }
  })
  await open()
  await expect.element(page.getByRole('cell', { name: 'Not told' })).toBeVisible()

  await page.getByRole('link', { name: 'Zuse, Ada' }).click()
  for (const words of [
    'Opened in an event: I am sending someone',
    'Read in a list of an event',
    'Read in an arrival pack',
  ])
    await expect.element(page.getByText(words)).toBeVisible()
  await expect.element(page.getByText('Not told')).toBeVisible()
  await expectNoAxeViolations()
  await button('Told in person').click()

  await expect.element(page.getByText(/^Told in person, /)).toBeVisible()
  await expect.element(button('Told in person')).not.toBeInTheDocument()
  expect(server.received(notePlanTold)[0]?.input.body).toEqual({ count: 1 })
})
