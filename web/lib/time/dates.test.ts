import { expect, test, vi } from 'vitest'
import { formatCountdown, formatDate, formatDateRange, formatDuration } from './dates.ts'
import { clock, formatClock, formatMoment } from './server-clock.ts'
import { setSiteZone } from './site-clock.ts'

test.each(['2026-01-05', '2026-06-30', '2026-09-05', '2026-12-31'])('CONST-07 %s in en-AU format', (date) => {
  const wanted = new Date(date).toLocaleDateString('en-AU', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  expect(formatDate(date)).toBe(wanted)
})

test('CONST-07 a date range is joined by a dash', () => {
  expect(formatDateRange('2026-01-05', '2026-02-06')).toBe('05 Jan 2026 - 06 Feb 2026')
})

test('AMB-151 the clock has 24 hours, with midnight as 00', () => {
  expect(formatClock(new Date('2026-03-02T00:03:22'))).toBe('00:03:22')
  expect(formatClock(new Date('2026-03-02T14:03:22'))).toBe('14:03:22')
})

test('AMB-151 a time on another day shows the day', () => {
  const now = new Date('2026-03-02T00:03:22').getTime()
  vi.spyOn(Date, 'now').mockReturnValue(now)

  expect(formatMoment(now)).toBe('00:03:22')
  expect(formatMoment(now - 600_000)).toBe('01 Mar, 23:53:22')
})

test('BOARD-38 where an event is, all times are told by the clock of its site, which is named where the device differs', () => {
  const at = Date.parse('2026-03-02T00:03:22Z')
  vi.spyOn(Date, 'now').mockReturnValue(at)
  const device = formatMoment(at)

  setSiteZone('Pacific/Kiritimati')
  expect([formatClock(at), formatMoment(at)]).toEqual(['14:03:22', '14:03:22 GMT+14'])
  setSiteZone(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect([formatMoment(at), clock.nameAt(at)]).toEqual([device, ''])
  setSiteZone('Mars/Olympus')
  expect(formatMoment(at)).toBe(device)
  setSiteZone(null)
  expect(formatMoment(at)).toBe(device)
})

test.each([
  [0, '0:00:00'],
  [59.9, '0:00:59'],
  [3661, '1:01:01'],
  [90_000, '25:00:00'],
  [-5, '0:00:00'],
])('AMB-118 %s seconds read %s', (seconds, wanted) => {
  expect(formatDuration(seconds)).toBe(wanted)
})

test.each([
  [300_000, '5:00'],
  [299_001, '5:00'],
  [299_000, '4:59'],
  [1, '0:01'],
  [0, '0:00'],
  [-1, '0:00'],
])('AMB-032 %s ms left read %s', (ms, wanted) => {
  expect(formatCountdown(ms)).toBe(wanted)
})
