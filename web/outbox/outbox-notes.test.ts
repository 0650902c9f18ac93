import { expect, test } from 'vitest'
import { addToRecord } from '#features/records/calls/additions.ts'
import type { EventUid } from '#kernel/ids.ts'
import { setAuth } from '../session/stored-auth.ts'
import { cutOff, refused } from '../testing/fake-server.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import type { NewRecord } from './core/safety-record.ts'
import { isEmpty, outboxOnPhone, shown, signalReturns } from './outbox.fixture.ts'

const { server, openTab } = outboxOnPhone()
const event = '00000000-0000-4000-8000-000000000001' as EventUid
const note = (text: string): NewRecord & { kind: 'note' } => ({
  kind: 'note',
  wish: null,
  about: { id: event, name: 'Fire drill' },
  body: { kind: 'observation', body: { tone: 'Note', text } },
})
const entry = {
  uid: '00000000-0000-4000-8000-000000000002',
  kind: 'observation' as const,
  body: {},
  by: 'Ada',
  role: null,
  mine: true,
  observed_at: null,
  recorded_at: '2026-11-05T23:00:00.000Z',
}

test('AAR-28 a note waits without signal, and is sent to its event though its author is in another one by then', async () => {
  server.answer(addToRecord, cutOff)
  setAuth(storedAuth({ WardenSignInUID: '00000000-0000-4000-8000-00000000000a' as never }))
  const outbox = openTab()
  await outbox.enqueue(note('The door.'))
  expect(shown(outbox)).toEqual([['Fire drill', 'waiting']])

  setAuth(storedAuth({ WardenSignInUID: '00000000-0000-4000-8000-00000000000b' as never }))
  server.answer(addToRecord, { entry })
  signalReturns()

  await isEmpty(outbox)
  const tries = server.received(addToRecord)
  expect(tries.at(-1)?.input).toMatchObject({ params: { eventUid: event }, body: note('The door.').body })
  expect(new Set(tries.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

test('AAR-28 a note carries the time at which it was saved, and the time that was typed', async () => {
  server.answer(addToRecord, { entry })
  const outbox = openTab()
  const typed = '2026-11-14T10:05:00+11:00'
  const { body, ...record } = note('The door.')
  const savedAt = Date.now()
  await outbox.enqueue({ ...record, body: { ...body, observed_at: typed } })

  await isEmpty(outbox)
  const [sent] = server.received(addToRecord)
  expect(sent?.input.body).toMatchObject({ observed_at: typed })
  expect(Date.parse(sent?.headers.get('x-observed-at') ?? '')).toBeGreaterThanOrEqual(savedAt)
})

test('AAR-28 a note that was refused stays on the phone with the reason', async () => {
  server.answer(addToRecord, refused('invalid_request', 'This record is full.'))
  const outbox = openTab()
  await outbox.enqueue(note('The door.'))

  await expect.poll(() => shown(outbox)).toEqual([['Fire drill', 'invalid_request']])
})
