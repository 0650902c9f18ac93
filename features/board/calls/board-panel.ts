import { type Static, Type } from 'typebox'
import { AssignmentUid, BuildingUid, PersonUid, SelfReportUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { StatusTotals } from '#kernel/vocabulary.schemas.ts'
import { recordOf } from '#kernel/vocabulary.ts'
import { boardSources, unknownCauses } from '../kinds.ts'
import { Instant, Place } from './board.ts'

const Name = Type.String()

/** What the panel says of a floor, or of a building's people on no floor. Names of wardens only. */
export type BoardPanel = Static<typeof BoardPanel>
export const BoardPanel = Type.Object({
  at: Instant,
  floor: Type.Object({ id: Place, name: Name, building: Type.Object({ id: BuildingUid, name: Name }) }),
  /** Null: people on no floor. */
  status: Type.Union([
    Type.Object({
      name: Name,
      colour: Type.String(),
      means_clear: Type.Boolean(),
      /** Null before the first change. `source` is absent for the floor's own warden or claimant. */
      set: Type.Union([
        Type.Object({
          at: Instant,
          by: Name,
          role: Type.Union([Type.String(), Type.Null()]),
          source: Type.Optional(Type.Enum([...boardSources])),
        }),
        Type.Null(),
      ]),
    }),
    Type.Null(),
  ]),
  people: StatusTotals,
  refused: Type.Integer(),
  plans: Type.Integer(),
  unknown_by_cause: Type.Object(recordOf(unknownCauses, () => Type.Integer())),
  wardens: Type.Array(
    Type.Object({
      assignment: AssignmentUid,
      sign_in: SignInUid,
      person: PersonUid,
      name: Name,
      role: Type.String(),
      on_duty_at: Instant,
      is_claimant: Type.Boolean(),
    }),
  ),
  /** Open calls for help, the oldest first, at most 20. Name and words are null without Module_Evacuee_Safety. */
  calls: Type.Array(
    Type.Object({
      uid: SelfReportUid,
      at: Instant,
      name: Type.Union([Name, Type.Null()]),
      words: Type.Union([Type.String(), Type.Null()]),
      /** Additive: it came while the event was a drill. */
      in_drill: Type.Optional(Type.Literal(true)),
    }),
  ),
  /** What is dangerous on the floor, in its whole building or at the whole site, newest first. */
  hazards: Type.Array(Type.String()),
  gap_at: Type.Union([Instant, Type.Null()]),
  claim: Type.Union([Type.Object({ by: Name, at: Instant }), Type.Null()]),
  offer: Type.Union([Type.Object({ to: Name, at: Instant }), Type.Null()]),
})

export const getBoardFloor = defineCall({
  summary: 'One row of the board: status, wardens, claim, offer, causes of unknown',
  method: 'GET',
  path: '/api/event/board/floors/:floorId',
  params: Type.Object({ floorId: Place }),
  reply: BoardPanel,
  policy: { access: 'duty', flag: 'Module_Building_Evacuation_Status', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty', 'not_found'],
})
