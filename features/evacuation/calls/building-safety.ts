import { type Static, Type } from 'typebox'
import { BuildingUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { StatusTotals } from '#kernel/vocabulary.schemas.ts'

/** A building of the event. `duration` is in whole seconds since the building joined the event. */
export type BuildingSafety = Static<typeof BuildingSafety>
export const BuildingSafety = Type.Object({
  id: BuildingUid,
  name: Type.String(),
  stats: StatusTotals,
  duration: Type.Integer(),
})

/** Site, its total, and the event's buildings by name. */
export type SafetySummary = Static<typeof SafetySummary>
export const SafetySummary = Type.Object({
  site: Type.Object({ id: SiteUid, name: Type.String() }),
  total: StatusTotals,
  buildings: Type.Array(BuildingSafety),
})
const NoSummary = Type.Object({ status: Type.Literal('error'), message: Type.String() })

export const getSafetySummary = defineCall({
  summary: 'Safe, unknown and in danger per building of the event and at its site',
  method: 'GET',
  path: '/api/building/evacuation/data',
  reply: Type.Union([SafetySummary, NoSummary]),
  policy: { access: 'duty', flag: 'Module_Building_Evacuation_Status', withoutEvent: 'answer' },
})
