import { type Static, Type } from 'typebox'
import { BuildingUid, EventUid, FloorUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const count = Type.Integer({ minimum: 0 })

/** One file, made with the record. It has counts and no persons. */
export type RecordReplay = Static<typeof RecordReplay>
export const RecordReplay = Type.Object({
  stepSeconds: count,
  /** At most 300. Step n is what stood at the end of its seconds. */
  steps: count,
  /** Statuses of floors, in the organisation's words and colours. */
  statuses: Type.Array(Type.Object({ name: Type.String(), colour: Type.String() })),
  /** Building by building, floors from the top down, and last the building itself if it has people without a floor. */
  places: Type.Array(
    Type.Object({
      id: Type.Union([FloorUid, BuildingUid]),
      /** Null: the building's people without a floor. */
      name: Type.Union([Type.String(), Type.Null()]),
      building: BuildingUid,
      building_name: Type.String(),
    }),
  ),
  /**
   * What changed, in order: step, place, safe, unknown, in danger, status (-1: none, and before the building
   * joined or after it left), and 1 if a warden of the place was on
   * duty, else 0. Step 0 has every place.
   */
  cells: Type.Array(Type.Array(Type.Integer(), { minItems: 7, maxItems: 7 })),
})

export const getReplay = defineCall({
  summary: 'The event in at most 300 steps: counts, status and warden of each place. Within reach only',
  method: 'GET',
  path: '/api/event/records/:eventUid/replay',
  params: Type.Object({ eventUid: EventUid }),
  reply: RecordReplay,
  policy: { access: 'session', flag: 'Module_Event_Records', orConsole: 'records' },
  refusals: ['not_found', 'record_not_ready'],
})
