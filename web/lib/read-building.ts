import { ApiError } from '#kernel/client/client.ts'
import type { BuildingUid } from '#kernel/ids.ts'

type OfBuilding = { building_id?: BuildingUid }

/** Reads data of a building. If the building has left the event, reads what is shown without a choice. */
export function readBuilding<T>(building: BuildingUid | null, read: (query: OfBuilding) => Promise<T>): Promise<T> {
  if (building === null) return read({})
  return read({ building_id: building }).catch((error) => (isGone(error) ? read({}) : Promise.reject(error)))
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'not_found'
