import type { EventRecord } from '#features/records/calls/record.ts'
import { durationOf } from '#features/records/figures.ts'
import { type Chart, count } from './pdf-parts.ts'

/** People over time, stacked: in danger on top, unknown, safe. */
export function curveChart({ people: { curve }, seconds }: EventRecord): Chart | undefined {
  if (!curve || curve.steps.length === 0) return undefined
  const most = Math.max(1, ...curve.steps.map(([safe, unknown, danger]) => safe + unknown + danger))
  const [safe, unknown, danger] = curve.steps.at(-1) ?? [0, 0, 0]
  const area = (fill: string, low: (step: Step) => number, high: (step: Step) => number) => ({
    fill,
    points: [...edge(curve.steps, high, most), ...edge(curve.steps, low, most).reverse()],
  })
  return {
    kind: 'chart',
    alt: `People over time: ${count(most)} at most. At the end, after ${durationOf(seconds)}, ${count(safe)} were safe, ${count(unknown)} unknown and ${count(danger)} in danger.`,
    caption: `People over ${durationOf(seconds)}, ${count(most)} at most. From below: safe (green), unknown (grey), in danger (red).`,
    areas: [
      area(
        '#2e7d4f',
        () => 0,
        ([s]) => s,
      ),
      area(
        '#b4bac4',
        ([s]) => s,
        ([s, u]) => s + u,
      ),
      area(
        '#b3261e',
        ([s, u]) => s + u,
        ([s, u, d]) => s + u + d,
      ),
    ],
  }
}

type Step = readonly [number, number, number]

/** A step is level from its beginning to its end. */
const edge = (steps: readonly Step[], heightOf: (step: Step) => number, most: number): [number, number][] =>
  steps.flatMap((step, at): [number, number][] => {
    const y = 1 - heightOf(step) / most
    return [
      [at / steps.length, y],
      [(at + 1) / steps.length, y],
    ]
  })
