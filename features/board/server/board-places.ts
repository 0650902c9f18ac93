import { createHash } from 'node:crypto'
import type { BoardPlaces } from '../calls/board.ts'
import type { BoardRow } from './board.queries.ts'

/** Buildings and floors in the order of the board, with a version that changes with any of them. */
export function presentPlaces({ buildings, places, statuses }: BoardRow): BoardPlaces {
  const floorsOf = Map.groupBy(places, ({ buildingUid }) => buildingUid)
  const shown = {
    statuses: statuses.map(({ name, colour, meansClear, isFirst }) => ({
      ...{ name, colour, means_clear: meansClear, is_first: isFirst },
    })),
    buildings: buildings.map(({ uid, name }) => ({
      id: uid,
      name,
      floors: (floorsOf.get(uid) ?? []).map((floor) => ({
        ...{ id: floor.uid, name: floor.name ?? 'No floor', level: floor.level },
      })),
    })),
  }
  return { version: versionOf(shown), ...shown }
}

/** Equal for equal content, on whatever node. */
export const versionOf = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)
