import type { Picture } from '../reading/board-snapshot.ts'

export interface Selection {
  /** The floor's id: it keeps its panel when a building joins above it. */
  id: string
  /** Its name, for when it has left the event. */
  name: string
  /** Whether the panel takes the focus: Enter does, a need that is opened does not. */
  takesFocus: boolean
}

/** A floor by its place in the board or by its id. */
export function selectionOf(
  { places }: Pick<Picture, 'places'>,
  floor: number | string,
  takesFocus = false,
): Selection | null {
  const all = places.buildings.flatMap((building) =>
    building.floors.map(({ id, name }) => ({ id, name: `${building.name} · ${name}` })),
  )
  const found = typeof floor === 'number' ? all[floor] : all.find(({ id }) => id === floor)
  return found ? { ...found, takesFocus } : null
}
