import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getRecord, listTimeline } from '../calls/records.ts'
import { getReplay } from '../calls/replay.ts'
import { RecordScreen } from './record-screen.tsx'
import { answerWith, someEvent, someRecord } from './records.fixture.tsx'
import { ReplayScreen } from './replay-screen.tsx'
import { TimelineScreen } from './timeline-screen.tsx'

const server = serverForEachTest()
const trouble = 'Entry 12 is missing, and no entry says that it was erased.'
const words =
  'This record does not match its log. Entry 12 is missing, and no entry says that it was erased. Found on 08 Nov 2026, 02:17:00. Keep every log head you have, and tell the person who runs the server.'

const screens: [string, string, ReactNode][] = [
  ['the page', '', <RecordScreen key="1" />],
  ['the timeline', '/timeline', <TimelineScreen key="2" />],
  ['the replay', '/replay', <ReplayScreen key="3" />],
]

test.for(screens)('REC2-26 trouble with the log stands first on %s, as an alert', async ([, path, screen]) => {
  const check = { at: '2026-11-07T15:17:00.000Z', size: 1204, trouble }
  server.answer(getRecord, answerWith(someRecord, [], { check }))
  server.answer(listTimeline, { entries: [], next: null })
  server.answer(getReplay, { stepSeconds: 10, steps: 2, statuses: [], places: [], cells: [] })
  await renderScreen(screen, {
    at: `/event/records/${someEvent}${path}`,
    route: `/event/records/:eventUid${path}`,
  })

  await expect.element(page.getByRole('main').getByRole('alert')).toHaveTextContent(words)
  const main = page.getByRole('main').element()
  expect(main.firstElementChild?.getAttribute('role')).toBe('alert')
  await expect.element(page.getByText(/entries, as logged/)).not.toBeInTheDocument()
  document.querySelector<HTMLElement>('.pin-bottom')?.style.setProperty('position', 'static')
  await expectNoAxeViolations()
})

test("REC2-26 of a log that is as it was sealed 'Log' says when it was checked, and of one that was not checked nothing", async () => {
  const check = { at: '2026-11-07T15:17:00.000Z', size: 1204, trouble: null }
  server.answer(getRecord, answerWith(someRecord, [], { check }))
  const shown = { at: `/event/records/${someEvent}`, route: '/event/records/:eventUid' }
  const { unmount } = await renderScreen(<RecordScreen />, shown)
  const log = page.getByRole('region', { name: 'Log', exact: true })
  await expect.element(log.getByText('Checked on 08 Nov 2026, 02:17:00: 1,204 entries, as logged.')).toBeVisible()
  await expect.element(page.getByRole('main').getByRole('alert')).not.toBeInTheDocument()
  await unmount()

  server.answer(getRecord, answerWith(someRecord))
  await renderScreen(<RecordScreen />, shown)
  await expect.element(log).toBeVisible()
  await expect.element(log.getByText(/Checked on/)).not.toBeInTheDocument()
})
