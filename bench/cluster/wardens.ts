import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { listOccupants, setPersonStatus } from '@evac/contract/evacuation.ts'
import { callerOf } from '@evac/contract/fetch-caller.ts'
import { sendToEvacuee } from '@evac/contract/messaging.ts'
import type { World } from '../seed.ts'

/** Milliseconds between the records of one warden. */
const pauseMs = 150
const firstDelayMs = 1000
const longestDelayMs = 30_000
const statuses = ['safe on floor', 'in danger', 'unknown']

/** What the wardens of one run have seen. */
export interface Ledger {
  /** By idempotency key: when the answer came. */
  acknowledged: Map<string, number>
  /** By idempotency key: the status that the answer confirmed. */
  confirmed: Map<string, string>
  /** Texts to evacuees, which hold their idempotency key. */
  texts: string[]
  /** Tries without an answer, or with one that asks to try again. */
  retried: number
  reads: number
  /** What the server turned down for good, or what never came through. */
  failed: string[]
}

export const emptyLedger = (): Ledger => ({
  acknowledged: new Map(),
  confirmed: new Map(),
  texts: [],
  retried: 0,
  reads: 0,
  failed: [],
})

/** Records one status after another until told to stop, and looks at the floor now and then. */
export async function actAsWarden(url: string, world: World, nth: number, ledger: Ledger, isOver: () => boolean) {
  const call = callerOf(url, world.tokens[nth] as string)
  for (let at = nth; !isOver(); at++) {
    const person = world.people[(at * 37) % world.people.length] as World['people'][number]
    const record = { personId: person.personUid, floorId: person.floorUid, status: statuses[at % 3] }
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    const reply = await untilAnswered(ledger, () => call(setPersonStatus, { body: record as never }, { headers }))
    ledger.acknowledged.set(key, performance.now())
    if (reply) ledger.confirmed.set(key, reply.person.status)
    if (at % 5 === 0) {
      await untilAnswered(ledger, () => call(listOccupants, { query: { floor: person.floorUid as never } }))
      ledger.reads += 1
    }
    await delay(pauseMs * (0.5 + Math.random()))
  }
}

/** Texts one evacuee a second until told to stop. */
export async function actAsTexter(url: string, world: World, nth: number, ledger: Ledger, isOver: () => boolean) {
  const call = callerOf(url, world.tokens[nth] as string)
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

/** As the app's outbox: the same request again, later each time, until the server has answered it. */
async function untilAnswered<T>(ledger: Ledger, send: () => Promise<T>): Promise<T | undefined> {
  let wait = firstDelayMs
  for (let tries = 1; tries <= 10; tries++) {
    try {
      return await send()
    } catch (error) {
      const { status = 0 } = error as { status?: number }
      if (status >= 400 && status < 500 && ![401, 408, 429].includes(status))
        return void ledger.failed.push(`${status}: ${(error as Error).message}`)
      ledger.retried += 1
    }
    await delay(wait * (0.5 + Math.random() / 2))
    wait = Math.min(wait * 2, longestDelayMs)
  }
  ledger.failed.push('never answered')
  return undefined
}
