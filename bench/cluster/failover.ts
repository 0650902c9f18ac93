import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findTimeline, until } from './database.ts'
import { findEpoch } from './database-verdict.ts'
import type { Phone } from './phones.ts'
import type { Ledger } from './wardens.ts'

interface Watched {
  /** Where the primary is reached, whichever it is. */
  url: string
  pool: pg.Pool
  ledger: Ledger
  phones: readonly Phone[]
}

/** Milliseconds: the first from the fault, the others from the moment at which the new primary answered. */
export interface Failover {
  what: string
  answersMs: number
  acknowledgedMs: number
  wholeMs: number
}

/** Does what takes the primary away, and waits until every phone knows everything from the new one. */
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

/** Writes on a primary that is cut off from its standby, past all lines: not one may be acknowledged. */
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
      // its server was stopped, waited in vain or takes no writes any more
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const writing = (async () => {
    for (; !isOver; await delay(200)) await write()
  })()
  return {
    /** What was acknowledged, in words. */
    async stop(): Promise<string[]> {
      isOver = true
      await writing
      return tries ? taken : ['no write was tried on the primary that was cut off']
    },
  }
}
