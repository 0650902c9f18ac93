import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Product } from '../../rig/product.ts'
import { measureRate, recordsOf } from '../load/record-status.ts'
import { percentile, type Row } from '../report/report.ts'
import { givePasswords } from '../seed/passwords.ts'
import { seedWorld, type World } from '../seed/seed.ts'
import type { Order } from './attacker.ts'
import { Honest } from './honest.ts'
import { httpFloods } from './http-floods.ts'
import { socketFloods } from './socket-floods.ts'

const seconds = Math.min(2, Number(process.env.BENCH_SECONDS ?? 2))
/** Calm and attack take short turns, so that other load on the machine affects both. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 4)
const only = process.env.BENCH_ATTACKS
const attacks = Object.keys({ ...httpFloods, ...socketFloods }).filter((name) => !only || name.includes(only))

interface Waits {
  records: number[]
  signIns: number[]
}

/**
 * (A.3) The waiting times of honest wardens during an attack. The baseline is the same wardens without it, in turns.
 * The product runs with its default limits. The attacker has one session or none, and few connections for a few
 * seconds.
 */
export async function benchUnderAttack(): Promise<Row[]> {
  const product = await Product.start({ REQUESTS_PER_MINUTE: '600' })
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'))
  const honest = new Honest()
  try {
    const world = await seedWorld(product.pool, { evacuees: 1000, wardens: 1000 })
    const emails = await givePasswords(product.pool, world, 20)
    // an event with a long history to ask for
    await measureRate(product.url, recordsOf(world), 4)
    const rows: Row[] = []
    let session = world.tokens.length
    for (const attack of attacks) {
      honest.start(product.url, world, attack.includes('argon2') ? emails : [])
      const calm: Waits = { records: [], signIns: [] }
      const attacked: Waits = { records: [], signIns: [] }
      const outcomes: Record<string, number> = {}
      for (let round = 0; round < rounds; round++) {
        add(calm, await phase(honest))
        const order = { attack, target: targetOf(product.url, world, --session) }
        attacker.send(order satisfies Order)
        add(attacked, await phase(honest))
        for (const [what, count] of Object.entries(await stop(attacker))) outcomes[what] = (outcomes[what] ?? 0) + count
      }
      await honest.stop()
      console.log(`${attack}:`, outcomes, honest.failures.length ? honest.failures.slice(0, 3) : '')
      rows.push(...rowsOf(attack, calm, attacked))
    }
    return [...rows, { name: 'honest requests that failed meanwhile', value: honest.failures.length, target: '= 0' }]
  } finally {
    attacker.kill()
    await honest.stop()
    await product.stop()
  }
}

/** The waiting times of one turn, after a pause. */
async function phase(honest: Honest): Promise<Waits> {
  await delay(300)
  honest.take()
  await delay(seconds * 1000)
  return honest.take()
}

async function stop(attacker: ChildProcess): Promise<Record<string, number>> {
  const told = once(attacker, 'message')
  attacker.send('stop' satisfies Order)
  const [outcomes] = await told
  return outcomes
}

/** The attacker with a session that no earlier turn has used. */
function targetOf(url: string, { tokens, eventUid, people }: World, session: number) {
  const [first] = people
  return {
    url,
    token: tokens[session] as string,
    eventUid,
    personUid: first?.personUid ?? '',
    floorUid: first?.floorUid ?? '',
  }
}

function add(to: Waits, { records, signIns }: Waits) {
  to.records.push(...records)
  to.signIns.push(...signIns)
}

function rowsOf(attack: string, calm: Waits, attacked: Waits): Row[] {
  const row = (what: string, of: keyof Waits, p: number): Row => {
    const [value, baseline] = [percentile(attacked[of], p), percentile(calm[of], p)]
    return {
      name: `${what}, p${p} ms: ${attack}`,
      value,
      baseline,
      ratio: value / baseline,
      ...(p === 50 && { target: '<= 3' }),
    }
  }
  const records = [row('record', 'records', 50), row('record', 'records', 99)]
  return calm.signIns.length === 0
    ? records
    : [...records, row('sign-in', 'signIns', 50), row('sign-in', 'signIns', 99)]
}
