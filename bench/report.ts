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

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN
}
export const median = (values: readonly number[]) => percentile(values, 50)

/** Prints the table and keeps it with the commit in bench/results/. */
export function report(rows: readonly Row[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const round = (n: number | undefined) => (n === undefined ? '' : n >= 100 ? n.toFixed(0) : n.toFixed(2))
  console.table(
    rows.map(({ name, value, bare, ratio, aim }) => ({
      name,
      value: round(value),
      beside: round(bare),
      ratio: round(ratio),
      aim: aim ?? '',
    })),
  )
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg(),
    node: process.version,
  }
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}-${commit}.json`)
  writeFileSync(file, `${JSON.stringify({ commit, at: new Date().toISOString(), machine, rows }, null, 2)}\n`)
  console.log(`Written to ${file}`)
}
