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

  /** `after` of `lines_erased` or of `log_form`. */
  add(after: JsonValue): void {
    if (after === null || typeof after !== 'object' || Array.isArray(after)) return
    const { missing } = after
    if (missing !== null && typeof missing === 'object' && !Array.isArray(missing))
      for (const [file, lines] of Object.entries(missing)) this.#add(file, lines)
    else if (typeof after.file === 'string') this.#add(after.file, after.lines)
  }

  has(file: ErasableFile, n: number): boolean {
    return this.#ranges.get(file)?.some(([from, to]) => n >= from && n <= to) ?? false
  }

  /** The ranges of a file, as they were said. */
  of(file: ErasableFile): readonly Range[] {
    return this.#ranges.get(file) ?? []
  }

  #add(file: string, lines: JsonValue | undefined) {
    const ranges = Array.isArray(lines) ? lines.filter(isRange) : []
    this.#ranges.set(file, [...(this.#ranges.get(file) ?? []), ...ranges])
  }
}

const isRange = (range: JsonValue): range is Range =>
  Array.isArray(range) && range.length === 2 && range.every((n) => typeof n === 'number')
