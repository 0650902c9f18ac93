import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/** A figure beside its limit in the same run: the ratio is what counts, machines are noisy. */
export interface Row {
  name: string
  value: number
  bare?: number
  ratio?: number
  aim?: string
}

/** A row with a baseline. `aim` is about the value if it has a unit, else about the ratio. */
export const beside = (name: string, value: number, bare: number, aim?: string): Row => ({
  name,
  value,
  bare,
  ratio: value / bare,
  ...(aim && { aim }),
})

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN
}
export const median = (values: readonly number[]) => percentile(values, 50)

/**
 * Whether a row is within its aim, which is written once, in words: a number with a unit is about
 * the value, one without about the ratio where there is one.
 */
function isMet({ value, ratio, aim = '' }: Row): boolean | undefined {
  const [, sign, limit, unit] = /(<=|>=|<|=)\s*([\d.]+)\s*(ms|s|MB|kB)?\b/.exec(aim) ?? []
  const range = /^([\d.]+) to ([\d.]+)$/.exec(aim)
  const figure = unit || ratio === undefined ? value : ratio
  if (range) return figure >= Number(range[1]) && figure <= Number(range[2])
  if (sign === '<') return figure < Number(limit)
  if (sign === '<=') return figure <= Number(limit)
  if (sign === '>=') return figure >= Number(limit)
  return sign === '=' ? figure === Number(limit) : undefined
}
const words = { true: 'yes', false: 'NO', undefined: '' } as const

/** Prints the table and keeps it with the commit in bench/results/. */
export function report(rows: readonly Row[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const round = (n: number | undefined) => (n === undefined ? '' : n >= 100 ? n.toFixed(0) : n.toFixed(2))
  console.table(
    rows.map((row) => ({
      figure: row.name,
      value: round(row.value),
      beside: round(row.bare),
      ratio: round(row.ratio),
      aim: row.aim ?? '',
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
