import { recordOf } from '#kernel/vocabulary.ts'
import { type UnknownCause, unknownCauses } from '../kinds.ts'

/**
 * Causes are up to 10 s older than the number of unknown people. They never say more than it, and 'not asked' is what
 * they leave.
 */
export function splitByCause(
  unknown: number,
  counted: Partial<Record<UnknownCause, number>>,
): Record<UnknownCause, number> {
  let left = unknown
  return recordOf(unknownCauses, (cause) => {
    const count = cause === 'not_asked' ? left : Math.min(left, counted[cause] ?? 0)
    left -= count
    return count
  })
}

/** The sum of the causes of several places. */
export function sumCauses(all: Iterable<Partial<Record<UnknownCause, number>>>): Record<UnknownCause, number> {
  const sums = recordOf(unknownCauses, () => 0)
  for (const causes of all) for (const cause of unknownCauses) sums[cause] += causes[cause] ?? 0
  return sums
}
