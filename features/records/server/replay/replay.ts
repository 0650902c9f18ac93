import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { StatusCounts } from '#kernel/vocabulary.ts'
import type { RecordReplay } from '../../calls/replay.ts'

export interface PlaceMove extends StatusCounts {
  step: number
  placeUid: string
}

export interface ReplaySource {
  stepSeconds: number
  steps: number
  places: RecordReplay['places']
  statuses: readonly { uid: string; name: string; colour: string; isFirst: boolean }[]
  /** How the counts of places changed, by step. */
  moves: readonly PlaceMove[]
  /** Changes of statuses by the time seen. `placeUid` null: of every floor, to the first status. */
  changes: readonly { placeUid: string | null; statusUid: string | null; seconds: number }[]
  /** When floors had a warden of their own on duty, and when no more. */
  covered: readonly { placeUid: string; seconds: number; isCovered: boolean }[]
}

type Cell = Record<'safe' | 'unknown' | 'danger' | 'status' | 'warden', number>

/** Each place as it stood at the end of each step in which it changed. */
export function replayOf({
  stepSeconds,
  steps,
  places,
  statuses,
  moves,
  changes,
  covered,
}: ReplaySource): RecordReplay {
  const first = statuses.findIndex(({ isFirst }) => isFirst)
  const cells = places.map(
    ({ name }): Cell => ({ safe: 0, unknown: 0, danger: 0, status: name === null ? -1 : first, warden: 0 }),
  )
  const at = new Map<string, number>(places.map(({ id }, nth) => [id, nth]))
  const statusAt = new Map(statuses.map(({ uid }, nth) => [uid, nth]))
  const stepOf = (seconds: number) => Math.min(steps - 1, Math.floor(seconds / stepSeconds))
  const acts = Map.groupBy(
    [
      ...moves.map(({ step, placeUid, safe, unknown, danger }) => ({
        step: Math.min(steps - 1, step),
        placeUid,
        change: (cell: Cell) => {
          cell.safe += safe
          cell.unknown += unknown
          cell.danger += danger
        },
      })),
      ...changes.map(({ seconds, placeUid, statusUid }) => ({
        step: stepOf(seconds),
        placeUid,
        change: (cell: Cell) => {
          if (cell.status >= 0) cell.status = statusAt.get(statusUid ?? '') ?? first
        },
      })),
      ...covered.map(({ seconds, placeUid, isCovered }) => ({
        step: stepOf(seconds),
        placeUid,
        change: (cell: Cell) => {
          cell.warden = isCovered ? 1 : 0
        },
      })),
    ],
    ({ step }) => step,
  )
  const told: number[][] = []
  for (let step = 0; step < steps; step++) {
    const changed = new Set<number>(step === 0 ? cells.keys() : [])
    for (const { placeUid, change } of acts.get(step) ?? []) {
      const place = placeUid === null ? undefined : at.get(placeUid)
      for (const nth of placeUid === null ? cells.keys() : place === undefined ? [] : [place]) {
        const cell = cells[nth]
        if (cell) change(cell)
        changed.add(nth)
      }
    }
    for (const nth of [...changed].toSorted((a, b) => a - b)) {
      const cell = cells[nth]
      if (cell) told.push([step, nth, cell.safe, cell.unknown, cell.danger, cell.status, cell.warden])
    }
  }
  return {
    stepSeconds,
    steps,
    statuses: statuses.map(({ name, colour }) => ({ name, colour })),
    places: [...places],
    cells: told,
  }
}

/** Only places within reach. */
export function onlyPlaces(
  replay: RecordReplay,
  isWithin: (place: RecordReplay['places'][number]) => boolean,
): RecordReplay {
  const kept = replay.places.flatMap((place, nth) => (isWithin(place) ? [nth] : []))
  const now = new Map(kept.map((nth, at) => [nth, at]))
  return {
    ...replay,
    places: replay.places.filter(isWithin),
    cells: replay.cells.flatMap(([step = 0, place = 0, ...rest]) => {
      const at = now.get(place)
      return at === undefined ? [] : [[step, at, ...rest]]
    }),
  }
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)]

/** As it is kept. */
export const packReplay = (replay: RecordReplay): Promise<Buffer> => pack(JSON.stringify(replay))
export const unpackReplay = async (kept: Buffer): Promise<RecordReplay> => JSON.parse(String(await unpack(kept)))
