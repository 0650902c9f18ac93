import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { RecordReplay } from '../../calls/replay.ts'

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
