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
    const { changed = [] } = dataOf(String(message))
    const people = changed.filter(({ topic }) => topic === 'evacuee')
    for (const person of people.flatMap(({ ids }) => ids))
      if (unheard.delete(person)) counted.heardAt[person]?.push(now)
    const isMeant = ({ topic, ids, floors }: (typeof changed)[number]) => {
      const where = topic === 'floor' && ids.length > 0 ? ids : topic === 'evacuee' ? floors : undefined
      return (topic === 'floor' || topic === 'evacuee') && (!where || where.includes(floor))
    }
    if (changed.some(({ topic }) => topic === 'floor' || topic === 'evacuee')) note('anywhere', now)
    if (changed.some(isMeant)) note('ownFloor', now)
  }
}

/** All phones get the same text. */
let last = { text: '', data: {} as Publication }

function dataOf(text: string): Publication {
  if (text !== last.text) last = { text, data: JSON.parse(text).push?.pub?.data ?? {} }
  return last.data
}
