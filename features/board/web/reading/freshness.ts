import { useEffect, useState } from 'react'
import type { Picture } from './board-snapshot.ts'

/** Milliseconds without a fresh answer. */
const lateAfter = 15_000
const oldAfter = 60_000
export type Freshness = 'fresh' | 'late' | 'old'

export function freshnessOf({ heardAt }: Picture, now: number): Freshness {
  const age = now - heardAt
  if (age >= oldAfter) return 'old'
  return age >= lateAfter ? 'late' : 'fresh'
}

/** Looked at each second. It draws anew when it has changed, not each second: a board has a thousand floors. */
export function useFreshness(picture: Picture | null): Freshness {
  const [, setSeen] = useState<Freshness>('fresh')
  useEffect(() => {
    if (!picture) return
    const timer = setInterval(() => setSeen(freshnessOf(picture, Date.now())), 1000)
    return () => clearInterval(timer)
  }, [picture])
  return picture ? freshnessOf(picture, Date.now()) : 'fresh'
}

/** The slow part of the board is written with its time if it is so much older, in milliseconds. */
const slowIsOldAfter = 15_000

/** The moment of plans, messages, texts and causes, if it must be told. */
export function slowSince({ board }: Picture): number | null {
  const slow = Date.parse(board.slow_at)
  return Date.parse(board.at) - slow > slowIsOldAfter ? slow : null
}
