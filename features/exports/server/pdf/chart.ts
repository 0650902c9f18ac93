import type { EventRecord } from '#features/records/calls/record.ts'
import { sayOfRecord } from '#features/records/doing.ts'
import { durationOf, ticksOf, timeTicksOf } from '#features/records/figures.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { type Chart, count } from './pdf-parts.ts'

/** People over time, stacked: in danger on top, unknown, safe. */
export function curveChart({ people: { curve }, seconds, ...record }: EventRecord): Chart | undefined {
  const say = sayOfRecord(record)
  if (!curve || curve.steps.length === 0) return undefined
  const most = Math.max(0, ...curve.steps.map(([safe, unknown, danger]) => safe + unknown + danger))
  const ticks = ticksOf(most)
  const area = (status: SafetyStatus, word: string, low: (step: Step) => number, high: (step: Step) => number) => ({
    status,
    word,
    points: [...edge(curve.steps, high, ticks[2]), ...edge(curve.steps, low, ticks[2]).reverse()],
  })
  const [safe, unknown, danger] = curve.steps.at(-1) ?? [0, 0, 0]
  return {
    kind: 'chart',
    alt: say(
      `People over time: ${count(most)} at most. At the end, after ${durationOf(seconds)}, ${count(safe)} were safe, ${count(unknown)} unknown and ${count(danger)} in danger.`,
    ),
    caption: say(`People over ${durationOf(seconds)}, ${count(most)} at most. From below: safe, unknown, in danger.`),
    across: 'Time since the start',
    up: 'People',
    acrossTicks: timeTicksOf(seconds),
    upTicks: ticks.map(count),
    areas: [
      area(
        'safe',
        say('Safe'),
        () => 0,
        ([s]) => s,
      ),
      area(
        'unknown',
        'Unknown',
        ([s]) => s,
        ([s, u]) => s + u,
      ),
      area(
        'danger',
        say('In danger'),
        ([s, u]) => s + u,
        ([s, u, d]) => s + u + d,
      ),
    ],
  }
}

type Step = readonly [number, number, number]

/** A step is level from its beginning to its end. */
const edge = (steps: readonly Step[], heightOf: (step: Step) => number, top: number): [number, number][] =>
  steps.flatMap((step, at): [number, number][] => {
    const y = 1 - heightOf(step) / top
    return [
      [at / steps.length, y],
      [(at + 1) / steps.length, y],
    ]
  })
