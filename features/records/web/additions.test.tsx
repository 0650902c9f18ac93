import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { PersonUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import { addToRecord, findOwners } from '../calls/additions.ts'
import { holdRecord } from '../calls/hold.ts'
import { getRecord } from '../calls/records.ts'
import { RecordScreen } from './record-screen.tsx'
import { added, answerWith, someEvent, someRecord } from './records.fixture.tsx'

const server = serverForEachTest()
const open = (...given: Parameters<typeof answerWith>) => {
  server.answer(getRecord, answerWith(...given))
  return renderScreen(<RecordScreen />, { at: `/event/records/${someEvent}`, route: '/event/records/:eventUid' })
}
const sent = () => server.received(addToRecord).at(-1)?.input.body
const button = (name: string) => page.getByRole('button', { name, exact: true })
const takes = () => {
  let n = 10
  server.answer(addToRecord, ({ input: { body } }) => ({ entry: added(++n, body.kind, body.body) }))
}

test('AAR-28 REC2-16 an observation with its kind, place and time at the site appears at once', async () => {
  takes()
  await open(someRecord)
  await button('Add an observation').click()
  await button('Save').click()
  await expect.element(page.getByText('Write what you saw.')).toBeVisible()
  await expectNoAxeViolations()
  await page.getByText('To improve', { exact: true }).click()
  await page.getByLabelText('Place').selectOptions('Tower A, Level 4')
  await page.getByLabelText('What you saw').fill('The stair door stuck.')
  await page.getByLabelText('Time', { exact: true }).fill('10:05')
  await button('Save').click()

  await expect.element(page.getByText('To improve, Tower A, Level 4')).toBeVisible()
  await expect.element(page.getByText('The stair door stuck.')).toBeVisible()
  const place = someRecord.floors.rows[3]?.id
  expect(sent()).toEqual({
    kind: 'observation',
    body: { tone: 'To improve', place, text: 'The stair door stuck.' },
    observed_at: '2026-11-06T10:05:00+11:00',
  })
})

test('AAR-29 twelve items; the answers of several observers to one all stand', async () => {
  takes()
  const item = 'Areas searched?'
  await open(someRecord, [
    added(1, 'checklist', { item, answer: 'Yes' }, { by: 'Ada Abara' }),
    added(2, 'checklist', { item, answer: 'No', note: 'Level 4 was not.' }),
  ])
  await page.getByText('Checklist, 1 of 12 answered').click()
  const answers = page.getByRole('list', { name: `Answers: ${item}` })
  await expect.element(answers.getByText('Level 4 was not.')).toBeVisible()
  expect(answers.getByRole('listitem').elements()).toHaveLength(2)
  expect(page.getByRole('button', { name: /^Answer: / }).elements()).toHaveLength(12)
  await expectNoAxeViolations()

  await button('Answer: Debrief held?').click()
  await page.getByText('Not seen', { exact: true }).click()
  await button('Save').click()
  await expect.element(page.getByText('Checklist, 2 of 12 answered')).toBeVisible()
  expect(sent()).toEqual({ kind: 'checklist', body: { item: 'Debrief held?', answer: 'Not seen' } })
})

test("AAR-29 an organisation's own items are asked, and what was answered before stays", async () => {
  const answer = added(1, 'checklist', { item: 'Areas searched?', answer: 'Yes' })
  await open(someRecord, [answer], { checklist: ['Gas shut off?'] })
  await page.getByText('Checklist, 1 of 2 answered').click()
  await expect.element(button('Answer: Gas shut off?')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Answers: Areas searched?' }).getByText('Yes')).toBeVisible()
})

test('AAR-26 AAR-25 a later word on a fact stands above the earlier one, which stays', async () => {
  takes()
  await open(someRecord, [added(1, 'fact', { fact: 'weather', value: 'Dry' })])
  await button('Add: Weather').click()
  await page.getByRole('textbox', { name: 'Weather' }).fill('Light rain')
  await button('Save').click()

  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByText('Light rain')).toBeVisible()
  await expect.element(page.getByText('Dry', { exact: true })).toBeVisible()
  const texts = page.getByRole('region', { name: 'Facts' }).element().textContent ?? ''
  expect(texts.indexOf('Light rain')).toBeLessThan(texts.indexOf('Dry'))
  expect(sent()).toEqual({ kind: 'fact', body: { fact: 'weather', value: 'Light rain' } })
})

test('AAR-27 a live event has an outcome, a drill has none', async () => {
  takes()
  await open({ ...someRecord, kind: 'live' })
  await expect.element(page.getByText('Not known yet')).toBeVisible()
  await button('Add: Outcome').click()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOptions('False alarm')
  await expectNoAxeViolations()
  await button('Save').click()

  await expect.element(page.getByRole('region', { name: 'Facts' }).getByText('False alarm')).toBeVisible()
  expect(sent()).toEqual({ kind: 'outcome', body: { outcome: 'False alarm' } })
})

test('AAR-31 REC2-24 an action is added with its owner and a due day that is not over', async () => {
  takes()
  await open(someRecord, [added(1, 'observation', { tone: 'To improve', text: 'The stair door stuck.' })])
  await button('Add an action').click()
  await button('Save').click()
  for (const reason of ['Write at least 5 characters.', 'Choose a day.'])
    await expect.element(page.getByText(reason)).toBeVisible()
  await expectNoAxeViolations()
  await page.getByLabelText('What is to be done').fill('Repair the stair door')
  await page.getByText('High', { exact: true }).click()
  await page.getByText('A name', { exact: true }).click()
  await page.getByLabelText('Name of the owner').fill('Facilities')
  await page.getByLabelText('Due').fill('2020-01-15')
  await button('Save').click()
  await expect.element(page.getByLabelText('Due')).toHaveAccessibleDescription('Choose today or a later day.')
  await page.getByLabelText('Due').fill('2030-01-15')
  await page.getByLabelText('From the observation').selectOptions('The stair door stuck.')
  await button('Save').click()

  await expect.element(button('Repair the stair door')).toBeVisible()
  await expect.element(page.getByText(/^Due in [\d,]+ days, 15 Jan 2030$/)).toBeVisible()
  const from = added(1, 'observation', {}).uid
  expect(sent()).toEqual({
    kind: 'action',
    body: { what: 'Repair the stair door', priority: 'High', due: '2030-01-15', owner: { name: 'Facilities' }, from },
  })
})

const action = added(1, 'action', {
  what: 'Repair the stair door',
  priority: 'High',
  owner: { name: 'Facilities' },
  due: '2026-01-15',
})

test('AAR-31 AAR-32 a step names the last one; who said done does not verify', async () => {
  takes()
  const done = added(2, 'action_step', { target: action.uid, base: action.uid, step: 'done' }, { mine: true })
  await open(someRecord, [action, done])
  await button('Repair the stair door').click()
  await expect.element(page.getByText('You marked this as done: someone else must verify it.')).toBeVisible()
  await expect.element(button('Verify')).not.toBeInTheDocument()
  await expectNoAxeViolations()
  await page.getByRole('dialog').getByLabelText('Note').fill('It sticks again.')
  await button('Reopen').click()

  await expect.element(page.getByText('It sticks again.')).toBeVisible()
  expect(sent()).toEqual({
    kind: 'action_step',
    body: { target: action.uid, base: done.uid, step: 'reopened', note: 'It sticks again.' },
  })
})

test('AAR-32 when someone else was quicker, the record is read anew', async () => {
  server.answer(addToRecord, refused('record_changed'))
  await open(someRecord, [action])
  await expect.element(page.getByText(/^Overdue by [\d,]+ days, 15 Jan 2026$/)).toBeVisible()
  await button('Repair the stair door').click()
  server.answer(
    getRecord,
    answerWith(someRecord, [action, added(2, 'action_step', { target: action.uid, base: action.uid, step: 'done' })]),
  )
  await button('Mark as done').click()

  await expect.element(page.getByText('Someone changed this a moment ago. Look at it again.')).toBeVisible()
  await expect.element(page.getByText('Was due 15 Jan 2026')).toBeVisible()
})

test('AAR-31: the owner of an action is found by a search of people, and can be changed before it is saved', async () => {
  takes()
  const person = '00000000-0000-4000-8000-0000000000a1' as PersonUid
  const long = {
    person: '00000000-0000-4000-8000-0000000000a2' as PersonUid,
    name: 'Zoe '.repeat(20).trim(),
    place: null,
  }
  server.answer(findOwners, ({ input: { query } }) => ({
    people: query.q === 'nobody' ? [] : [{ person, name: 'Zoe Quill', place: 'Tower A - Level 4' }, long],
  }))
  await open(someRecord)
  await button('Add an action').click()
  await page.getByLabelText('What is to be done').fill('Oil the stair door')
  await page.getByLabelText('Due').fill('2034-01-09')
  await page.getByText('A person', { exact: true }).click()
  await button('Save').click()
  await expect.element(page.getByText('Choose a person.')).toBeVisible()
  await page.getByLabelText('Search people').fill('nobody')
  await expect.element(page.getByText('No one with that name in your areas.')).toBeVisible()
  await page.getByLabelText('Search people').fill('zoe')
  await page.getByRole('button', { name: /^Zoe Zoe/ }).click()
  await button('Someone else').click()
  await page.getByLabelText('Search people').fill('zoe')
  await expect.element(page.getByRole('button', { name: /^Zoe Quill/ })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: /^Zoe Quill/ }).click()
  await button('Save').click()

  await expect.poll(sent).toMatchObject({ kind: 'action', body: { owner: { person, name: 'Zoe Quill' } } })
})

