// biome-ignore-all lint/correctness/useJsxKeyInIterable: each element of the table is drawn alone
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { AttendanceCounters, CountsLine } from '#features/duty/web/attendance/attendance-counters.tsx'
import { FloorCounters } from '#features/evacuation/web/floor-counters.tsx'
import { FloorRow } from '#features/evacuation/web/floor-row.tsx'
import { DisplayBar } from '#features/evacuation/web/safety/display-bar.tsx'
import { nobodyCounted, withTotal } from '#kernel/vocabulary.ts'
import { PersonCard } from '../evacuees/person-card.tsx'
import { StatusBadge } from '../evacuees/status-badge.tsx'
import { LiveBar } from '../live/live-bar.tsx'
import { clearAuth } from '../session/stored-auth.ts'
import { evacuated, level3, notStarted } from '../testing/floor-data.ts'
import { renderApp } from '../testing/render-app.tsx'
import { translatePage } from '../testing/translator.ts'
import { AsOf } from '../ui/as-of.tsx'
import { EventName } from '../ui/event-name.tsx'

const nothing = () => undefined
const stats = (safe: number, unknown: number, danger: number) => withTotal({ ...nobodyCounted, safe, unknown, danger })
const card = (status: 'safe' | 'unknown', word: string, isPending = false) => (
  <PersonCard name="Person 01" status={status} word={word} isPending={isPending} onStatus={nothing} />
)
const floorRow = (status: typeof evacuated, counts: ReturnType<typeof stats>, refusals: number) => (
  <FloorRow
    floor={{ id: level3, name: 'Level 3', building: { id: 'b' }, status: status.id, stats: counts, refusals } as never}
    status={status}
    open={false}
    onToggle={nothing}
  >
    {null}
  </FloorRow>
)
const counters = (onDuty: number) => [{ label: 'On Duty', value: onDuty, status: 'on_duty' as const }]
const noon = Date.parse('2026-03-02T12:00:00Z')

const parts: readonly [name: string, before: ReactElement, after: ReactElement][] = [
  ['the badge of a status', <StatusBadge status="unknown" />, <StatusBadge status="safe" />],
  ['the card of a person', card('unknown', 'Unknown', true), card('safe', 'Safe on floor')],
  ['the age of a list', <AsOf at={noon} />, <AsOf at={noon + 61_000} stale />],
  ['the name of the event', <EventName event={undefined} />, <EventName event={{ type: 'Fire', description: '' }} />],
  [
    'the counters of a floor',
    <FloorCounters say={String} counts={stats(0, 3, 1)} peeps={1} filter={null} onFilter={nothing} />,
    <FloorCounters say={String} counts={stats(3, 1, 0)} peeps={0} filter={null} onFilter={nothing} />,
  ],
  [
    'the counters of evacuee safety',
    <DisplayBar counts={stats(0, 3, 1)} display="all" onChange={nothing} />,
    <DisplayBar counts={stats(3, 1, 0)} display="all" onChange={nothing} />,
  ],
  ['the row of a floor', floorRow(notStarted, stats(0, 3, 1), 0), floorRow(evacuated, stats(2, 1, 1), 2)],
  [
    'the counters of wardens',
    <AttendanceCounters counters={counters(2)} />,
    <AttendanceCounters counters={counters(5)} />,
  ],
  [
    'the line of counts of wardens',
    <CountsLine onDuty={1} unknown={2} notAvailable={3} />,
    <CountsLine onDuty={3} unknown={1} notAvailable={2} />,
  ],
  [
    'the bar of the connection',
    <LiveBar trouble="offline" asOf={noon} pending={1} />,
    <LiveBar trouble="feed-lost" asOf={noon + 5_000} pending={3} />,
  ],
]

/** Without what is only read out. */
const seen = (container: Element) => {
  const copy = container.cloneNode(true) as Element
  for (const said of copy.querySelectorAll('[data-counters]')) said.remove()
  return copy.textContent
}

test.for(parts)('STAY-02 %s stays true on a page that the browser translates', async ([_, before, after]) => {
  const fresh = await render(after)
  const wanted = seen(fresh.container)
  await cleanup()
  const shown = await render(before)
  translatePage(shown.container)

  await shown.rerender(after)
  expect(seen(shown.container)).toBe(wanted)
})

test('STAY-02 the translator is kept off pages of signed-in wardens, and may have the sign-in page', async () => {
  await renderApp('/me/role')
  await expect.element(page.getByText('page /me/role', { exact: true })).toBeVisible()
  expect(document.documentElement.translate).toBe(false)
  expect(document.querySelector('meta[name="google"]')?.getAttribute('content')).toBe('notranslate')
  await cleanup()
  clearAuth()

  await renderApp('/login', { auth: null })
  await expect.element(page.getByText('page /login', { exact: true })).toBeVisible()
  expect(document.documentElement.translate).toBe(true)
  expect(document.querySelector('meta[name="google"]')).toBeNull()
})
