import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { Product } from '../../rig/product.ts'
import { heard } from '../crowd/crowd.ts'
import type { Counted, Listening } from '../crowd/listeners.ts'
import { sharedNow } from '../crowd/shared-clock.ts'
import { percentile, type Row } from '../report/report.ts'
import { seedWorld, type World } from '../seed/seed.ts'
import { greetingsOf } from './fan-out.ts'

const phones = Number(process.env.BENCH_LISTENERS ?? 5000)
const seconds = Number(process.env.BENCH_LISTENING_SECONDS ?? 20)
const perSecond = 33
/** Once in so many changes, so once a second, someone new is in danger. */
const dangerEvery = 33
/** A page of a floor reads the floor and its list. */
const requestsPerRead = 2

/**
 * Frames and requests in an event of 5,000 phones and 33 changes a second, and how soon each phone hears of a danger. Without joining
 * each change would be a frame, and without floors each page would read for each.
 */
export async function benchCrowdedEvent(product: Product): Promise<Row[]> {
  console.log(`Seeding ${phones.toLocaleString('en')} wardens …`)
  const world = await seedWorld(product.pool, { evacuees: 2000, wardens: phones })
  const inDanger = world.people.filter((_, nth) => nth % dangerEvery === 0).map(({ personUid }) => personUid)
  const watched = inDanger.slice(0, Math.ceil((seconds * perSecond) / dangerEvery))
  const { address, greetings } = await greetingsOf(product.url, world, phones)
  const floors = greetings.map((_, nth) => world.floors[nth % world.floors.length] as string)
  const child = fork(join(import.meta.dirname, '../crowd/listeners.ts'), {
    serialization: 'advanced',
    stdio: 'inherit',
  })
  child.send({ address, greetings, floors, watched } satisfies Listening)
  await heard(child)

  const sentAt = await change(product.url, world)
  await delay(1500)
  const counts = heard<Counted>(child)
  child.send('count')
  const { frames, reads, heardAt } = await counts
  child.disconnect()
  await once(child, 'exit')

  const delays = Object.entries(heardAt).flatMap(([person, times]) =>
    times.map((at) => at - (sentAt.get(person) ?? Number.NaN)),
  )
  const missed = sentAt.size * phones - delays.filter(Number.isFinite).length
  if (missed > 0) throw new Error(`${missed} times a phone heard nothing of a danger`)
  const each = (count: number) => count / phones / seconds
  return [
    {
      name: 'frames a second and phone, beside changes a second',
      value: each(frames),
      baseline: perSecond,
      target: '<= 5',
    },
    {
      name: 'requests a second and phone that shows one floor, beside any change',
      value: each(reads.ownFloor * requestsPerRead),
      baseline: each(reads.anywhere * requestsPerRead),
    },
    { name: 'a danger on each phone, p50 ms', value: percentile(delays, 50) },
    { name: 'a danger on each phone, p99 ms', value: percentile(delays, 99), target: '<= 400 ms' },
  ]
}

/** 33 changes a second. Returns when each danger was sent, by person. */
async function change(url: string, { tokens, people }: World): Promise<Map<string, number>> {
  const sentAt = new Map<string, number>()
  const pending: Promise<unknown>[] = []
  const start = performance.now()
  for (let n = 0; n < seconds * perSecond; n++) {
    await delay(Math.max(0, start + (n * 1000) / perSecond - performance.now()))
    const { personUid, floorUid } = people[n] as World['people'][number]
    const isDanger = n % dangerEvery === 0
    if (isDanger) sentAt.set(personUid, sharedNow())
    const status = isDanger ? 'in danger' : 'safe on floor'
    const body = { personId: personUid as never, floorId: floorUid as never, status }
    pending.push(callerOf(url, tokens[n % tokens.length] as string)(setPersonStatus, { body }))
  }
  await Promise.all(pending)
  return sentAt
}
