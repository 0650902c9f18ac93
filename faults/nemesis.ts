import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isServing } from '../rig/program.ts'
import type { Random } from '../rig/random.ts'
import type { Fault } from './evidence/history.ts'
import type { Stage } from './stage.ts'

/** Begins a fault. Returns a function that ends it. */
type FaultKind = (stage: Stage, random: Random) => (() => unknown) | Promise<() => unknown>

const hour = 3_600_000

export const faultKinds: Record<string, FaultKind> = {
  'API killed': ({ api }) => kill(api),
  'worker killed': ({ worker }) => kill(worker),
  'node of the database killed': ({ keeper }) => kill(keeper),
  'database killed': (stage) => {
    stage.killDatabase()
    return () => undefined
  },
  'database black-holed': ({ lines }, random) => {
    const held = random.pick([
      [lines.apiToDatabase],
      [lines.workerToDatabase],
      [lines.apiToDatabase, lines.workerToDatabase],
    ])
    for (const line of held) line.disturb({ holds: true })
    const isCut = random.chance(0.5)
    return () => {
      for (const line of held) {
        if (isCut) line.resetAll()
        line.heal()
      }
    }
  },
  'database connections reset': ({ lines }) => {
    lines.apiToDatabase.resetAll()
    lines.workerToDatabase.resetAll()
    return () => undefined
  },
  "database's answers lost": ({ lines }) => disturb([lines.apiToDatabase, lines.workerToDatabase], { cutAnswers: 0.1 }),
  'database slow': ({ lines }, random) => disturb([lines.apiToDatabase], { delayMs: random.between(20, 150) }),
  'provider failing': (stage) => mode(stage, 'failing'),
  'provider silent': (stage, random) => mode(stage, random.pick(['silent', 'deaf'] as const)),
  'provider black-holed': ({ lines }) => disturb([lines.provider], { holds: true }),
  'provider connections reset': ({ lines }) => {
    lines.provider.resetAll()
    return () => undefined
  },
  'phones lose packets': ({ lines }) => disturb([lines.phones], { loss: 0.25 }),
  'phones cut off': ({ lines }) => disturb([lines.phones], { holds: true }),
  "phones' connections reset": ({ lines }) => {
    lines.phones.resetAll()
    return () => undefined
  },
  "phones' answers lost": ({ lines }) => disturb([lines.phones], { cutAnswers: 0.3 }),
  'API frozen': ({ api }) => freeze(api),
  'worker frozen': ({ worker }) => freeze(worker),
  'clock jumps': ({ api, worker }, random) => {
    const ms = random.pick([-hour, -5 * 60_000, 5 * 60_000, hour])
    for (const process of [api, worker]) process.shiftClock(ms)
    return () => {
      for (const process of [api, worker]) process.shiftClock(0)
    }
  },
  'transaction held in another database': ({ database }) => holdTransaction({ ...database, database: 'postgres' }),
  'transaction held in the own database': ({ database }) => holdTransaction(database),
  'disk full': async ({ disk, useUpLog }, random) => {
    disk.fill()
    if (random.chance(0.5)) await useUpLog()
    return () => disk.free()
  },
}

/** Faults that this machine cannot produce, with the reason. */
export const unavailable = ({ disk }: Stage): Record<string, string> =>
  disk.unfillable ? { 'disk full': disk.unfillable } : {}

interface Plan {
  random: Random
  until: number
  kinds: readonly string[]
  onFault: (fault: Fault) => void
  /** Called when the fault is over, as phones notice that they have signal again. */
  onHealed: () => void
}

/** Milliseconds. A restarted process needs more time on a busy machine. */
const limitOf = (kind: string) => (kind.endsWith('killed') ? 30_000 : 15_000)
const longestRecovery = 60_000

/** Injects one fault after the other, sometimes two at once. Waits after each until the product serves again. */
export async function injectFaults(stage: Stage, { random, until, kinds, onFault, onHealed }: Plan) {
  // every kind once in random order, then again in another order
  let deck: string[] = []
  while (Date.now() < until) {
    await delay(random.between(1_000, 5_000))
    const chosen: string[] = []
    while (chosen.length < (random.chance(0.2) ? 2 : 1)) {
      if (deck.length === 0) deck = shuffled(kinds, random)
      chosen.push(deck.pop() as string)
    }
    const startedAt = Date.now()
    const ends = []
    for (const kind of chosen) ends.push(await faultKinds[kind]?.(stage, random))
    await delay(random.between(500, 6_000))
    for (const end of ends) await end?.()
    const endedAt = Date.now()
    onHealed()
    const recoveryLimit = Math.max(...chosen.map(limitOf))
    const recovery = await untilServing(stage)
    for (const kind of chosen) onFault({ kind, startedAt, endedAt, recoveryLimit, ...recovery })
  }
}

/**
 * Waits until all parts serve and returns how long that took, or null. Restarts ended processes, as a service manager
 * does.
 */
export async function untilServing(
  { url, api, worker, keeper }: Stage,
  patienceMs = longestRecovery,
): Promise<Pick<Fault, 'recoveredIn' | 'lastPart'>> {
  const begin = Date.now()
  let lastPart = ''
  while (Date.now() - begin < patienceMs) {
    for (const process of [keeper, api, worker]) if (!process.isRunning) process.launch()
    const parts = {
      keeper: keeper.isReady(),
      worker: worker.isReady(),
      api: api.isReady(),
      'line of the phones': isServing(url),
    }
    const missing = []
    for (const [name, isReady] of Object.entries(parts)) if (!(await isReady)) missing.push(name)
    if (missing.length === 0) return { recoveredIn: Date.now() - begin, lastPart }
    lastPart = missing.join(', ')
    await delay(50)
  }
  return { recoveredIn: null, lastPart }
}

/** An id, and nothing else: what commits after it waits, if it waits for strangers at all. Another fault may end it early. */
async function holdTransaction(address: pg.ClientConfig) {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  const begin = async () => {
    await client.connect()
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
  }
  await begin().catch(() => undefined)
  return () => client.end().catch(() => undefined)
}

async function kill(process: Stage['api']) {
  await process.kill()
  return () => process.launch()
}

function freeze(process: Stage['api']) {
  process.signal('SIGSTOP')
  return () => process.signal('SIGCONT')
}

function disturb(lines: Stage['lines']['phones'][], weather: Parameters<Stage['lines']['phones']['disturb']>[0]) {
  for (const line of lines) line.disturb(weather)
  return () => {
    for (const line of lines) line.heal()
  }
}

function mode({ smsc }: Stage, mode: Stage['smsc']['mode']) {
  smsc.mode = mode
  return () => {
    smsc.mode = 'working'
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list]
  return list.map(() => left.splice(Math.floor(random.next() * left.length), 1)[0] as T)
}
