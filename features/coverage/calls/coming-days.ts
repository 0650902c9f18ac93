import { type Static, Type } from 'typebox'
import { BuildingUid, FloorUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { Day } from '#kernel/vocabulary.schemas.ts'

const Nullable = Type.Null()
const Count = Type.Integer({ minimum: 0 })

const CoverageCell = Type.Object({
  role: WardenRoleUid,
  /** Names of who has accepted. */
  accepted: Type.Array(Type.String()),
  offered: Count,
})

export type CoverageFloor = Static<typeof CoverageFloor>
export const CoverageFloor = Type.Object({
  uid: FloorUid,
  building: BuildingUid,
  name: Type.String(),
  cells: Type.Array(CoverageCell),
})

export const getCoverage = defineCall({
  summary: 'Who has which floor of a site on a day: rows floors, columns roles of domain Floor and Area',
  method: 'GET',
  path: '/api/console/coverage',
  query: Type.Object({ site: SiteUid, day: Type.Optional(Day), building: Type.Optional(BuildingUid) }),
  reply: Type.Object({
    site: Type.Object({ uid: SiteUid, name: Type.String() }),
    day: Day,
    /** 14 days from today at the site, with the number of floors that nobody has accepted. */
    days: Type.Array(Type.Object({ day: Day, without: Count })),
    /** Building and site wardens who have accepted that day. */
    wardens: Type.Array(
      Type.Object({ name: Type.String(), role: Type.String(), building: Type.Union([BuildingUid, Nullable]) }),
    ),
    roles: Type.Array(Type.Object({ uid: WardenRoleUid, name: Type.String() })),
    buildings: Type.Array(Type.Object({ uid: BuildingUid, name: Type.String() })),
    floors: Type.Array(CoverageFloor),
    /** True if the site has over 500 floors: they, and the counts of `days`, are those of one building. */
    by_building: Type.Boolean(),
  }),
  policy: { access: 'console', right: 'wardens' },
  refusals: ['not_found'],
})
