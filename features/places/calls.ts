import { type Static, Type } from 'typebox'
import { BuildingUid, EventUid, FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const closed = { additionalProperties: false } as const
const Nullable = Type.Null()
const policy = { access: 'console', right: 'places' } as const

const Name = Type.String({ maxLength: 300 })
/** Import files name places by it. Empty or left out: a new place gets one, another one keeps its own. */
const Code = Type.Optional(Type.String({ maxLength: 100 }))
const Count = Type.Integer({ minimum: 0 })

/** What every place has. `version` goes back with a change. */
const place = {
  code: Type.String(),
  name: Type.String(),
  version: Type.String(),
  /** ISO 8601. Null while in use. */
  retired_at: Type.Union([Type.String(), Nullable]),
  /** Active people, visitors from today on. */
  people: Count,
  /** Accepted and in date today. */
  wardens: Count,
  /** Offered or accepted ones that are not past. */
  assignments: Count,
}

/** Days from one drill of a building to the next, and when shifts begin: '07:00;15:00;23:00', or ''. */
const drilling = {
  drill_every_days: Type.Integer({ minimum: 7, maximum: 1825 }),
  drill_shifts: Type.String({ maxLength: 200 }),
}

export type SitePlace = Static<typeof SitePlace>
export const SitePlace = Type.Object({
  uid: SiteUid,
  ...place,
  timezone: Type.String(),
  ...drilling,
  buildings: Count,
  floors: Count,
  documents: Count,
  /** The running event, which keeps places from being retired. */
  event: Type.Union([EventUid, Nullable]),
})

export type BuildingPlace = Static<typeof BuildingPlace>
export const BuildingPlace = Type.Object({ uid: BuildingUid, ...place, floors: Count })

export type FloorPlace = Static<typeof FloorPlace>
export const FloorPlace = Type.Object({
  uid: FloorUid,
  building: BuildingUid,
  ...place,
  level: Type.Integer(),
  kind: Type.Enum(['floor', 'area']),
})

export const listPlaces = defineCall({
  summary: 'Sites by name; with a site its buildings and floors, of more than 500 floors those of one building',
  method: 'GET',
  path: '/api/console/places',
  query: Type.Object({ site: Type.Optional(SiteUid), building: Type.Optional(BuildingUid) }),
  reply: Type.Object({
    /** All within reach, or the one that was asked for. */
    sites: Type.Array(SitePlace),
    buildings: Type.Array(BuildingPlace),
    /** By level and name. Retired ones are included, for 'Retired (n)'. */
    floors: Type.Array(FloorPlace),
    /** True if floors are read building by building. */
    by_building: Type.Boolean(),
  }),
  policy,
  refusals: ['not_found'],
})

const changes = ['not_found', 'taken', 'busy'] as const

export const addSite = defineCall({
  summary: 'Add a site; an administrator of one site cannot',
  method: 'POST',
  path: '/api/console/places/site',
  body: Type.Object({ name: Name, code: Code, timezone: Type.Optional(Name) }, closed),
  reply: Type.Object({ uid: SiteUid }),
  policy,
  refusals: ['forbidden', ...changes],
})

export const addBuilding = defineCall({
  summary: 'Add a building to a site',
  method: 'POST',
  path: '/api/console/places/building',
  body: Type.Object({ site: SiteUid, name: Name, code: Code }, closed),
  reply: Type.Object({ uid: BuildingUid }),
  policy,
  refusals: ['forbidden', ...changes],
})

export const addFloors = defineCall({
  summary: 'Add floors or areas to a building, up to 200 at once; counted from the next event on',
  method: 'POST',
  path: '/api/console/places/floor',
  body: Type.Object(
    {
      building: BuildingUid,
      kind: Type.Enum(['floor', 'area']),
      /** In order from the bottom. Without a level they go on top. */
      floors: Type.Array(
        Type.Object(
          { name: Name, code: Code, level: Type.Optional(Type.Integer({ minimum: -100, maximum: 1000 })) },
          closed,
        ),
        { minItems: 1, maxItems: 200 },
      ),
    },
    closed,
  ),
  reply: Type.Object({ uids: Type.Array(FloorUid) }),
  policy,
  refusals: ['forbidden', ...changes],
})

const ofPlace = { params: Type.Object({ uid: PlaceUid }) } as const
const done = Type.Object({ status: Type.Literal('done') })

export const changePlace = defineCall({
  summary:
    'Rename a place or give it another code; a site may change its time zone while no event runs there, and how often it drills',
  method: 'POST',
  path: '/api/console/places/:uid',
  ...ofPlace,
  body: Type.Object(
    {
      version: Type.String({ maxLength: 40 }),
      name: Name,
      code: Code,
      timezone: Type.Optional(Name),
      drill_every_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 })),
      drill_shifts: Type.Optional(drilling.drill_shifts),
      kind: Type.Optional(Type.Enum(['floor', 'area'])),
    },
    closed,
  ),
  reply: done,
  policy,
  refusals: ['forbidden', 'in_event', 'changed_since', ...changes],
})

export const movePlace = defineCall({
  summary: 'Put a floor behind another one of its building, or first; `level` follows',
  method: 'POST',
  path: '/api/console/places/:uid/move',
  ...ofPlace,
  body: Type.Object({ after: Type.Union([FloorUid, Nullable]) }, closed),
  reply: done,
  policy,
  refusals: ['forbidden', ...changes],
})

export const retirePlace = defineCall({
  summary: 'Take a place out of use, with what it holds; refused with what still needs it',
  method: 'POST',
  path: '/api/console/places/:uid/retire',
  ...ofPlace,
  reply: done,
  policy,
  refusals: ['forbidden', 'in_event', 'in_use', ...changes],
})

export const bringBackPlace = defineCall({
  summary: 'Restore a retired place, with what was retired with it',
  method: 'POST',
  path: '/api/console/places/:uid/bring-back',
  ...ofPlace,
  reply: done,
  policy,
  refusals: ['forbidden', 'invalid_transition', ...changes],
})
