import type { RecordReplay } from '../../calls/replay.ts'
import type { Counted } from './count.service.ts'
import { within } from './spans.ts'

type Cell = Record<'safe' | 'unknown' | 'danger' | 'status' | 'warden', number>
const outside = -1
const setWarden = (warden: number) => (cell: Cell) => {
  cell.warden = warden
}

/**
 * Each place as it stood at the end of each step in which it changed. Before its building joins and after it left its status is -1,
 * and its counts stay. Last comes the building itself if it has people without a floor.
 */
export function replayOf({
  walked,
  floors,
  buildings,
  statuses,
  coverage,
  steps,
  presence,
  part,
}: Counted): RecordReplay {
  const { stepSeconds, curve, changes } = walked
  const peopled = new Set(changes.map(({ place }) => place))
  const places = buildings.flatMap(({ uid, name }) => [
    ...floors
      .filter(({ building }) => building === uid)
      .map(({ floor, name: of }) => ({ id: floor, name: of, building: uid, building_name: name })),
    ...(peopled.has(uid) ? [{ id: uid, name: null, building: uid, building_name: name }] : []),
  ])
  const nthOf = new Map<string, number>(places.map(({ id }, nth) => [id, nth]))
  const statusAt = new Map(statuses.map(({ uid }, nth) => [uid, nth]))
  const first = statuses.findIndex(({ isFirst }) => isFirst)
  const stepOf = (at: number) => Math.min(curve.length - 1, Math.floor(at / stepSeconds))
  const acts: { at: number; step: number; place: string; change: (cell: Cell) => void }[] = []
  for (const step of steps)
    if (step.kind === 'floor')
      acts.push({
        at: step.at,
        step: stepOf(step.at),
        place: step.floor,
        change: (cell) => {
          cell.status = statusAt.get(step.status) ?? first
        },
      })
  for (const { step, place, counts } of changes)
    acts.push({
      at: step * stepSeconds,
      step,
      place,
      change: (cell) => {
        ;[cell.safe, cell.unknown, cell.danger] = counts
      },
    })
  for (const [place, { spans }] of coverage.covers)
    for (const { from, to } of spans.flatMap((span) => within(span, [{ from: 0, to: part.to }])))
      for (const [at, warden] of [[from, 1] as const, ...(to < part.to ? [[to, 0] as const] : [])])
        acts.push({ at, step: stepOf(at), place, change: setWarden(warden) })
  const cells = places.map(
    ({ name }): Cell => ({ safe: 0, unknown: 0, danger: 0, status: name === null ? outside : first, warden: 0 }),
  )
  const isIn = (building: string, step: number) => {
    const next = (step + 1) * stepSeconds
    const spans = presence.find(({ uid }) => uid === building)?.spans ?? []
    // a step is its last instant, and the last one is the end
    return step === curve.length - 1
      ? spans.some(({ from, to }) => from <= part.to && part.to < to)
      : spans.some(({ from, to }) => from < next && next <= to)
  }
  return {
    stepSeconds,
    steps: curve.length,
    statuses: statuses.map(({ name, colour }) => ({ name, colour })),
    places,
    cells: cellsOf({ length: curve.length, places, cells, acts, nthOf, isIn }),
  }
}

interface Playing {
  length: number
  places: RecordReplay['places']
  cells: Cell[]
  acts: readonly { at: number; step: number; place: string; change: (cell: Cell) => void }[]
  nthOf: ReadonlyMap<string, number>
  isIn: (building: string, step: number) => boolean
}

/** What changed in each step. The first has every place. */
function cellsOf({ length, places, cells, acts, nthOf, isIn }: Playing): number[][] {
  const byStep = Map.groupBy(
    acts.toSorted((a, b) => a.at - b.at),
    ({ step }) => step,
  )
  const told: number[][] = []
  const shown: string[] = places.map(() => '')
  for (let step = 0; step < length; step++) {
    for (const { place, change } of byStep.get(step) ?? []) {
      const cell = cells[nthOf.get(place) ?? -1]
      if (cell) change(cell)
    }
    for (const [nth, { safe, unknown, danger, status, warden }] of cells.entries()) {
      const now = [safe, unknown, danger, isIn(places[nth]?.building ?? '', step) ? status : outside, warden]
      if (shown[nth] === now.join()) continue
      shown[nth] = now.join()
      told.push([step, nth, ...now])
    }
  }
  return told
}
