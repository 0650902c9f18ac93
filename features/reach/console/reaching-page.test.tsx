import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getReaching, type Reaching, saveReaching } from '../calls/reaching.ts'

const server = serverForEachTest()
const asBefore: Reaching = {
  version: '1',
  plans: {
    report_in: 'as_before',
    instruction: 'as_before',
    command: 'as_before',
    offer: 'as_before',
    message: 'as_before',
    ask: 'as_before',
  },
  texts: null,
  calls: null,
}
const open = () => renderScreen(<Console />, { at: '/console/reaching', auth: null })
const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
const sent = () => server.received(saveReaching).map(({ input }) => input.body)
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(getReaching, asBefore)
})
afterEach(() => page.viewport(390, 844))

test('LADDER-02 each class is as before, until they answer, or has own steps; limits stand beside them', async () => {
  server.answer(saveReaching, ({ input: { body } }) => ({ ...body, version: '2' }))
  await open()
  await expect.element(page.getByText('After 60 s: text.').first()).toBeVisible()
  await expectNoAxeViolations()

  await choice('How: Report in').selectOptions('Until they answer')
  await expect
    .element(
      page.getByText(/^At once: alert, text\. After 60 s: call\. After 120 s: call to the second number, email\./),
    )
    .toBeVisible()
  await choice('How: Questions to people').selectOptions('Own steps')
  await page.getByRole('button', { name: 'Add a step to Questions to people' }).click()
  await choice('Way 2').selectOptions('Email')
  await page.getByRole('textbox', { name: 'Seconds 2' }).fill('120')
  await choice('Most texts to one person').selectOptions('3')
  await expect.element(page.getByText('At most 3 texts a person')).toBeVisible()
  await expectNoAxeViolations()
  await save()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(sent()).toEqual([
    {
      ...asBefore,
      plans: {
        ...asBefore.plans,
        report_in: 'until_they_answer',
        ask: [
          { way: 'text', seconds: 0 },
          { way: 'mail', seconds: 120 },
        ],
      },
      texts: 3,
    },
  ])
})

test('LADDER-02 what is wrong with the steps of a class is told there', async () => {
  const message = 'Put the steps in the order of their times.'
  server.answer(saveReaching, refused('invalid_request', message, [{ field: 'ask', row: 1, message }]))
  await open()
  await choice('How: Questions to people').selectOptions('Own steps')
  await save()

  await expect.element(page.getByRole('group', { name: 'Questions to people' }).getByText(message)).toBeVisible()
  await expectNoAxeViolations()
})
