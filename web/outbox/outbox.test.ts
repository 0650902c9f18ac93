import { expect, test, vi } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { cutOff, refused } from '../testing/fake-server.ts'
import { personId, statusRecord } from '../testing/outbox.ts'
import { isEmpty, outboxOnPhone, shown, signalReturns, taken } from './outbox.fixture.ts'

const { server, openTab, arrived, keys } = outboxOnPhone()

test('OUTBOX records made without signal wait on the phone and are sent in order when it returns', async () => {
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  for (const n of [3, 1, 2]) await outbox.enqueue(statusRecord(n))
  expect(shown(outbox)).toEqual([3, 1, 2].map((n) => [`Person ${n}`, 'waiting']))
  await expect.poll(() => arrived().length).toBeGreaterThan(0)

  const before = arrived().length
  server.answer(setPersonStatus, taken)
  signalReturns()

  await isEmpty(outbox)
  expect(arrived().slice(-3)).toEqual([3, 1, 2].map(personId))
  expect(new Set(arrived().slice(0, before))).toEqual(new Set([personId(3)]))
})

test('OUTBOX a record says when it was seen and when it is sent, each by the clock of this phone', async () => {
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  const from = Date.now()
  await outbox.enqueue(statusRecord(1))
  const until = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(until + 600_000)

  server.answer(setPersonStatus, taken)
  signalReturns()
  await isEmpty(outbox)

  const headers = server.received(setPersonStatus).at(-1)?.headers
  const observedAt = Date.parse(headers?.get('x-observed-at') ?? '')
  expect(observedAt).toBeGreaterThanOrEqual(from)
  expect(observedAt).toBeLessThanOrEqual(until)
  expect(Date.parse(headers?.get('x-sent-at') ?? '')).toBeGreaterThanOrEqual(observedAt)
})

test('OUTBOX a record is on the disk before it counts as kept', async () => {
  server.answer(setPersonStatus, cutOff)
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')

  await openTab().enqueue(statusRecord(1))

  expect(transactions.mock.calls.filter(([, mode]) => mode === 'readwrite').map(([, , options]) => options)).toEqual([
    { durability: 'strict' },
  ])
})

test('OUTBOX records survive a reload and keep their keys', async () => {
  server.answer(setPersonStatus, cutOff)
  const before = openTab()
  await before.enqueue(statusRecord(1))
  await before.enqueue(statusRecord(2))
  const [first, second] = before.records.get().map(({ key }) => key)
  before.stop()

  server.answer(setPersonStatus, taken)
  const after = openTab()

  await expect.poll(() => arrived().slice(-2)).toEqual([personId(1), personId(2)])
  expect(keys().slice(-2)).toEqual([first, second])
  await isEmpty(after)
})

test('OUTBOX after a lost answer the same key is sent again, so that the record counts once', async () => {
  const applied = new Set<string | null>()
  let answers = 0
  server.answer(setPersonStatus, (request) => {
    applied.add(request.headers.get('idempotency-key'))
    return answers++ === 0 ? (cutOff as never) : taken(request)
  })
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => answers).toBe(1)
  signalReturns()

  await isEmpty(outbox)
  expect([answers, applied.size]).toEqual([2, 1])
})

test.for(['unavailable', 'too_many_requests', 'server_error'] as const)(
  'OUTBOX %s is not the end of a record: it is tried again by itself',
  async (code) => {
    let tries = 0
    server.answer(setPersonStatus, (request) => (tries++ === 0 ? refused(code) : taken(request)))
    const outbox = openTab()

    await outbox.enqueue(statusRecord(1))

    await expect.poll(() => shown(outbox), { timeout: 3000 }).toEqual([])
    expect(tries).toBe(2)
  },
)

test('OUTBOX a record that makes the server stumble does not hold up other people', async () => {
  server.answer(setPersonStatus, (request) =>
    request.input.body.personId === personId(1) ? refused('server_error') : taken(request),
  )
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1, 'danger'))
  await outbox.enqueue(statusRecord(1, 'safe'))
  await outbox.enqueue(statusRecord(2))

  await expect.poll(() => shown(outbox).map(([name]) => name)).toEqual(['Person 1', 'Person 1'])
  const sent = server.received(setPersonStatus).map(({ input }) => input.body.status)
  expect(sent).not.toContain('unknown')
  expect(outbox.records.get()[0]?.body).toMatchObject({ status: 'in danger' })
})

const signal = (there: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there)

test('OUTBOX what was noted without signal can be taken back, and is never sent then', async () => {
  signal(false)
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  const first = await outbox.enqueue(statusRecord(1))
  await outbox.enqueue(statusRecord(2))

  expect(await outbox.takeBack(first)).toBe(true)
  expect(shown(outbox)).toEqual([['Person 2', 'waiting']])
  const applied: string[] = []
  server.answer(setPersonStatus, (request) => {
    applied.push(request.input.body.personId)
    return taken(request)
  })
  signal(true)
  signalReturns()

  await isEmpty(outbox)
  expect(applied).toEqual([personId(2)])
})

test.for([
  ['with signal', true],
  ['before the signal came', false],
] as const)('OUTBOX what was noted %s and may have reached the server cannot be taken back', async ([, there]) => {
  signal(there)
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  const record = await outbox.enqueue(statusRecord(1))
  await expect.poll(() => arrived().length).toBe(1)
  signal(true)
  signalReturns()
  await expect.poll(() => arrived().length).toBeGreaterThan(1)

  expect(await outbox.takeBack(record)).toBe(false)
  expect(shown(outbox)).toEqual([['Person 1', 'waiting']])
})
