import { expect, test } from 'vitest'
import type { SignInUid } from '#kernel/ids.ts'
import { contactGapsOf } from './contact-gaps.ts'

const [ada, ben] = ['ada', 'ben'] as unknown as [SignInUid, SignInUid]
const on = (signInUid: SignInUid, at: number) => ({ signInUid, at, to: 'on_duty' })
const off = (signInUid: SignInUid, at: number) => ({ signInUid, at, to: 'off_duty' })
const both = [on(ada, 0), on(ben, 10)]
const seen = (at: readonly (readonly [SignInUid, number])[]) => new Map(at)
const nothing = { gaps: [], service: [], wardens: 0, toTheEnd: 0 }

test('AAR-21 a pause of 90 s is no gap, a longer one is, from and to', () => {
  const told = {
    attendance: both,
    end: 1000,
    lastSeen: seen([
      [ada, 990],
      [ben, 910],
    ]),
  }

  expect(contactGapsOf({ ...told, regained: [] })).toEqual(nothing)
  expect(contactGapsOf({ ...told, regained: [{ signInUid: ada, from: 100, to: 300 }] })).toEqual({
    ...nothing,
    gaps: [{ signInUid: ada, from: 100, to: 300 }],
    wardens: 1,
  })
})

test('AAR-21 a phone that did not come back is out of contact to the end, one that was never seen since its warden came', () => {
  const told = { attendance: both, end: 1000, regained: [] }

  expect(
    contactGapsOf({
      ...told,
      lastSeen: seen([
        [ada, 1000],
        [ben, 400],
      ]),
    }),
  ).toEqual({
    ...nothing,
    gaps: [{ signInUid: ben, from: 400, to: null }],
    wardens: 1,
    toTheEnd: 1,
  })
  expect(contactGapsOf({ ...told, lastSeen: seen([[ada, 1000]]) }).gaps).toEqual([
    { signInUid: ben, from: 10, to: null },
  ])
})

test('AAR-21 who is off duty need not be in contact', () => {
  const attendance = [...both, off(ben, 450), on(ben, 920)]
  const told = {
    attendance,
    end: 1000,
    regained: [],
    lastSeen: seen([
      [ada, 1000],
      [ben, 400],
    ]),
  }

  expect(contactGapsOf(told)).toEqual({ ...nothing })
  expect(
    contactGapsOf({
      ...told,
      attendance: attendance.slice(0, 3),
      lastSeen: seen([
        [ada, 1000],
        [ben, 300],
      ]),
    }),
  ).toEqual({
    ...nothing,
    wardens: 1,
    gaps: [{ signInUid: ben, from: 300, to: 450 }],
  })
})

test('AAR-21 when no one had contact it is a gap of the service; what a warden missed beside it stays theirs', () => {
  const regained = [
    { signInUid: ada, from: 200, to: 400 },
    { signInUid: ben, from: 210, to: 600 },
  ]
  const told = {
    attendance: both,
    end: 1000,
    lastSeen: seen([
      [ada, 1000],
      [ben, 1000],
    ]),
  }

  expect(contactGapsOf({ ...told, regained })).toEqual({
    service: [{ from: 210, to: 400 }],
    gaps: [{ signInUid: ben, from: 400, to: 600 }],
    wardens: 2,
    toTheEnd: 0,
  })
  expect(
    contactGapsOf({
      ...told,
      regained: [],
      lastSeen: seen([
        [ada, 500],
        [ben, 450],
      ]),
    }),
  ).toEqual({
    service: [{ from: 500, to: null }],
    gaps: [],
    wardens: 2,
    toTheEnd: 2,
  })
})
