import { expect, test } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { setAuth, updateAuth } from '../session/stored-auth.ts'
import { refused } from '../testing/fake-server.ts'
import { personId, statusRecord } from '../testing/outbox.ts'
import { otherCard } from '../testing/report-in-cards.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { isEmpty, outboxOnPhone, shown, signalReturns, taken } from './outbox.fixture.ts'

const { server, openTab, arrived } = outboxOnPhone()

/** Person 1 and Person 2, noted by a warden whom someone has taken off duty meanwhile. */
async function notedOffDuty() {
  server.answer(setPersonStatus, refused('not_on_duty'))
  const outbox = openTab()
  for (const n of [1, 2]) await outbox.enqueue(statusRecord(n))
  await expect.poll(() => arrived().length).toBeGreaterThan(0)
  return outbox
}
const bothWait = [1, 2].map((n) => [`Person ${n}`, 'waiting'])

test('F32 records of a warden who was taken off duty wait, and go on by themselves after Rejoin', async () => {
  const outbox = await notedOffDuty()
  signalReturns()
  await expect.poll(() => arrived().length).toBeGreaterThan(1)
  expect(shown(outbox)).toEqual(bothWait)

  server.answer(setPersonStatus, taken)
  outbox.wake()

  await isEmpty(outbox)
  expect(arrived().slice(-2)).toEqual([1, 2].map(personId))
})

test('F32 one question at a time is asked for a warden who is off duty, however many records wait', async () => {
  const outbox = await notedOffDuty()
  expect(new Set(arrived())).toEqual(new Set([personId(1)]))
  expect(shown(outbox)).toEqual(bothWait)
})

test('F32 once the event has ended they come back as not taken', async () => {
  const outbox = await notedOffDuty()
  updateAuth({ on_duty: false, WardenSignInUID: null })

  server.answer(setPersonStatus, refused('no_event'))
  outbox.wake()

  await expect.poll(() => shown(outbox).map(([, state]) => state)).toEqual(['no_event', 'no_event'])
})

test.for([
  ['at another site, without an event', null],
  ['in the event', otherCard.WardenSignInUID],
])(
  'F32 a sign-in that begins with another role %s leaves them waiting until theirs is rejoined',
  async ([, signIn]) => {
    const outbox = await notedOffDuty()
    const tries = arrived().length
    server.answer(setPersonStatus, taken)
    const { Warden_Assignment_UID } = otherCard
    setAuth(storedAuth({ Warden_Assignment_UID, WardenSignInUID: signIn as never, on_duty: false }))
    outbox.wake()
    await outbox.enqueue(statusRecord(3))
    expect(shown(outbox)).toEqual([...bothWait, ['Person 3', 'waiting']])
    expect(
      arrived()
        .slice(tries)
        .filter((id) => id !== personId(3)),
    ).toEqual([])

    setAuth(storedAuth())
    outbox.wake()

    await expect.poll(() => arrived().slice(tries)).toEqual(expect.arrayContaining([1, 2].map(personId)))
  },
)

test('F32 records of another role of an event are not sent as those of the role on duty', async () => {
  const outbox = await notedOffDuty()
  const tries = arrived().length
  server.answer(setPersonStatus, taken)

  const { Warden_Assignment_UID, WardenSignInUID } = otherCard
  setAuth(storedAuth({ Warden_Assignment_UID, WardenSignInUID }))
  outbox.wake()

  await expect.poll(() => shown(outbox).map(([, state]) => state)).toEqual(['other_event', 'other_event'])
  expect(arrived()).toHaveLength(tries)
})
