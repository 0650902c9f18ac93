import { afterEach, beforeEach, expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { sendLateRecords } from '#features/records/calls/late.ts'
import type { CallReply } from '#kernel/route.ts'
import { readSafetyStatus } from '#kernel/vocabulary.ts'
import { setAuth } from '../session/stored-auth.ts'
import { type Received, serverForEachTest } from '../testing/fake-server.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { type BrowserOutbox, createOutbox } from './outbox.ts'

/** For each test of a file a new phone with an empty outbox, a signed-in warden and a server to be told its answers. */
export function outboxOnPhone() {
  const server = serverForEachTest()
  let name: string
  let open: BrowserOutbox[]

  beforeEach(() => {
    name = `outbox-test-${crypto.randomUUID()}`
    open = []
    setAuth(storedAuth())
    server.answer(sendLateRecords, notKept)
  })
  afterEach(() => {
    for (const outbox of open) outbox.stop()
    indexedDB.deleteDatabase(name)
  })

  return {
    server,
    /** Name of the database and of the lock that its tabs share. */
    phone: () => name,
    /** A tab of the same phone: its own program on the shared database. */
    openTab(): BrowserOutbox {
      const outbox = createOutbox(name)
      open.push(outbox)
      outbox.start()
      return outbox
    },
    /** Who the server has been told about, try by try. */
    arrived: () => server.received(setPersonStatus).map(({ input }) => input.body.personId),
    keys: () => server.received(setPersonStatus).map(({ headers }) => headers.get('idempotency-key')),
  }
}

/** The server's answer to records of an event that it does not know to be over. */
const notKept = ({ input: { body } }: Received<typeof sendLateRecords>): CallReply<typeof sendLateRecords> => ({
  kept: [],
  refused: body.records.map(({ key }) => ({ key, error: 'invalid_transition' })),
})

/** The server's answer to a status it takes. */
export function taken({ input: { body } }: Received<typeof setPersonStatus>): CallReply<typeof setPersonStatus> {
  const { status = 'unknown', onFloor = false } = readSafetyStatus(body.status) ?? {}
  return { status: 'success', person: { id: body.personId, status, on_floor: onFloor }, superseded: false }
}

/** What lies in the outbox: who, and 'waiting' or why it came back. */
export const shown = (outbox: BrowserOutbox) =>
  outbox.records.get().map(({ about, setback }) => [about.name, setback ?? 'waiting'])
export const isEmpty = (outbox: BrowserOutbox) => expect.poll(() => shown(outbox)).toEqual([])
export const signalReturns = () => window.dispatchEvent(new Event('online'))
