import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/** A figure with its baseline from the same run. Compare ratios: machines are noisy. */
export interface Row {
  name: string
  value: number
  baseline?: number
  ratio?: number
  target?: string
}

/** A row with a baseline. `target` is about the value if it has a unit, else about the ratio. */
export const withBaseline = (name: string, value: number, baseline: number, target?: string): Row => ({
  name,
  value,
  baseline,
  ratio: value / baseline,
  ...(target && { target }),
})

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN
}
export const median = (values: readonly number[]) => percentile(values, 50)

/**
 * Reads the words of the target. A number with a unit is about the value, a number without is about the ratio if there
 * is one.
 */
function isMet({ value, ratio, target = '' }: Row): boolean | undefined {
  const [, sign, limit, unit] = /(<=|>=|<|=)\s*([\d.]+)\s*(ms|s|MB|kB)?\b/.exec(target) ?? []
  const range = /^([\d.]+) to ([\d.]+)$/.exec(target)
  const figure = unit || ratio === undefined ? value : ratio
  if (range) return figure >= Number(range[1]) && figure <= Number(range[2])
  if (sign === '<') return figure < Number(limit)
  if (sign === '<=') return figure <= Number(limit)
  if (sign === '>=') return figure >= Number(limit)
  return sign === '=' ? figure === Number(limit) : undefined
}
const words = { true: 'yes', false: 'NO', undefined: '' } as const

/** Prints the table and writes it to bench/results/ with the commit. */
export function report(rows: readonly Row[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const round = (n: number | undefined) => (n === undefined ? '' : n >= 100 ? n.toFixed(0) : n.toFixed(2))
  console.table(
    rows.map((row) => ({
      figure: row.name,
      value: round(row.value),
      baseline: round(row.baseline),
      ratio: round(row.ratio),
      target: row.target ?? '',
      met: words[`${isMet(row)}`],
    })),
  )
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg(),
    node: process.version,
  }
  const folder = join(import.meta.dirname, '../results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}-${commit}.json`)
  writeFileSync(file, `${JSON.stringify({ commit, at: new Date().toISOString(), machine, rows }, null, 2)}\n`)
  console.log(`Written to ${file}`)
}
