export interface Random {
  /** At least 0, less than 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
  /** Starts a separate sequence, so that the numbers of one actor do not depend on the progress of another. */
  fork(name: string): Random
}

/** Pseudorandom numbers (mulberry32). The same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let t = Math.imul(state ^ (state >>> 15), state | 1)
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
    },
    between: (low, high) => low + random.next() * (high - low),
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(random.next() * list.length)] as T
    },
    chance: (share) => random.next() < share,
    fork: (name) => createRandom(seed ^ hash(name)),
  }
  return random
}

/** FNV-1a hash. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
