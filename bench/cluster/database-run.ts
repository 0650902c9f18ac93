import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { makeTemporaryFolder, testSettings } from '../../rig/product.ts'
import { findFreePorts } from '../../scripts/lib/free-ports.ts'
import { seedWorld } from '../seed/seed.ts'
import { startCluster } from './cluster.ts'
import { findMissingForDatabase, startDatabase, until } from './database.ts'
import { countJobsLeft, findFaultsOfDatabase } from './database-verdict.ts'
import { type Failover, failOver, watchIsolated } from './failover.ts'
import { FloorList } from './floor-list.ts'
import { Phone } from './phones.ts'
import { listEntries } from './verdict.ts'
import { actAsTexter, actAsWarden, emptyLedger } from './wardens.ts'

/**
 * `npm run test:cluster -- --database`: two nodes on a replicated database whose primary is killed, cut off and
 * switched.
 */
const wardens = 6
const followers = 20
const quietMs = 5000
/** The longest time from a new primary until every phone is up to date. */
const wholeWithinMs = 15_000

const missing = findMissingForDatabase()
if (missing) {
  console.error(missing)
  process.exit(1)
}
// an exit ends every program that was started
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const folder = makeTemporaryFolder('evac-database-')
console.log('Starting etcd, two PostgreSQL under Patroni, and two nodes …')
const database = await startDatabase(join(folder, 'database'))
const settings = { ...testSettings, DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') }
const pool = new pg.Pool({ connectionString: database.adminUrl, max: 2, query_timeout: 20_000 })
pool.on('error', () => undefined)
const ledger = emptyLedger()
const failovers: Failover[] = []
const phones: Phone[] = []
const further: string[] = []
let cluster: Awaited<ReturnType<typeof startCluster>> | undefined
try {
  cluster = await startCluster({ port: await findFreePorts(3), folder, env: settings })
  const { url } = cluster
  const world = await seedWorld(pool, { evacuees: 1000, wardens: followers })
  for (const [nth, token] of world.tokens.entries()) {
    const list = new FloorList(callerOf(url, token, 20_000), world.floors[nth % world.floors.length] as string)
    phones.push(new Phone(url, token, world.eventUid, { list }))
  }
  await Promise.all(phones.map((phone) => phone.ready()))
  let isOver = false
  const acting = [
    ...Array.from({ length: wardens }, (_, nth) => actAsWarden(url, world, nth, ledger, () => isOver)),
    actAsTexter(url, world, wardens, ledger, () => isOver),
  ]
  await injectFaults()
  isOver = true
  await Promise.all(acting)
  await settle(world)
  report(await findFaultsOfDatabase(pool, world, ledger, phones, failovers.length))
} finally {
  for (const phone of phones) phone.close()
  await pool.end()
  await cluster?.stop()
  await database.stop()
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`Logs: ${folder}`)
}

async function injectFaults() {
  const [a, b] = database.members
  const phase = async (what: string, primary: typeof a, work: () => Promise<unknown>, back: () => Promise<unknown>) => {
    console.log(`${what} …`)
    await delay(quietMs)
    failovers.push(await failOver(what, { url: database.url, pool, ledger, phones }, work))
    await back()
    await database.untilSynchronous(primary === a ? b : a)
    console.log(`${what}: the old primary follows the new one`)
  }
  await phase('Primary and its Patroni killed', a, a.kill, a.start)
  let isolated: ReturnType<typeof watchIsolated> | undefined
  const cutOff = async () => {
    b.cut()
    isolated = watchIsolated(b.ownUrl)
  }
  await phase('Network of the primary cut', b, cutOff, async () => {
    further.push(...((await isolated?.stop()) ?? []))
    b.heal()
  })
  await phase(
    'Switch-over',
    a,
    () => database.switchOver(a, b),
    async () => undefined,
  )
  await phase('Patroni of the primary killed alone', b, b.killPatroni, b.start)
  await delay(quietMs)
}

/** Waits until every phone shows the last record, each text has left and each job is done. */
async function settle(world: Awaited<ReturnType<typeof seedWorld>>) {
  const last = (await listEntries(pool, world)).at(-1)
  const isDone = ({ heard, list }: Phone) => heard.some(({ offset }) => offset === last?.xid) && list?.isAtRest
  await until(() => phones.every((phone) => isDone(phone))).catch((error) => console.log(error.message))
  const queued = `select from sms where client_uid = $1 and status = 'queued'`
  await until(async () => (await pool.query(queued, [world.clientUid])).rowCount === 0).catch(() => undefined)
  await until(async () => (await countJobsLeft(pool)) === 0).catch(() => undefined)
}

function report(found: readonly string[]) {
  const slow = failovers.filter(({ wholeMs }) => wholeMs > wholeWithinMs)
  const faults = [
    ...found,
    ...further,
    ...slow.map(({ what, wholeMs }) => `${what}: phones were whole after ${wholeMs} ms`),
  ]
  console.table(
    failovers.map(({ what, answersMs, acknowledgedMs, wholeMs }) => ({
      what,
      'new primary answers, ms': answersMs,
      'then first record acknowledged, ms': acknowledgedMs,
      'then every phone whole, ms': wholeMs,
    })),
  )
  const reconnects = phones.reduce((sum, phone) => sum + phone.reconnects, 0)
  const gaps = phones.reduce((sum, phone) => sum + phone.gaps.length, 0)
  console.log(
    `${ledger.acknowledged.size} records and ${ledger.texts.length} texts acknowledged, ${ledger.retried} tries repeated; ` +
      `${phones.length} phones came back ${reconnects} times and were sent to a new epoch ${gaps} times`,
  )
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  console.log(faults.length > 0 ? `${faults.length} faults` : 'Nothing lost, nothing twice, nothing out of order.')
  process.exitCode = faults.length > 0 ? 1 : 0
}
