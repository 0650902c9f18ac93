import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { listOccupants } from '#features/evacuation/calls/evacuation.ts'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import { type ApiError, type Call, wrapCaller } from '#kernel/client/client.ts'
import { failureOf, pauseAfter } from '#web/outbox/core/retry.ts'
import type { OutboxRecord } from '#web/outbox/core/safety-record.ts'
import { phoneCaller } from '../../rig/phone/caller.ts'
import { openMemoryOutbox } from '../../rig/phone/memory-outbox.ts'
import type { World } from '../seed/seed.ts'

/** Milliseconds between the records of one warden. */
const usualPauseMs = 150
/** Milliseconds after which a record counts as never answered. */
const patienceMs = 180_000
const statuses = ['safe on floor', 'in danger', 'unknown']

/** What the wardens of one run have seen. */
export interface Ledger {
  /** When the answer came, by idempotency key. */
  acknowledged: Map<string, number>
  /** The status that the answer confirmed, by idempotency key. Without superseded records. */
  confirmed: Map<string, string>
  /** Milliseconds from each record to its answer, retries included. */
  times: number[]
  /** The idempotency keys of texts to evacuees. Each text contains its key. */
  texts: string[]
  /** Tries without an answer, or with an answer that asks for a retry. */
  retried: number
  reads: number
  /** Requests that were rejected for good or never answered. */
  failed: string[]
}

export const emptyLedger = (): Ledger => ({
  acknowledged: new Map(),
  confirmed: new Map(),
  times: [],
  texts: [],
  retried: 0,
  reads: 0,
  failed: [],
})

/**
 * Records one status after the other through the product's outbox until `isOver`. Reads the floor after every fifth.
 */
export async function actAsWarden(
  url: string,
  world: World,
  nth: number,
  ledger: Ledger,
  isOver: () => boolean,
  pauseMs = usualPauseMs,
) {
  const call = countingCaller(phoneCaller(url, world.tokens[nth]), ledger)
  const record = recorder(call, ledger)
  for (let at = nth; !isOver(); at++) {
    const person = world.people[(at * 37) % world.people.length] as World['people'][number]
    await record(person, statuses[at % 3] as string)
    if (at % 5 === 0) {
      await untilAnswered(ledger, () => call(listOccupants, { query: { floor: person.floorUid as never } }))
      ledger.reads += 1
    }
    await delay(pauseMs * (0.5 + Math.random()))
  }
}

/** Returns a function that records a status and resolves when the outbox has settled it. */
function recorder(call: Call, ledger: Ledger) {
  let settled = Promise.withResolvers<void>()
  const outbox = openMemoryOutbox({ call, session: () => acting, onRejected })
  outbox.onSent(({ record: { key }, reply }) => {
    ledger.acknowledged.set(key, performance.now())
    if ('person' in reply && reply.person && !reply.superseded) ledger.confirmed.set(key, reply.person.status)
    settled.resolve()
  })
  function onRejected({ setback }: OutboxRecord) {
    if (setback !== 'superseded') ledger.failed.push(`${setback}`)
    settled.resolve()
  }
  return async ({ personUid, floorUid }: World['people'][number], status: string) => {
    settled = Promise.withResolvers()
    const start = performance.now()
    const body = { personId: personUid, floorId: floorUid, status } as never
    await outbox.enqueue({ kind: 'personStatus', body, wish: null, about: { id: personUid as never, name: '' } })
    const limit = new AbortController()
    const silence = delay(patienceMs, 'silence', { signal: limit.signal }).catch(() => undefined)
    if ((await Promise.race([settled.promise, silence])) === 'silence') {
      ledger.failed.push('never answered')
      outbox.stop()
    }
    limit.abort()
    ledger.times.push(performance.now() - start)
  }
}

/** The token decides who acts. There is one event and one role. */
const acting = { Person_UID: 'self', WardenSignInUID: null, Warden_Assignment_UID: null, on_duty: true } as never

const countingCaller = (call: Call, ledger: Ledger): Call =>
  wrapCaller(
    () => call,
    async (send) => {
      try {
        return await send()
      } catch (error) {
        if (failureOf(error) !== 'rejected') ledger.retried += 1
        throw error
      }
    },
  )

export async function actAsTexter(url: string, world: World, nth: number, ledger: Ledger, isOver: () => boolean) {
  const call = countingCaller(phoneCaller(url, world.tokens[nth]), ledger)
  for (let at = 0; !isOver(); at++) {
    const { personUid: receiverId } = world.people[at % world.people.length] as World['people'][number]
    const key = randomUUID()
    const body = { message: key, receiverId, automated_response_message: 0 } as never
    const reply = await untilAnswered(ledger, () =>
      call(sendToEvacuee, { body }, { headers: { 'idempotency-key': key } }),
    )
    if (reply?.status === 'message_sent') ledger.texts.push(key)
    else ledger.failed.push('a text was not sent')
    await delay(1000)
  }
}

/** Retries a request that has no outbox until the server answers it, with the pauses of the outbox. */
async function untilAnswered<T>(ledger: Ledger, send: () => Promise<T>): Promise<T | undefined> {
  for (let failures = 0; failures < 10; failures++) {
    try {
      return await send()
    } catch (error) {
      if (failureOf(error) === 'rejected')
        return void ledger.failed.push(`${(error as ApiError).status}: ${(error as ApiError).message}`)
    }
    await delay(pauseAfter(failures))
  }
  ledger.failed.push('never answered')
  return undefined
}
