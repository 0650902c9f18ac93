import type { EventRecord } from '#features/records/calls/record.ts'

/** The building or floor of a record by its uid: 'Tower A - Level 3'. Undefined: none, or beyond the reader's places. */
export function placeNames({ buildings, floors }: EventRecord): (uid: unknown) => string | undefined {
  const names = new Map<unknown, string>([
    ...buildings.map(({ id, name }) => [id, name] as const),
    ...floors.rows.map(({ id, name, building_name }) => [id, `${building_name} - ${name}`] as const),
  ])
  return (uid) => names.get(uid)
}
