import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { openPhone } from './open-phone.ts'
import { sharedNow } from './shared-clock.ts'

/** Phones that listen to an event, each with the page of one floor open, and count. Several in one process. */
export interface Listening {
  address: string
  greetings: string[][]
  /** The floor of each phone. */
  floors: string[]
  /** Whose news each phone notes. */
  watched: string[]
}

/** What they have counted, all together. */
export interface Counted {
  frames: number
  /** Times at which a page would have been read again: for whatever changed, and for its own floor alone. */
  reads: { anywhere: number; ownFloor: number }
  /** By person: when each phone first heard of them, by the shared clock. */
  heardAt: Record<string, number[]>
}

/** A page gathers changes for 250 to 500 ms, and so reads no more often. */
const gatherMs = 375

const counted: Counted = { frames: 0, reads: { anywhere: 0, ownFloor: 0 }, heardAt: {} }

process.once('message', async ({ address, greetings, floors, watched }: Listening) => {
  for (const person of watched) counted.heardAt[person] = []
  const waiting = greetings.map((mine, nth) => ({ mine, floor: floors[nth] as string }))
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const hear = listener(next.floor, watched)
      await openPhone(address, next.mine, hear)
    }
  }
  await Promise.all(Array.from({ length: 25 }, worker))
  process.send?.('open')
  process.on('message', () => process.send?.(counted))
})
process.once('disconnect', () => process.exit())

function listener(floor: string, watched: readonly string[]) {
  const readAt = { anywhere: 0, ownFloor: 0 }
  const unheard = new Set(watched)
  const note = (which: 'anywhere' | 'ownFloor', now: number) => {
    if (now - readAt[which] < gatherMs) return
    readAt[which] = now
    counted.reads[which] += 1
  }
  return (message: Buffer) => {
    const now = sharedNow()
    counted.frames += 1
    const { people, places } = readOnce(String(message), watched)
    for (const person of people) if (unheard.delete(person)) counted.heardAt[person]?.push(now)
    if (places === 'none') return
    note('anywhere', now)
    if (places === 'any' || places.has(floor)) note('ownFloor', now)
  }
}

interface News {
  /** Those who are watched. */
  people: string[]
  /** The floors on which something changed. */
  places: ReadonlySet<string> | 'any' | 'none'
}

/** All phones get the same text: what it says is found out once, as each phone has a processor of its own. */
let last: { text: string; news: News } = { text: '', news: { people: [], places: 'none' } }

function readOnce(text: string, watched: readonly string[]): News {
  if (text !== last.text) last = { text, news: read(JSON.parse(text).push?.pub?.data ?? {}, watched) }
  return last.news
}

function read({ changed = [] }: Publication, watched: readonly string[]): News {
  const named = new Set(changed.flatMap(({ topic, ids }) => (topic === 'evacuee' ? ids : [])))
  const lists = changed
    .filter(({ topic }) => topic === 'evacuee' || topic === 'floor')
    .map(({ topic, ids, floors }) => (topic === 'evacuee' ? floors : ids.length > 0 ? ids : undefined))
  const places = lists.some((list) => list === undefined) ? 'any' : new Set(lists.flatMap((list) => list ?? []))
  return { people: watched.filter((person) => named.has(person)), places: lists.length === 0 ? 'none' : places }
}
