import { expect, test } from 'vitest'
import { additionLine, commitOf, journalLine, newSalt, saltOf } from './log-line.ts'
import { sha256 } from './merkle.ts'

const secret = Buffer.alloc(32, 7)
/** A log whose lines are of version 2 from entry 600 on. */
const log = { saltSecret: secret, formFrom: 600 }
const row = {
  position: 41,
  recordedAt: '2026-11-23T10:04:11.000250Z',
  observedAt: null,
  action: 'evacuee_status_set',
  subjectType: 'evacuee',
  subject: 'e',
  actor: 'p',
  signIn: 's',
  session: null,
  before: null,
  after: { status: 'safe', floor_uid: 'f', nested: [{ z: 1, a: 'é"\u2028' }] },
}

test('SEAL-02 a line is JSON without spaces, its keys in this order, those inside sorted', () => {
  expect(journalLine(log, 612, row)).toBe(
    `{"salt":"${saltOf(secret, 612)}","v":2,"n":612,"position":41,"recorded_at":"2026-11-23T10:04:11.000250Z",` +
      '"observed_at":null,"action":"evacuee_status_set","subject_type":"evacuee","subject":"e","actor":"p",' +
      '"sign_in":"s","session":null,"before":null,"after":{"floor_uid":"f","nested":[{"a":"é\\"\u2028","z":1}],"status":"safe"}}',
  )
})

test('SEAL-02 a line before the change of form is made as of old, and what the log tells of itself has the salt "open" after it', () => {
  const own = { ...row, action: 'lines_erased' }

  expect(journalLine(log, 599, row)).toContain(`{"salt":"${saltOf(secret, 599)}","v":1,"n":599,`)
  expect(journalLine(log, 599, own)).toContain(`{"salt":"${saltOf(secret, 599)}","v":1,`)
  expect(journalLine(log, 600, own)).toContain('{"salt":"open","v":2,"n":600,')
  expect(journalLine({ ...log, saltSecret: null }, 600, own)).toBe(journalLine(log, 600, own))
  expect(journalLine({ ...log, saltSecret: null }, 601, row)).toBeNull()
})

test('SEAL-02 LOG-03 a salt is 22 characters of the event’s secret and the number; the commit is the hash of the line', () => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => saltOf(secret, n + 1))

  expect(new Set(numbers).size).toBe(1_000)
  expect(numbers.every((salt) => /^[\w-]{22}$/.test(salt))).toBe(true)
  expect(saltOf(Buffer.alloc(32, 8), 1)).not.toBe(numbers[0])
  const line = journalLine(log, 1, row) as string
  expect(commitOf(line)).toEqual(sha256(Buffer.from(line)))
})

test('LOG-03 an addition is a line with a random salt, whatever the order in which its fields are stored', () => {
  const salt = newSalt()

  expect(salt).toMatch(/^[\w-]{22}$/)
  expect(newSalt()).not.toBe(salt)
  expect(additionLine(salt, { kind: 'note', body: { text: 'x', place: 'y' } })).toBe(
    additionLine(salt, { body: { place: 'y', text: 'x' }, kind: 'note' }),
  )
})
