import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findTimeline, until } from './database.ts'
import { findEpoch } from './database-verdict.ts'
import type { Phone } from './phones.ts'
import type { Ledger } from './wardens.ts'

interface Watched {
  /** The address that leads to the primary. */
  url: string
  pool: pg.Pool
  ledger: Ledger
  phones: readonly Phone[]
}

/** Milliseconds. `answersMs` counts from the fault, the others from the first answer of the new primary. */
export interface Failover {
  what: string
  answersMs: number
  acknowledgedMs: number
  wholeMs: number
}

/** Takes the primary away by `work` and waits until every phone is up to date from the new primary. */
export async function failOver(
  what: string,
  { url, pool, ledger, phones }: Watched,
  work: () => Promise<unknown>,
): Promise<Failover> {
  const before = await findEpoch(pool)
  const timeline = (await findTimeline(url)) ?? 0
  const from = performance.now()
  const working = work()
  await until(async () => ((await findTimeline(url)) ?? 0) > timeline, 50)
  const answers = performance.now()
  const acknowledged = until(() => [...ledger.acknowledged.values()].some((at) => at > answers), 20).then(() =>
    performance.now(),
  )
  await until(async () => (await findEpoch(pool)) !== before, 50)
  const epoch = await findEpoch(pool)
  await until(() => phones.every((phone) => phone.isWholeIn(epoch)), 50)
  const whole = performance.now()
  await working
  return {
    what,
    answersMs: Math.round(answers - from),
    acknowledgedMs: Math.round((await acknowledged) - answers),
    wholeMs: Math.round(whole - answers),
  }
}

/** Writes directly to a primary that is cut off from its standby. No write may be acknowledged. */
export function watchIsolated(url: string) {
  let isOver = false
  let tries = 0
  const taken: string[] = []
  async function write() {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      tries += 1
      await client.query('create table isolated (at timestamptz)')
      taken.push('a primary that was cut off acknowledged a write')
    } catch {
      // the server was stopped, waited in vain or accepts no writes
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const writing = (async () => {
    for (; !isOver; await delay(200)) await write()
  })()
  return {
    /** Faults, as sentences. */
    async stop(): Promise<string[]> {
      isOver = true
      await writing
      return tries ? taken : ['no write was tried on the primary that was cut off']
    },
  }
}