test('AAR-42, AAR-45: a manager with reach of the whole event holds it with a reason and lifts the hold; others read it', async () => {
  let hold = false
  const holds = () => (hold ? [added(1, 'hold', { hold: true, reason: 'The coroner asks.' })] : [])
  server.answer(getRecord, () => answerWith(someRecord, holds(), { hold }))
  server.answer(holdRecord, ({ input: { body } }) => {
    hold = body.hold
    return { hold }
  })
  await renderScreen(<RecordScreen />, {
    at: `/event/records/${someEvent}`,
    route: '/event/records/:eventUid',
    auth: { module_access: flags('Module_Event_Records', 'Module_Event_Management') },
  })
  await expect.element(page.getByText(/^Not on hold: this event's data is deleted/)).toBeVisible()
  await button('Hold').click()
  await page.getByLabelText('Reason').fill('No')
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true })
  await confirm.click()
  await expect.element(page.getByText('Write at least 5 characters.')).toBeVisible()
  expect(server.received(holdRecord)).toEqual([])
  await page.getByLabelText('Reason').fill('The coroner asks.')
  await expectNoAxeViolations()
  await confirm.click()
  await expect.element(page.getByText(/^On hold: nothing in this event is deleted/)).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Holds' }).getByText(/The coroner asks\./)).toBeVisible()
  await button('Lift the hold').click()
  await page.getByLabelText('Reason').fill('The inquest is over.')
  await button('Lift').click()

  await expect.element(page.getByText(/^Not on hold/)).toBeVisible()
  expect(server.received(holdRecord).map(({ input }) => input.body)).toEqual([
    { hold: true, reason: 'The coroner asks.' },
    { hold: false, reason: 'The inquest is over.' },
  ])
})

