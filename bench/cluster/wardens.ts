import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { listOccupants, setPersonStatus } from '@evac/contract/evacuation.ts'
import { callerOf } from '@evac/contract/fetch-caller.ts'
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
  /** Tries without an answer, or with one that asks to try again. */
  retried: number
  reads: number
  /** What the server turned down for good, or what never came through. */
  failed: string[]
}

export const emptyLedger = (): Ledger => ({ acknowledged: new Map(), retried: 0, reads: 0, failed: [] })

/** Records one status after another until told to stop, and looks at the floor now and then. */
export async function actAsWarden(url: string, world: World, nth: number, ledger: Ledger, isOver: () => boolean) {
  const call = callerOf(url, world.tokens[nth] as string)
  for (let at = nth; !isOver(); at++) {
    const person = world.people[(at * 37) % world.people.length] as World['people'][number]
    const record = { personId: person.personUid, floorId: person.floorUid, status: statuses[at % 3] }
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    await untilAnswered(ledger, () => call(setPersonStatus, { body: record as never }, { headers }))
    ledger.acknowledged.set(key, performance.now())
    if (at % 5 === 0) {
      await untilAnswered(ledger, () => call(listOccupants, { query: { floor: person.floorUid as never } }))
      ledger.reads += 1
    }
    await delay(pauseMs * (0.5 + Math.random()))
  }
}

/** As the app's outbox: the same request again, later each time, until the server has answered it. */
async function untilAnswered(ledger: Ledger, send: () => Promise<unknown>): Promise<void> {
  let wait = firstDelayMs
  for (let tries = 1; tries <= 10; tries++) {
    try {
      await send()
      return
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
}
