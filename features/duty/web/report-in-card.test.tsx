import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { buttons, type CardState, cardStates, reportInCard } from '#web/testing/report-in-cards.ts'
import type { ReportInCard } from '../calls/report-in.ts'
import { ReportInCardView } from './report-in-card.tsx'

const show = async (state: CardState, overrides: Partial<ReportInCard> = {}) => {
  const onPress = vi.fn()
  await render(<ReportInCardView card={reportInCard(state, overrides)} running={null} onPress={onPress} />)
  return { onPress, article: page.getByRole('article').element() }
}

/** What stands on the card's buttons: label, colour as the page draws it, and whether it can be pressed. */
const drawn = () =>
  page
    .getByRole('button')
    .elements()
    .map((button) => [
      button.textContent,
      getComputedStyle(button).backgroundColor,
      button.matches(':disabled') ? 'Disabled' : 'Enabled',
    ])

const green = 'rgb(30, 126, 52)'
const yellow = 'rgb(255, 193, 7)'
const grey = 'rgb(108, 117, 125)'
const blue = 'rgb(11, 94, 215)'
const faces: Record<CardState, string[][]> = {
  offered: [
    ['Review to Accept / Decline', blue, 'Enabled'],
    ['Documents', grey, 'Enabled'],
  ],
  unknown: [
    ['Report In - Available', green, 'Enabled'],
    ['Not Available', yellow, 'Enabled'],
    ['Documents', blue, 'Enabled'],
  ],
  notAvailable: [
    ['Report In - Available', green, 'Enabled'],
    ['Not Available', yellow, 'Disabled'],
    ['Documents', blue, 'Enabled'],
  ],
  onDuty: [
    ['Rejoin Event', green, 'Enabled'],
    ['Event Management', blue, 'Enabled'],
  ],
  offDuty: [
    ['Rejoin Event', green, 'Enabled'],
    ['Not Available', yellow, 'Enabled'],
    ['Event Management', blue, 'Enabled'],
  ],
  currentManager: [
    ['Start Event', green, 'Enabled'],
    ['Withdraw', grey, 'Enabled'],
    ['Documents', blue, 'Enabled'],
  ],
  current: [
    ['Report In - Available', green, 'Disabled'],
    ['Withdraw', grey, 'Enabled'],
    ['Documents', blue, 'Enabled'],
  ],
  upcoming: [
    ['Withdraw', grey, 'Enabled'],
    ['Documents', blue, 'Enabled'],
  ],
}

test('KIND-09 the card of a drill keeps header and red border, and carries a badge', async () => {
  const { article } = await show('unknown', { Event_Kind: 'drill' })

  await expect.element(page.getByText('DRILL', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Event In Progress')).toBeVisible()
  expect(getComputedStyle(article).borderTopColor).toBe('rgb(200, 35, 51)')
})

test.each(['live', null, undefined])('KIND-09 a card whose kind is %s carries none', async (kind) => {
  await show('unknown', { Event_Kind: kind as never })

  expect(page.getByText('DRILL').query()).toBeNull()
})

describe.each(cardStates)('card %s', (state) => {
  test('LIST-07 LIST-12 LIST-13 LIST-15 LIST-16 LIST-17 draws the buttons that the server gives', async () => {
    await show(state)
    expect(drawn()).toEqual(faces[state])
  })

  test.each(['dark', 'light'] as const)('UI is axe clean in the %s theme', async (theme) => {
    chooseTheme(theme)
    await show(state)
    await expectNoAxeViolations()
  })

  test('LIST-08 LIST-09 shows its header and its footer', async () => {
    const { article } = await show(state)
    const { Header, Footer } = reportInCard(state)
    await expect.element(page.getByText(Header, { exact: true })).toBeVisible()
    await expect.element(page.getByText(Footer, { exact: true })).toBeVisible()
    expect(article.textContent).toContain(Header)
  })
})

test('LIST-04 LIST-05 LIST-06 shows the event type in brackets, site, role, location and dates', async () => {
  const { article } = await show('unknown')

  await expect.element(page.getByText('(Fire)', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Floor Warden' })).toBeVisible()
  expect(article.textContent).toContain('Harbour Property Group - Harbour Quarter')
  expect(article.textContent).toContain('Tower A - Level 3')
  expect(article.textContent).toContain('01 Jan 2026 - 05 Sept 2026')
})

test('LIST-04 without an event no brackets are drawn', async () => {
  const { article } = await show('current')
  expect(article.textContent).not.toContain('(')
})

test.each([
  ['LIST-10', 'onDuty', '4px', 'rgb(200, 35, 51)'],
  ['LIST-11', 'offered', '2px', grey],
  ['LIST-11', 'current', '2px', grey],
  ['LIST-11', 'upcoming', '2px', grey],
] as const)('%s the border of a card %s is %s and %s', async (_, state, width, colour) => {
  const { article } = await show(state)
  const { borderTopWidth, borderTopColor } = getComputedStyle(article)
  expect([borderTopWidth, borderTopColor]).toEqual([width, colour])
})

test('LIST-14 each icon of the server has a drawing of its own', async () => {
  const icons = ['check', 'refresh', 'times', 'clipboard', 'sign-out', 'bullhorn', 'file']
  const drawings = new Set<string | undefined>()
  for (const icon of icons) {
    const card = reportInCard('unknown', buttons(['Documents', `Icon ${icon}`, 'Blue', icon]))
    await render(<ReportInCardView card={card} running={null} onPress={() => undefined} />)
    drawings.add(
      page
        .getByRole('button', { name: `Icon ${icon}` })
        .element()
        .querySelector('svg')?.innerHTML,
    )
  }
  expect(drawings.size).toBe(icons.length)
  expect(drawings).not.toContain(undefined)
})

test('LIST-16 a disabled button cannot be pressed, an enabled one can', async () => {
  const { onPress } = await show('notAvailable')

  await page.getByRole('button', { name: 'Not Available' }).click({ force: true })
  expect(onPress).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Report In - Available' }).click()
  expect(onPress).toHaveBeenCalledOnce()
})

test('UI every button is at least 52 px high, and nothing sticks out at 320 px', async () => {
  await page.viewport(320, 640)
  const { article } = await show('unknown')

  const heights = page
    .getByRole('button')
    .elements()
    .map((button) => button.getBoundingClientRect().height)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(52)
  expect(article.scrollWidth).toBeLessThanOrEqual(article.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await page.viewport(390, 844)
})
