import type { JsonValue } from '#server/platform/db/tables.ts'

/** From and to, both included, from 1. */
export type Range = [number, number]

/** Numbers in rising order as ranges. */
export function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: Range[] = []
  for (const n of numbers) {
    const last = ranges.at(-1)
    if (last && n <= last[1] + 1) last[1] = Math.max(last[1], n)
    else ranges.push([n, n])
  }
  return ranges
}

/** Files with lines that may be erased. Of `entries` a line has the number of the journal entry that logged it. */
export type ErasableFile = 'journal' | 'people' | 'ends' | 'texts' | 'messages' | 'record' | 'entries'

/** What entries of a log say of lines that are gone. */
export class Covered {
  readonly #ranges = new Map<string, Range[]>()
  /** The same, in order and apart: there may be very many. */
  readonly #joined = new Map<string, Range[]>()

  /** `after` of `lines_erased` or of `log_form`. */
  add(after: JsonValue): void {
    if (after === null || typeof after !== 'object' || Array.isArray(after)) return
    const { missing } = after
    if (missing !== null && typeof missing === 'object' && !Array.isArray(missing))
      for (const [file, lines] of Object.entries(missing)) this.#add(file, lines)
    else if (typeof after.file === 'string') this.#add(after.file, after.lines)
  }

  has(file: ErasableFile, n: number): boolean {
    const all = this.#joined.get(file) ?? joinedOf(this.#ranges.get(file) ?? [])
    this.#joined.set(file, all)
    let [low, high] = [0, all.length - 1]
    while (low <= high) {
      const at = (low + high) >> 1
      const [from, to] = all[at] as Range
      if (n < from) high = at - 1
      else if (n > to) low = at + 1
      else return true
    }
    return false
  }

  /** The ranges of a file, as they were said. */
  of(file: ErasableFile): readonly Range[] {
    return this.#ranges.get(file) ?? []
  }

  #add(file: string, lines: JsonValue | undefined) {
    this.#ranges.set(file, (this.#ranges.get(file) ?? []).concat(rangesIn(lines)))
    this.#joined.delete(file)
  }
}

/** What of a value are ranges. An entry that a database's owner has invented may hold anything. */
export const rangesIn = (lines: JsonValue | undefined): Range[] => (Array.isArray(lines) ? lines.filter(isRange) : [])

function joinedOf(ranges: readonly Range[]): Range[] {
  const joined: Range[] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

const isRange = (range: JsonValue): range is Range =>
  Array.isArray(range) && range.length === 2 && range.every((n) => typeof n === 'number')
