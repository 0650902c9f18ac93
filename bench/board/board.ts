import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getBoard } from '#features/board/calls/board.ts'
import { getSafetySummary } from '#features/evacuation/calls/building-safety.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { Product } from '../../rig/product.ts'
import { median, percentile, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { benchFrames } from './frames.ts'
import { type BoardWorld, seedBoard } from './seed-board.ts'

const people = Number(process.env.BENCH_BOARD_PEOPLE ?? 99_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 4)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const readers = [1, 8, 100]

/** The command board of 1,000 floors beside the building safety page, while statuses are recorded. */
export async function benchBoard(): Promise<Row[]> {
  const product = await Product.start({ REQUESTS_PER_MINUTE: '1000000' })
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const reading = new AbortController()
  let recording: Promise<void> | undefined
  try {
    const world = await seedBoard(product, people, Math.max(...readers))
    recording = recordStatuses(product, world, reading.signal)
    const read = (path: string, reader = 0) => readBytes(agent, product.url + path, world.readers[reader] as string)
    const rows: Row[] = []
    // the first reader waits for the slow part, and is measured below
    await read(getBoard.path)
    for (const count of readers) rows.push(await besideSafetyPage(read, count))
    const { bytes } = await read(getBoard.path)
    rows.push({ name: 'board of 1,000 floors, gzip, kB', value: bytes / 1000, target: '<= 15 kB' })
    rows.push(...(await benchFrames(product, world)))
    rows.push(...(await madeAnew(() => read(getBoard.path), plainCount(product, world))))
    return rows
  } finally {
    reading.abort()
    await recording
    agent.destroy()
    await product.stop()
  }
}

type Read = (path: string, reader?: number) => Promise<{ bytes: number }>

/** Readers that ask again at once, of either in turns. */
async function besideSafetyPage(read: Read, count: number): Promise<Row> {
  const times: Record<string, number[]> = { [getBoard.path]: [], [getSafetySummary.path]: [] }
  for (let round = 0; round < rounds; round++)
    for (const [path, all] of Object.entries(times)) {
      const end = performance.now() + seconds * 1000
      const reader = async (_: unknown, n: number) => {
        while (performance.now() < end) all.push((await timed(() => read(path, n))).ms)
      }
      await Promise.all(Array.from({ length: count }, reader))
    }
  const p95 = (path: string) => percentile(times[path] ?? [], 95)
  const name = `board beside the building safety page, ${count} ${count === 1 ? 'reader' : 'readers'}, p95 ms`
  return withBaseline(name, p95(getBoard.path), p95(getSafetySummary.path), '< 2')
}

/** What the first reader after a while waits for, beside a plain count of the same rows. The slow part is of 15 s. */
async function madeAnew(read: () => Promise<unknown>, count: () => Promise<unknown>): Promise<Row[]> {
  const after = async (pauseMs: number, times: number) => {
    const [boards, counts]: number[][] = [[], []]
    for (let n = 0; n < times; n++) {
      await delay(pauseMs)
      boards?.push((await timed(read)).ms)
      counts?.push((await timed(count)).ms)
    }
    return [median(boards ?? []), median(counts ?? [])] as const
  }
  await read()
  return [
    withBaseline(
      'board made anew beside a plain count of its rows, median ms',
      ...(await after(1_050, 8)),
      '<= 500 ms',
    ),
    withBaseline('the same with its slow part, median ms', ...(await after(15_500, 3)), '<= 500 ms'),
  ]
}

/** How many people, texts and messages of the event there are, by their status. */
const plainCount =
  ({ pool }: Product, { eventUid }: BoardWorld) =>
  () =>
    pool.query(
      `select 'people', status, count(*) from evacuee where event_uid = $1 group by status
       union all select 'texts', status, count(*) from sms where event_uid = $1 group by status
       union all select 'messages', direction, count(*) from message where event_uid = $1 group by direction`,
      [eventUid],
    )

/** About fifty a second. */
async function recordStatuses({ pool, url }: Product, { eventUid, wardens }: BoardWorld, signal: AbortSignal) {
  const { rows } = await pool.query(
    `select person_uid, floor_uid from evacuee where event_uid = $1 order by uid limit 5000`,
    [eventUid],
  )
  for (let n = 0; !signal.aborted; n++) {
    const { person_uid: personId, floor_uid: floorId } = rows[n % rows.length]
    const status = ['safe', 'unknown', 'in danger'][n % 3] as string
    await callerOf(url, wardens[n % wardens.length])(setPersonStatus, { body: { personId, floorId, status } })
    await delay(20)
  }
}

const readBytes = (agent: Agent, url: string, token: string) =>
  new Promise<{ bytes: number }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    get(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve({ bytes }) : reject(new Error(`${response.statusCode}`)),
      )
    }).on('error', reject)
  })
