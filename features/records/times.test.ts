import { expect, test } from 'vitest'
import { dayAt, isoDayAt, minuteAt, momentsAt, offsetAt, timesOf } from './times.ts'

const sydney = 'Australia/Sydney'

test.for([
  ['an ordinary day', '2026-11-14', '10:05', sydney, ['2026-11-14T10:05:00+11:00']],
  ['the day before the clocks go back', '2026-04-04', '02:30', sydney, ['2026-04-04T02:30:00+11:00']],
  [
    'a time that occurs twice',
    '2026-04-05',
    '02:30',
    sydney,
    ['2026-04-05T02:30:00+11:00', '2026-04-05T02:30:00+10:00'],
  ],
  ['the time after it', '2026-04-05', '03:00', sydney, ['2026-04-05T03:00:00+10:00']],
  ['a time that the clocks skip', '2026-10-04', '02:30', sydney, []],
  ['the time after it', '2026-10-04', '03:00', sydney, ['2026-10-04T03:00:00+11:00']],
  ['a zone of quarter hours', '2026-11-14', '00:05', 'Asia/Kathmandu', ['2026-11-14T00:05:00+05:45']],
  ['behind UTC', '2026-11-14', '23:55', 'America/New_York', ['2026-11-14T23:55:00-05:00']],
  ['UTC itself', '2026-11-14', '12:00', 'UTC', ['2026-11-14T12:00:00+00:00']],
] as const)('REC2-16 what a clock of the site showed: %s', ([, day, time, zone, moments]) => {
  expect(momentsAt(day, time, zone)).toEqual(moments)
  for (const at of moments) expect([isoDayAt(at, zone), minuteAt(at, zone)]).toEqual([day, time])
})

test('REC2-16 day, time and offset of a moment are those of the site', () => {
  const at = '2026-11-13T23:05:00.000Z'
  expect([isoDayAt(at, sydney), dayAt(at, sydney), minuteAt(at, sydney)]).toEqual(['2026-11-14', '14 Nov', '10:05'])
  expect([offsetAt(at, sydney), offsetAt(at, 'UTC')]).toEqual(['+11:00', '+00:00'])
})

const span = (started_at: string, ended_at: string, timezone = sydney) => timesOf({ started_at, ended_at, timezone })

test('REC2-20 a time of another day than the start has its day, and one of another year its year', () => {
  const times = span('2026-11-13T12:50:00Z', '2026-11-13T13:10:00Z')
  const said = ['2026-11-13T12:59:59Z', '2026-11-13T13:04:11Z', '2027-01-03T00:00:00Z'].map(times.short)
  expect(said).toEqual(['23:59:59', '14 Nov, 00:04:11', '03 Jan 2027, 11:00:00'])
  expect(times.zone).toBe('Times: Sydney, UTC+11:00')
})

test.for([
  ['back', '2026-04-04T15:30:00Z', '2026-04-04T17:15:00Z', sydney, 'Times: Sydney, UTC+11:00, from 03:00 UTC+10:00'],
  ['forward', '2026-10-03T15:30:00Z', '2026-10-03T17:15:00Z', sydney, 'Times: Sydney, UTC+10:00, from 02:00 UTC+11:00'],
] as const)(
  'REC2-20 where the clocks went %s in the event the head says when, and each time has its offset',
  ([, from, to, zone, words]) => {
    const times = span(from, to, zone)
    expect(times.zone).toBe(words)
    for (const at of [from, to]) expect(times.short(at).endsWith(` ${offsetAt(at, zone)}`)).toBe(true)
  },
)

test('REC2-20 west of UTC the time of the change is that of the clocks, too', () => {
  const { zone } = span('2026-11-01T03:30:00Z', '2026-11-01T07:15:00Z', 'America/St_Johns')
  expect(zone).toBe('Times: St Johns, UTC-02:30, from 02:00 UTC-03:30')
})
