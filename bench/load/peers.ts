import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Product } from '../../rig/product.ts'
import { isServing, Program } from '../../rig/program.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { gatherCrowd } from '../crowd/crowd.ts'
import { median, percentile, type Row, withBaseline } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import { followEvent, recordStatus } from './fan-out.ts'
import { measureRate, pick, recordsOf, rounds, seconds, statuses } from './record-status.ts'

const peerUrl = `http://127.0.0.1:${await findFreePort()}`
const changes = Number(process.env.BENCH_CHANGES ?? 40)
const subscribers = 1000

/**
 * (f) The baseline is Parse Server with LiveQuery on the same PostgreSQL. Both look up a session, save a status once
 * per request id and push it to every subscriber. Only the product also checks duty and floor, keeps counts, writes a
 * journal and sends what a phone has missed.
 */
export async function benchPeers(product: Product, world: World): Promise<Row[]> {
  await product.pool.query('create database parse')
  const database = { ...product.database, database: 'parse' }
  const safe = await besideParse(product, world, database, 'on')
  const plain = await besideParse(product, world, database, 'off')
  return [
    ...rateRows('Parse Server', safe),
    ...rateRows('Parse Server that saves a repeated request again', plain),
    ...pushRows(safe),
  ]
}

type Beside<T> = { ours: T[]; theirs: T[] }
interface Measured {
  rates: Beside<{ rate: number; p99: number }>
  times: Beside<number>
}

async function besideParse(product: Product, world: World, database: pg.PoolConfig, idempotent: 'on' | 'off') {
  const masterKey = randomUUID()
  const peer = new Program({
    command: process.execPath,
    args: ['bench/peers/parse-server.mjs'],
    env: {
      PARSE_PORT: new URL(peerUrl).port,
      PARSE_DATABASE: JSON.stringify(database),
      PARSE_IDEMPOTENT: idempotent,
      PARSE_MASTER_KEY: masterKey,
    },
    isReady: () => isServing(peerUrl),
  })
  await peer.start()
  try {
    const parse = await seedParse(database)
    const rates = await measureInTurn(product.url, world, parse)
    const times: Beside<number> =
      idempotent === 'on' ? await pushInTurn(product.url, world, parse) : { ours: [], theirs: [] }
    return { rates, times }
  } finally {
    await peer.stop() // its connections would keep the database running
  }
}

async function measureInTurn(url: string, world: World, parse: ParseWorld): Promise<Measured['rates']> {
  let n = 0
  const ours = recordsOf(world)
  const theirs = () => saveOf(parse, n++)
  await measureRate(url, ours, 2)
  await measureRate(peerUrl, theirs, 2)
  const rates: Measured['rates'] = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    rates.ours.push(await measureRate(url, ours, seconds))
    rates.theirs.push(await measureRate(peerUrl, theirs, seconds))
  }
  return rates
}

async function pushInTurn(url: string, world: World, parse: ParseWorld): Promise<Measured['times']> {
  const ours = await followEvent(url, world, subscribers)
  const theirs = await gatherCrowd(
    peerUrl.replace('http', 'ws'),
    parse.sessions.slice(0, subscribers).map((sessionToken) => [
      JSON.stringify({ op: 'connect', applicationId: 'bench', sessionToken }),
      JSON.stringify({
        op: 'subscribe',
        requestId: 1,
        sessionToken,
        query: { className: 'Evacuee', where: { event: 'fire' } },
      }),
    ]),
  )
  const times: Measured['times'] = { ours: [], theirs: [] }
  for (let change = 0; change < changes; change++) {
    times.ours.push(...(await ours.timeChange(() => recordStatus(url, world, change))))
    times.theirs.push(...(await theirs.timeChange(() => saveOnce(parse, change))))
  }
  await Promise.all([ours.leave(), theirs.leave()])
  return times
}

interface ParseWorld {
  sessions: string[]
  evacuees: string[]
}

/** Fills the tables of Parse Server with as many users, sessions and evacuees as the world of the product has. */
async function seedParse(database: pg.PoolConfig): Promise<ParseWorld> {
  const pool = new pg.Pool({ ...database, max: 1 })
  try {
    const sessions = Array.from({ length: subscribers }, () => `r:${randomBytes(16).toString('hex')}`)
    const run = randomBytes(3).toString('hex')
    await pool.query(
      `insert into "_User" ("objectId", "createdAt", "updatedAt", username, _rperm, _wperm)
       select $1 || i, now(), now(), $1 || i, array['*'], array[$1 || i] from generate_series(1, $2::int) i`,
      [run, subscribers],
    )
    await pool.query(
      `insert into "_Session" ("objectId", "createdAt", "updatedAt", "user", "sessionToken", "expiresAt")
       select $1 || i, now(), now(), $1 || i, ($2::text[])[i], now() + interval '12 hours'
       from generate_series(1, cardinality($2::text[])) i`,
      [run, sessions],
    )
    const evacuees = await pool.query(
      `insert into "Evacuee" ("objectId", "createdAt", "updatedAt", event, name, status)
       select $1 || i, now(), now(), 'fire', 'Occupant ' || i, 'unknown' from generate_series(1, 1000) i returning "objectId"`,
      [run],
    )
    await pool.query('vacuum analyze')
    return { sessions, evacuees: evacuees.rows.map((row) => row.objectId) }
  } finally {
    await pool.end()
  }
}

const saveOf = (parse: ParseWorld, n: number) => ({
  method: 'PUT' as const,
  path: `/parse/classes/Evacuee/${pick(parse.evacuees, n)}`,
  headers: {
    'content-type': 'application/json',
    'x-parse-application-id': 'bench',
    'x-parse-session-token': pick(parse.sessions, n),
    'x-parse-request-id': randomUUID(),
  },
  body: JSON.stringify({ status: pick(statuses, n + 1) }),
})

async function saveOnce(parse: ParseWorld, n: number): Promise<void> {
  const { path, ...request } = saveOf({ ...parse, evacuees: parse.evacuees.slice(0, 1) }, n)
  const answer = await fetch(peerUrl + path, request)
  if (!answer.ok) throw new Error(`Parse Server answered ${answer.status}: ${await answer.text()}`)
}

function rateRows(peer: string, { rates }: Measured): Row[] {
  const { ours, theirs } = rates
  const row = (name: string, of: (one: { rate: number; p99: number }) => number): Row => ({
    name: `record status beside ${peer}, ${name}`,
    value: median(ours.map(of)),
    baseline: median(theirs.map(of)),
    ratio: median(ours.map((one, i) => of(one) / of(theirs[i] as typeof one))),
  })
  return [row('requests/s', ({ rate }) => rate), row('p99 ms', ({ p99 }) => p99)]
}

const pushRows = ({ times: { ours, theirs } }: Measured): Row[] =>
  [50, 99].map((p) => {
    const name = `live push to ${subscribers.toLocaleString('en')} sockets beside LiveQuery, p${p} ms`
    return withBaseline(name, percentile(ours, p), percentile(theirs, p))
  })
