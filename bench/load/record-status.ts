import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import type { World } from '../seed/seed.ts'

export const seconds = Number(process.env.BENCH_SECONDS ?? 4)
export const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
export const statuses = ['safe on floor', 'unknown', 'in danger']
const bareStatuses = ['safe', 'unknown', 'danger']

/** (a) Status records on 32 connections. The baseline is the bare server. Both are measured in turn. */
export async function benchRecordStatus(url: string, world: World, bareUrl: string, bareWorld: World): Promise<Row[]> {
  let n = 0
  const product = recordsOf(world)
  const bare = () => ({
    method: 'POST' as const,
    path: '/status',
    headers: headersOf(pick(bareWorld.tokens, n++)),
    body: JSON.stringify({
      personId: pick(bareWorld.people, n).personUid,
      status: pick(bareStatuses, n),
      event: bareWorld.eventUid,
    }),
  })
  await measureRate(url, product, 2)
  await measureRate(bareUrl, bare, 2)
  const ours: Rate[] = []
  const theirs: Rate[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await measureRate(url, product, seconds))
    theirs.push(await measureRate(bareUrl, bare, seconds))
  }
  const ratios = ours.map((one, i) => one.rate / (theirs[i]?.rate ?? 1))
  return [
    {
      name: 'record-status, requests/s',
      value: median(ours.map((s) => s.rate)),
      baseline: median(theirs.map((s) => s.rate)),
      ratio: median(ratios),
      target: '>= 1.3',
    },
    withBaseline('record-status, p99 ms', median(ours.map((s) => s.p99)), median(theirs.map((s) => s.p99)), '<= 1.2'),
  ]
}

/** Each record is by the next warden about the next person. */
export function recordsOf(world: World): () => Shape {
  let n = 0
  return () => {
    const person = pick(world.people, n)
    return {
      method: setPersonStatus.method,
      path: setPersonStatus.path,
      headers: headersOf(pick(world.tokens, n++), { 'idempotency-key': randomUUID() }),
      body: JSON.stringify({ personId: person.personUid, floorId: person.floorUid, status: pick(statuses, n) }),
    }
  }
}

export const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
const headersOf = (token: string, more: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  ...more,
})

interface Rate {
  rate: number
  p99: number
}
interface Shape {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers: Record<string, string>
  body: string
}

export async function measureRate(url: string, make: () => Shape, duration: number, connections = 32): Promise<Rate> {
  const result = await autocannon({
    url,
    connections,
    duration,
    requests: [{ setupRequest: (request) => ({ ...request, ...make() }) }],
  })
  if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}
