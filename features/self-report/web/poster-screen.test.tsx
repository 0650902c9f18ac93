import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listEventSites } from '#features/events/calls/events.ts'
import type { SiteUid } from '#kernel/ids.ts'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getReportCode, makeReportCode, openReportPage } from '../calls.ts'
import { posterSentence } from '../words.ts'
import { PosterScreen } from './poster-screen.tsx'

const server = serverForEachTest()
const harbour = { id: '00000000-0000-4000-8000-000000000009' as SiteUid, name: 'Harbour Quarter' }
const other = { id: '00000000-0000-4000-8000-000000000008' as SiteUid, name: 'Airport' }
const poster = (site = harbour, code = 'k7m2p9xq', open = true) => ({
  site,
  code,
  open,
  url: `https://evac.test/s/${code}`,
})
const button = (name: string) => page.getByRole('button', { name, exact: true })
const sheet = (name: string) => page.getByRole('region', { name: `Poster of ${name}` })

function answerSites(sites = [harbour], activeEvent: { siteId: SiteUid } | null = null) {
  const data = { sites: sites.map((site) => ({ ...site, buildings: [] })), eventTypes: [], sms_allowed: true }
  server.answer(listEventSites, { data: { ...data, activeEvent: activeEvent as never } })
}
beforeEach(() => {
  answerSites()
  server.answer(getReportCode, ({ input }) => poster(input.query.site === other.id ? other : harbour))
})
const open = (auth = {}) => renderScreen(<PosterScreen />, { at: '/event/poster', auth })

test.for(['light', 'dark'] as const)(
  'REC-30 the poster has the site, the sentence, a QR code and an address that can be typed, in %s',
  async (theme) => {
    chooseTheme(theme)
    await open()
    await expect.element(sheet('Harbour Quarter').getByText('Harbour Quarter')).toBeVisible()
    await expect.element(sheet('Harbour Quarter').getByText(posterSentence)).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'QR code of the self-report page' })).toBeVisible()
    expect(document.querySelector('.poster-address')?.textContent).toBe('evac.test/s/k7m2p9xq')
    await expectNoAxeViolations()
    const { width, height } = sheet('Harbour Quarter').element().getBoundingClientRect()
    expect(height / width).toBeCloseTo(297 / 210, 1)
  },
)

test('REC-30 a name of 100 letters leaves the code its room', async () => {
  const long = { ...harbour, name: 'Harbour Quarter and Wharf '.repeat(4).trim().slice(0, 100) }
  answerSites([long])
  server.answer(getReportCode, poster(long))
  await open()
  const code = page.getByRole('img', { name: 'QR code of the self-report page' })
  await expect.element(code).toBeVisible()
  const { width, height } = code.element().getBoundingClientRect()
  const all = sheet(long.name).element().getBoundingClientRect()
  expect(Math.min(width, height)).toBeGreaterThan(all.width * 0.5)
  const foot = document.querySelector('.poster-foot')?.getBoundingClientRect()
  expect(foot?.bottom).toBeLessThan(all.bottom)
})

test('REC-30 Print prints the page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await open()
  await button('Print').click()
  expect(print).toHaveBeenCalledOnce()
})

test('REC-30 Make a new code says first that old posters end', async () => {
  server.answer(makeReportCode, poster(harbour, 'z4z4z4z4'))
  await open()
  await button('Make a new code').click()
  const question = page.getByRole('alertdialog')
  await expect.element(question.getByText(/^All posters up in Harbour Quarter stop working at once\./)).toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(makeReportCode)).toEqual([])
  await question.getByRole('button', { name: 'Make a new code' }).click()
  await expect.element(page.getByText('evac.test/')).toBeVisible()
  await expect.poll(() => document.querySelector('.poster-address')?.textContent).toBe('evac.test/s/z4z4z4z4')
  expect(server.received(makeReportCode)[0]?.input.body).toEqual({ site: harbour.id })
})

test('REC-30 who is on duty in the event closes the poster page and opens it again', async () => {
  answerSites([other, harbour], { siteId: harbour.id })
  let isOpen = true
  server.answer(getReportCode, () => poster(harbour, 'k7m2p9xq', isOpen))
  server.answer(openReportPage, ({ input }) => {
    isOpen = input.body.open === 'yes'
    return { open: isOpen }
  })
  await open({ on_duty: true })
  await button('Close the poster page').click()
  await expect.element(page.getByText('The poster page is closed. Personal links keep working.')).toBeVisible()
  await expectNoAxeViolations()
  await button('Open the poster page').click()
  await expect.element(button('Close the poster page')).toBeVisible()
  expect(server.received(openReportPage).map(({ input }) => input.body)).toEqual([{ open: 'no' }, { open: 'yes' }])

  server.answer(openReportPage, refused('server_error'))
  await button('Close the poster page').click()
  await expect.element(page.getByText('Not saved. Try again.')).toBeVisible()
})

test('REC-30 without an event in the site there is nothing to close; another site has its own poster', async () => {
  answerSites([harbour, other])
  await open({ on_duty: true })
  await expect.element(sheet('Harbour Quarter')).toBeVisible()
  expect(button('Close the poster page').elements()).toEqual([])
  await page.getByLabelText('Site').selectOptions('Airport')
  await expect.element(sheet('Airport')).toBeVisible()
})
