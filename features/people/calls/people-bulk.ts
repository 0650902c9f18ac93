import { Type } from 'typebox'
import { groupLimits, uploadChangeKinds } from '#kernel/console-kinds.ts'
import { BuildingUid, FloorUid, GroupUid, PersonUid, PlaceUid, UploadUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const policy = { access: 'console', right: 'people' } as const
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const closed = { additionalProperties: false } as const
const Place = Type.Union([FloorUid, BuildingUid])

/** What is done to ticked people at once. */
export const bulkActs = ['invite', 'move', 'add_to_group', 'take_out_of_group', 'deactivate'] as const

export const changePeople = defineCall({
  summary:
    'One act on up to 500 people: all of it or nothing, except that invitations and deactivations leave out people they may not touch',
  method: 'POST',
  path: '/api/console/people/bulk',
  body: Type.Object(
    {
      people: Type.Array(PersonUid, { minItems: 1, maxItems: groupLimits.peopleOfChange }),
      act: Type.Enum([...bulkActs]),
      /** Of `move`: a floor, or for visitors a building. */
      place: Type.Optional(Place),
      /** Of the acts of a group. */
      group: Type.Optional(GroupUid),
      /** Changes nothing, and answers what would change. */
      preview: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  reply: Type.Object({
    done: Type.Integer(),
    /** Deactivations of wardens on duty, which wait. */
    waits: Type.Integer(),
    left: Type.Array(Type.Object({ person: PersonUid, name: Type.String(), reason: Type.String() })),
    /** What has changed, or would change, of whom. */
    difference: Type.Array(
      Type.Object({
        title: Type.String(),
        kind: Type.Enum(uploadChangeKinds),
        cells: Type.Array(Type.Object({ column: Type.String(), before: TextOrNull, after: TextOrNull })),
      }),
    ),
    /** By which it can be undone. Null if nothing has changed. */
    upload: Type.Union([UploadUid, Type.Null()]),
  }),
  policy,
  refusals: [
    ...([
      'busy',
      'not_found',
      'forbidden',
      'confirm_identity',
      'beyond_reach',
      'last_administrator',
      'invalid_transition',
    ] as const),
  ],
})

export const movePeople = defineCall({
  summary: `Move the active people of a place to another one, ${groupLimits.peopleOfChange} a call`,
  method: 'POST',
  path: '/api/console/people/move',
  body: Type.Object({ from: PlaceUid, to: Place }, closed),
  /** `remaining`: call again. */
  reply: Type.Object({ moved: Type.Integer(), remaining: Type.Integer() }),
  policy,
  refusals: ['busy', 'not_found'],
})