test('AAR-42: without Event Management there is no button', async () => {
  server.answer(getRecord, answerWith(someRecord, [], { hold: true }))
  await renderScreen(<RecordScreen />, {
    at: `/event/records/${someEvent}`,
    route: '/event/records/:eventUid',
    auth: { module_access: flags('Module_Event_Records') },
  })
  await expect.element(page.getByText(/^On hold/)).toBeVisible()
  expect(button('Lift the hold').query()).toBeNull()
})

test('AAR-42: a reduced record keeps its figures and says when personal data was deleted', async () => {
  const reduced = { state: 'reduced' as const, reduced_at: '2033-11-06T03:17:00.000Z' }
  await open(someRecord, [], reduced)
  await expect.element(page.getByText('Personal data was deleted on 06 Nov 2033.')).toBeVisible()
  await expect.element(page.getByText('2 not accounted for').first()).toBeVisible()
})

test('AAR-42: a record past its days has its number and dates, and says when personal data was deleted', async () => {
  await open(null, [], { state: 'reduced', reduced_at: '2033-11-06T03:17:00.000Z' })
  await expect.element(page.getByRole('heading', { name: 'Record 14' })).toBeVisible()
  await expect.element(page.getByText('Personal data was deleted on 06 Nov 2033.')).toBeVisible()
  await expect.element(page.getByText('06 Nov 2026, 10:00:00 to 06 Nov 2026, 10:14:20')).toBeVisible()
  await expectNoAxeViolations()
})

