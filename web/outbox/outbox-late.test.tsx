import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { sendLateRecords } from '#features/records/calls/late.ts'
import { setAuth } from '../session/stored-auth.ts'
import { cutOff, type Received, refused } from '../testing/fake-server.ts'
import { personId, someFloor, statusRecord } from '../testing/outbox.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { isEmpty, outboxOnPhone, shown } from './outbox.fixture.ts'

const { server, openTab, arrived, keys } = outboxOnPhone()
const kept = ({ input: { body } }: Received<typeof sendLateRecords>) => ({
  kept: body.records.map(({ key }) => key),
  refused: [],
})
const late = () => server.received(sendLateRecords)

test('AAR-22 OUTBOX a record that comes after the end is kept under its key, and the phone says so', async () => {
  await render(<ToastRegion />)
  server.answer(setPersonStatus, refused('no_event'))
  server.answer(sendLateRecords, kept)
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))

  await expect.element(page.getByText('Added to the record of the event.')).toBeVisible()
  await isEmpty(outbox)
  expect(late().map(({ input }) => input.body)).toEqual([
    {
      WardenSignInUID: storedAuth().WardenSignInUID,
      records: [
        {
          kind: 'personStatus',
          key: keys()[0],
          observed_at: expect.any(String),
          person: personId(1),
          status: expect.any(String),
          floor: someFloor,
        },
      ],
    },
  ])
  expect(late()[0]?.headers.get('x-sent-at')).toBeTruthy()
})

test('AAR-22 OUTBOX a record of an earlier event is sent there, never into the next one', async () => {
  server.answer(setPersonStatus, cutOff)
  server.answer(sendLateRecords, kept)
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => arrived().length).toBeGreaterThan(0)
  const tries = arrived().length

  setAuth(storedAuth({ WardenSignInUID: personId(50) as never }))
  outbox.wake()

  await isEmpty(outbox)
  expect(arrived().length).toBe(tries)
  expect(late()[0]?.input.body.WardenSignInUID).toBe(storedAuth().WardenSignInUID)
})

test('AAR-22 OUTBOX a record that was kept although the answer was lost is not told as refused', async () => {
  await render(<ToastRegion />)
  server.answer(setPersonStatus, refused('no_event'))
  server.answer(sendLateRecords, () => {
    server.answer(setPersonStatus, refused('idempotency_conflict'))
    server.answer(sendLateRecords, kept)
    throw new TypeError('Failed to fetch')
  })
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => late().length).toBe(1)
  outbox.wake()

  await isEmpty(outbox)
  expect(late()).toHaveLength(2)
  expect(new Set(late().map(({ input }) => input.body.records[0]?.key)).size).toBe(1)
})

test('AAR-22 OUTBOX a record that is not kept is listed as before, one without an answer is tried again', async () => {
  server.answer(setPersonStatus, refused('no_event'))
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'no_event']])

  server.answer(sendLateRecords, cutOff)
  await outbox.enqueue(statusRecord(2))
  await expect.poll(() => late().length).toBe(2)
  server.answer(sendLateRecords, kept)
  outbox.wake()
  await expect.poll(() => shown(outbox)).toEqual([['Person 1', 'no_event']])
  expect(late().length).toBeGreaterThan(2)
})
