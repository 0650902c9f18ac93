import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getOverview, putStepAside, type Step } from '../../calls/overview.ts'
import { OverviewPage } from './overview-page.tsx'

const server = serverForEachTest()
const steps = { places: true, people: true, wardens: false, plans: false, templates: true, second_administrator: false }
const overview = {
  steps,
  steps_aside: [],
  floors_without_warden: 0,
  people_without_floor: 0,
  plans_to_review: 0,
  no_texts: null,
}

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(getOverview, overview)
})

afterEach(() => page.viewport(390, 844))

test('ORG-05 six steps, each a link, with a tick where it is true', async () => {
  await renderScreen(<OverviewPage reaches={() => true} />, { at: '/console', auth: null })

  const links = [
    ['Enter your places', '/console/places', true],
    ['Add your people', '/console/people', true],
    ['Appoint wardens', '/console/wardens', false],
    ['Write plans', '/console/plans', false],
    ['Prepare messages', '/console/lists/templates', true],
    ['Appoint a second administrator', '/console/administrators', false],
  ] as const
  for (const [title, href, isDone] of links) {
    const link = page.getByRole('link', { name: new RegExp(`^${title}`) })
    await expect.element(link).toHaveAttribute('href', href)
    expect(link.element().textContent?.includes('Done')).toBe(isDone)
  }
  await expectNoAxeViolations()
})

test('ORG-49 an open step that is not needed is put aside, and brought back; the focus stays where it was', async () => {
  let aside: Step[] = []
  server.answer(getOverview, () => ({ ...overview, steps_aside: aside }))
  server.answer(putStepAside, ({ input: { params, body } }) => {
    aside = body.aside ? [params.step] : []
    return { steps_aside: aside }
  })
  await renderScreen(<OverviewPage reaches={() => true} />, { at: '/console', auth: null })
  const step = page.getByRole('link', { name: /^Write plans/ })
  const put = page.getByRole('button', { name: 'We do not need this: Write plans' })
  await expect.element(put).toBeVisible()
  expect(page.getByRole('button', { name: 'We do not need this: Add your people' }).query()).toBeNull()

  await put.click()

  await expect.element(step).toHaveTextContent('Write plans Not needed')
  const back = page.getByRole('button', { name: 'Bring back: Write plans' })
  await expect.element(back).toHaveFocus()
  await expectNoAxeViolations()
  await page.viewport(390, 844)
  await expectNoAxeViolations()

  await back.click()
  await expect.element(step).toHaveTextContent('Write plans For those who need help to get out.')
  await expect.element(put).toHaveFocus()
  expect(server.received(putStepAside).map(({ input }) => input.body.aside)).toEqual([true, false])
})

test('ORG-49 without an answer the step stays, and the failure is told', async () => {
  server.answer(putStepAside, refused('unavailable'))
  await renderScreen(<OverviewPage reaches={() => true} />, { at: '/console', auth: null })

  await page.getByRole('button', { name: 'We do not need this: Write plans' }).click()

  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Write plans/ })).toBeVisible()
})

test('ORG-05 a step whose page the grant does not reach is left out', async () => {
  await renderScreen(<OverviewPage reaches={(path) => path !== '/console/plans'} />, {
    at: '/console',
    auth: null,
  })

  await expect.element(page.getByRole('link', { name: /^Prepare messages/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Write plans/ })).not.toBeInTheDocument()
})

test('PPL-27 PPL-30 what is amiss stands first, each with its number and a link', async () => {
  const amiss = { floors_without_warden: 1, people_without_floor: 10_001, plans_to_review: 3, no_texts: 'off' as const }
  server.answer(getOverview, { ...overview, steps: null, ...amiss })
  await renderScreen(<OverviewPage reaches={() => true} />, { at: '/console', auth: null })

  const links = [
    ['Texts are off: no one is texted when an event starts', '/console/settings'],
    ['1 floor without a warden today', '/console/wardens/coverage'],
    ['10,000+ people without a floor: not counted in any event', '/console/people?place=none'],
    ['3 plans to review', '/console/plans?state=overdue'],
  ] as const
  for (const [name, href] of links)
    await expect.element(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  await expectNoAxeViolations()
})

test('ORG-10 an administrator of a part has no steps, and is told when nothing is amiss', async () => {
  server.answer(getOverview, { ...overview, steps: null })
  await renderScreen(<OverviewPage reaches={() => true} />, { at: '/console', auth: null })

  await expect.element(page.getByText('Nothing is open.')).toBeVisible()
})
