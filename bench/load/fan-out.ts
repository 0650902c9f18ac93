import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { Product } from '../../rig/product.ts'
import type { Program } from '../../rig/program.ts'
import { type Crowd, gatherCrowd, memoryOf, requireFiles } from '../crowd/crowd.ts'
import { inTurns } from '../crowd/in-turns.ts'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import type { World } from '../seed/seed.ts'

const changes = Number(process.env.BENCH_CHANGES ?? 40)
/** The largest first. The memory of sockets is measured with it only, before anything else has used the servers. */
export const crowdSizes = (process.env.BENCH_SOCKETS ?? '10000,1000').split(',').map(Number)

const latencyTargets: Record<number, string> = { 1000: '< 250 ms' }
const memoryTargets: Record<number, string> = { 10000: '< 400 MB' }

/**
 * (b) The time from sending one change until every connected warden has it, and the memory that the sockets take in the
 * server. The baseline is `ws` alone: one request and a message of the same length to every socket. It has no session,
 * no database and no recovery.
 */
export async function benchFanOut(product: Product, bare: Program, bareUrl: string, world: World): Promise<Row[]> {
  requireFiles(Math.max(...crowdSizes) + 500)
  const rows: Row[] = []
  const [largest] = crowdSizes
  for (const size of crowdSizes) {
    const { latencies, memory } = await atSize(size, product, bare, bareUrl, world)
    rows.push(...latencies, ...(size === largest ? [memory] : []))
  }
  return rows
}

async function atSize(size: number, product: Product, bare: Program, bareUrl: string, world: World) {
  const ours = await growth(product.node, () => followEvent(product.url, world, size))
  const theirs = await growth(bare, () =>
    gatherCrowd(
      `${bareUrl.replace('http', 'ws')}/live`,
      Array.from({ length: size }, () => []),
    ),
  )
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let change = 0; change < changes; change++) {
    times.ours.push(...(await ours.crowd.timeChange(() => recordStatus(product.url, world, change))))
    times.theirs.push(...(await theirs.crowd.timeChange(() => publish(bareUrl))))
  }
  const memory = { ours: ours.megabytes(), theirs: theirs.megabytes() }
  await Promise.all([ours.crowd.leave(), theirs.crowd.leave()])

  const sockets = `${size.toLocaleString('en')} sockets`
  const latency = (p: number, target?: string) =>
    withBaseline(`live push to ${sockets}, p${p} ms`, percentile(times.ours, p), percentile(times.theirs, p), target)
  return {
    latencies: [latency(50), latency(99, latencyTargets[size])],
    memory: withBaseline(`server memory that ${sockets} take, MB`, memory.ours, memory.theirs, memoryTargets[size]),
  }
}

/** Gathers a crowd. `megabytes` returns the growth of the server's resident memory since then. */
async function growth(server: Program, gather: () => Promise<Crowd>) {
  const before = memoryOf(server)
  const crowd = await gather()
  return { crowd, megabytes: () => memoryOf(server) - before }
}

/** Speaks the client protocol without the official client, so that both sides have the same light client. */
export async function followEvent(
  url: string,
  world: Pick<World, 'tokens' | 'eventUid'>,
  size: number,
): Promise<Crowd> {
  const { address, greetings } = await greetingsOf(url, world, size)
  return gatherCrowd(address, greetings)
}

/** What phones say to follow the event, and where. */
export async function greetingsOf(url: string, world: Pick<World, 'tokens' | 'eventUid'>, size: number) {
  const greetings: string[][] = []
  const name = `event:${world.eventUid}`
  let address = ''
  await inTurns(world.tokens.slice(0, size), 50, async (token) => {
    const channel = await callerOf(url, token)(getChannelToken, {})
    address = new URL(channel.url, url.replace(/^http/, 'ws')).href
    greetings.push([
      JSON.stringify({ id: 1, connect: { token: channel.token } }),
      JSON.stringify({ id: 2, subscribe: { channel: name, token: channel.channel_tokens?.[name] } }),
    ])
  })
  return { address, greetings }
}

export function recordStatus(url: string, world: Pick<World, 'tokens' | 'people'>, n: number) {
  const { personUid, floorUid } = world.people[0] as World['people'][number]
  const status = n % 2 ? 'unknown' : 'safe on floor'
  return callerOf(url, world.tokens[0] as string)(setPersonStatus, {
    body: { personId: personUid as never, floorId: floorUid as never, status },
  })
}

/** As long as a publication of the product. */
const message = JSON.stringify({ status: 'success', changed: [{ topic: 'evacuee', ids: ['x'.repeat(170)] }] })

async function publish(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/publish`, { method: 'POST', headers, body: message })
  await answer.arrayBuffer()
}
