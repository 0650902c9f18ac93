export interface Random {
  /** From 0, below 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
  /** A stream of its own: what one actor draws does not depend on how far another has come. */
  fork(name: string): Random
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
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

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
