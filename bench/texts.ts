import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Product, startProduct } from './product.ts'
import { percentile, type Row } from './report.ts'
import { seedWorld } from './seed.ts'
import { isLost, startCentre } from './text-centre.ts'

const count = Number(process.env.BENCH_TEXTS ?? 10_000)
const perSecond = 500
/** A window of SMPP, and what is written down at once. */
const inFlight = 10 + 25

/**
 * (d) An event's texts through SMPP at 500 a second, while a worker is killed, the provider goes away for three seconds and
 * every receipt comes twice: none may be lost, only those in flight may double, and every state must be right.
 */
export async function benchTexts(): Promise<Row[]> {
  // without a worker of its own, whose texts would go elsewhere
  const product = await startProduct(18190, { ROLES: 'api' })
  const { pool, database } = product
  const centre = await startCentre()
  const world = await seedWorld(pool, { evacuees: 100, wardens: 1 })
  const start = () => startWorker(database, centre.url)
  let worker = start()
  await listening(worker)
  const began = performance.now()
  await pool.query(
    `insert into sms (client_uid, event_uid, kind, to_mobile, body, valid_until)
     select $1, $2, 'event_message', '6149' || lpad(i::text, 7, '0'), 'Evacuate now.', now() + interval '15 minutes'
     from generate_series(1, $3::int) i`,
    [world.clientUid, world.eventUid, count],
  )
  try {
    await until(() => centre.taken() > count * 0.3)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    worker = start()
    await until(() => centre.taken() > count * 0.6)
    const atCut = centre.taken()
    await centre.fail(3_000)
    await until(() => centre.copies.size === count)
    const handedOver = (performance.now() - began) / 1000
    await until(async () => (await countStates(pool, world.clientUid)).open === 0)
    const settled = (performance.now() - began) / 1000

    const states = await countStates(pool, world.clientUid)
    const waits = await pool.query(
      `select extract(epoch from p.noted_at - s.created_at)::float8 as seconds from sms s
       join sms_part p on p.sms_client_uid = s.client_uid and p.sms_uid = s.uid where s.client_uid = $1`,
      [world.clientUid],
    )
    const seconds = waits.rows.map((row) => row.seconds as number)
    const doubled = [...centre.copies.values()].filter((copies) => copies > 1).length
    console.log(`texts: cut at ${atCut}, ${centre.taken()} taken for ${count}, receipts`, centre.receipts(), states)
    return [
      { name: `${count} texts, seconds until all are handed over`, value: handedOver, bare: count / perSecond },
      { name: 'texts, seconds until every state is right', value: settled },
      { name: 'texts, p99 seconds until handed over', value: percentile(seconds, 99), aim: '<= 30' },
      { name: 'texts lost', value: count - centre.copies.size, aim: '= 0' },
      { name: 'texts with a wrong state', value: states.wrong, aim: '= 0' },
      { name: 'texts doubled, of those in flight', value: doubled, bare: 2 * inFlight, aim: `<= ${2 * inFlight}` },
    ]
  } finally {
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    await centre.stop()
    await product.stop()
  }
}

/** A process that works and nothing else, on the database of the product. */
function startWorker(database: Product['database'], smppUrl: string): ChildProcess {
  const { host, user, port, database: name, connectionString } = database
  return spawn(process.execPath, ['server/src/main.ts'], {
    env: {
      ...process.env,
      ROLES: 'worker',
      PORT: '18191',
      HOST: '127.0.0.1',
      DEMO: 'off',
      DATABASE_URL:
        connectionString ?? `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`,
      SMS_GATEWAY: 'smpp',
      SMPP_URL: smppUrl,
      SMPP_FROM: '+61491570006',
      SMPP_PER_SECOND: String(perSecond),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const listening = (worker: ChildProcess) => once(worker.stdout as NodeJS.ReadableStream, 'data')

async function countStates(pool: Product['pool'], clientUid: string) {
  const { rows } = await pool.query<{ status: string; mobile: string }>(
    'select status, to_mobile as mobile from sms where client_uid = $1',
    [clientUid],
  )
  const isOpen = ({ status }: { status: string }) => status === 'queued' || status === 'handed_over'
  const expected = (mobile: string) => (isLost(mobile) ? 'failed' : 'delivered')
  return {
    open: rows.filter(isOpen).length,
    wrong: rows.filter(({ status, mobile }) => status !== expected(mobile)).length,
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 180_000
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error('the texts did not get there in three minutes')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
