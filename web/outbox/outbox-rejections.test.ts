import { expect, test, vi } from 'vitest'
import { setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { browser } from '../lib/browser.ts'
import { call } from '../session/api.ts'
import { getAuth, setAuth } from '../session/stored-auth.ts'
import { allowConsoleErrors } from '../testing/console-guard.ts'
import { cutOff, refused } from '../testing/fake-server.ts'
import { personId, refusalRecord, statusRecord } from '../testing/outbox.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { deliver } from './core/delivery.ts'
import { isEmpty, outboxOnPhone, shown, taken } from './outbox.fixture.ts'

const { server, openTab, arrived } = outboxOnPhone()

test('OUTBOX a record that is turned down is listed with its reason and holds up no one', async () => {
  server.answer(setPersonStatus, (request) =>
    request.input.body.personId === personId(1) ? refused('not_found') : taken(request),
  )
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))
  await outbox.enqueue(statusRecord(2))

  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'not_found']])
  expect(arrived()).toEqual([personId(1), personId(2)])
})

test('OUTBOX a record that was turned down can be sent again, or be put away once it is read', async () => {
  server.answer(setPersonStatus, refused('no_event'))
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await outbox.enqueue(statusRecord(2))
  await expect.poll(() => shown(outbox).map(([, state]) => state)).toEqual(['no_event', 'no_event'])
  const [first, second] = outbox.records.get()

  server.answer(setPersonStatus, taken)
  if (first) await outbox.retry(first)
  if (second) await outbox.dismiss(second)

  await isEmpty(outbox)
  expect(arrived()).toEqual([1, 2, 1].map(personId))
})

test('OUTBOX a session that ended keeps the records until the same person has signed in again', async () => {
  allowConsoleErrors()
  vi.spyOn(browser, 'load').mockImplementation(() => undefined)
  server.answer(setPersonStatus, refused('not_signed_in'))
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => browser.load).toHaveBeenCalledWith('/login')

  server.answer(setPersonStatus, taken)
  setAuth(storedAuth({ Person_UID: personId(99) }))
  await outbox.enqueue(statusRecord(2))
  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'waiting']])
  expect(arrived().at(-1)).toBe(personId(2))

  setAuth(storedAuth())
  outbox.wake()
  await isEmpty(outbox)
  expect(arrived().at(-1)).toBe(personId(1))
})

test('OUTBOX a record is never sent in the name of another, also when the person changes at that very moment', async () => {
  server.answer(setPersonStatus, taken)
  const record = {
    ...statusRecord(1),
    seq: 1,
    key: 'key',
    owner: personId(99),
    ownerName: null,
    signIn: null,
    assignment: null,
    observedAt: 0,
    tried: true,
  }

  expect(await deliver(record, { session: getAuth, call, now: Date.now })).toBe('not now')

  expect(arrived()).toEqual([])
})

test('OUTBOX what was noted in an earlier event is never sent into the next one', async () => {
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => arrived().length).toBeGreaterThan(0)
  const tries = arrived().length

  server.answer(setPersonStatus, taken)
  setAuth(storedAuth({ WardenSignInUID: personId(50) as never }))
  outbox.wake()

  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'other_event']])
  expect(arrived()).toHaveLength(tries)
})

test('OUTBOX a record that came after a newer danger stays listed until the warden has read that', async () => {
  server.answer(setPersonStatus, (request) => {
    const { person } = taken(request)
    return { status: 'success', person: { ...person, status: 'danger' }, superseded: true } as const
  })
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))

  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'superseded']])
})

test('OUTBOX a record from before the event stays listed for that reason, where no one has seen danger', async () => {
  server.answer(setPersonStatus, (request) => {
    const { person } = taken(request)
    return { status: 'success', person: { ...person, status: 'unknown' }, superseded: true } as const
  })
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))

  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'before_event']])
})

test('OUTBOX a refusal that someone else had noted already is not flipped back by ours', async () => {
  let refuses = true
  server.answer(toggleRefusal, () => {
    refuses = !refuses
    return { status: 'success', action: refuses ? 'add' : 'sub' } as const
  })
  const outbox = openTab()

  await outbox.enqueue(refusalRecord(1, true))

  await expect.poll(() => server.received(toggleRefusal).length).toBe(2)
  await isEmpty(outbox)
  expect(refuses).toBe(true)
  const [first, second] = server.received(toggleRefusal).map(({ headers }) => headers.get('idempotency-key'))
  expect(first).not.toBe(second)
})