test('AAR-35 REC2-17 a sentence and a figure are corrected where they stand, and the correction stands under them', async () => {
  takes()
  await open(someRecord, [added(1, 'correction', { figure: 'safe', text: 'It was 34.' })])
  const people = page.getByRole('region', { name: 'People' })
  await expect.element(people.getByText('Correction of Safe: It was 34.')).toBeVisible()
  await expect.element(page.getByText(/^Since it was written: 1 correction, /)).toBeVisible()

  await button('Correct a sentence: Summary').click()
  await page.getByLabelText('Sentence').selectOptions('1 person refused to leave.')
  await button('Save').click()
  await expect.element(page.getByText('Write what is right.')).toBeVisible()
  await page.getByLabelText('What is right').fill('Two people did.')
  await button('Save').click()
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect.element(summary.getByText(/^Corrected by Kim Lee, 6 November 2026: Two people did\.$/)).toBeVisible()
  expect(sent()).toEqual({ kind: 'correction', body: { sentence: 10, text: 'Two people did.' } })

  await button('Correct a sentence: Summary').click()
  await page.getByLabelText('Sentence').selectOptions('Not in the summary: Floors without a warden')
  await page.getByLabelText('What is right').fill('Level 2 had none.')
  await button('Save').click()
  await expect.element(summary.getByRole('heading', { name: 'What the summary leaves out' })).toBeVisible()
  expect(sent()).toEqual({ kind: 'correction', body: { sentence: 9, text: 'Level 2 had none.' } })

  await button('Correct a figure: Floors').click()
  await page.getByLabelText('Figure').selectOptions('Tower A, Level 4: Clear after')
  await page.getByLabelText('What is right').fill('It was clear at 6:00.')
  await expectNoAxeViolations()
  await button('Save').click()
  const place = someRecord.floors.rows[3]?.id
  expect(sent()).toEqual({ kind: 'correction', body: { figure: 'clear_after', place, text: 'It was clear at 6:00.' } })
  const all = page.getByRole('list', { name: 'Corrections' })
  await expect.element(all.getByText('Tower A, Level 4: Clear after')).toBeVisible()
  await expectNoAxeViolations()
})

test('AAR-35 AAR-45 who reaches a part of the event corrects the time to clear of own places alone', async () => {
  await open(someRecord, [], { whole: false })
  await expect.element(button('Correct a figure: Floors')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Correct a sentence/ })).not.toBeInTheDocument()
  await expect.element(button('Correct a figure: People')).not.toBeInTheDocument()
  await button('Correct a figure: Floors').click()
  await expect.element(page.getByRole('option', { name: 'Reported clear' })).not.toBeInTheDocument()
})
