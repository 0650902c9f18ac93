import { type Static, Type } from 'typebox'
import { contradictionKinds, unknownCauses } from '#features/board/kinds.ts'
import { BuildingUid, EvacueeUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus } from '#kernel/vocabulary.schemas.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { accountLists, grades, keepReason, ownWays, saidWords } from './kinds.ts'

const onDuty = (flag: ModuleFlag) => ({ access: 'duty', flag, withoutEvent: 'refuse' }) as const
/** A floor, or a building for its people on no floor. */
const Place = Type.Union([FloorUid, BuildingUid])
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

/** How good a state is, who said so, where they saw it, and when. `at` is in the database's steady time, ISO 8601. */
export type Source = Static<typeof Source>
export const Source = Type.Object({
  grade: Type.Enum([...grades]),
  by: orNull(Type.Object({ name: Type.String(), role: orNull(Type.String()) })),
  floor: orNull(Type.String()),
  at: orNull(Type.String()),
  /** Of the grade 'own': 'Own text', 'Own page' or 'Own call'. Left out means text. */
  own: Type.Optional(Type.Enum([...ownWays])),
})

/** A person to account for. `plan` is the mark alone: no screen of accounting shows the text of a PEEP. */
export type AccountedPerson = Static<typeof AccountedPerson>
export const AccountedPerson = Type.Object({
  id: PersonUid,
  evacuee_list_uid: EvacueeUid,
  name: Type.String(),
  location: Type.String(),
  floor: orNull(FloorUid),
  phone: orNull(Type.String()),
  status: SafetyStatus,
  on_floor: Type.Boolean(),
  refused: Type.Boolean(),
  visitor: Type.Boolean(),
  plan: Type.Boolean(),
  unread: Type.Boolean(),
  sms_refused: Type.Boolean(),
  source: Source,
  /** Of unknown people. */
  cause: orNull(Type.Enum([...unknownCauses])),
  /** What someone in danger wrote on their own page of where they are. */
  said: Type.Optional(Type.String()),
})

/** The moment of the answer, in the time of `Source.at`: ages count from it. */
const at = Type.String()

export type AccountedPage = Static<typeof AccountedPage>
export const AccountedPage = Type.Object({ at, people: Type.Array(AccountedPerson), next: orNull(EvacueeUid) })

export const listAccounted = defineCall({
  summary: 'People who are unknown, in danger, or have a PEEP and are not yet safe: 20 by name',
  method: 'GET',
  path: '/api/event/people',
  query: Type.Object({
    list: Type.Enum([...accountLists]),
    floor: Type.Optional(Place),
    /** Of unknown people. */
    cause: Type.Optional(Type.Enum([...unknownCauses])),
    /** `next` of the page before. */
    after: Type.Optional(EvacueeUid),
  }),
  reply: AccountedPage,
  policy: onDuty('Module_Evacuee_Safety'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

const Audience = {
  /** Empty means every floor. */
  floors: Type.Array(Place, { maxItems: 1000 }),
  causes: Type.Array(Type.Enum([...unknownCauses]), { minItems: 1, maxItems: unknownCauses.length }),
}

/** Whom a question would reach now. `asked_lately`, `without_mobile` and `sms_refused` are not in `count`. */
export type AskCount = Static<typeof AskCount>
export const AskCount = Type.Object({
  text: Type.String(),
  count: Type.Integer(),
  segments: Type.Integer(),
  asked_lately: Type.Integer(),
  without_mobile: Type.Integer(),
  sms_refused: Type.Integer(),
  /** Additive: some of them hide, where phones should be silent. */
  quiet: Type.Optional(Type.Literal(true)),
})

export const countAsked = defineCall({
  summary: 'Who a question would reach now, with its words and the segments of all its texts',
  method: 'POST',
  path: '/api/event/ask/count',
  body: Type.Object(Audience, { additionalProperties: false }),
  reply: AskCount,
  policy: onDuty('Module_My_Messages'),
  refusals: ['sms_not_allowed', 'not_found', 'no_event', 'not_on_duty'],
})

export const askUnknown = defineCall({
  summary: 'Texts unknown people of these causes and floors the question, each once in 3 minutes at most',
  method: 'POST',
  path: '/api/event/ask',
  body: Type.Object(
    {
      ...Audience,
      /** The `count` that the sender saw. If it is now more than 10 % higher or lower, nothing is sent. */
      count: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
      /** Additive: the sender knows that phones may sound where people hide. */
      sounds: Type.Optional(Type.Literal('yes')),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ status: Type.Literal('message_sent'), message: Type.String() }),
  policy: onDuty('Module_My_Messages'),
  refusals: ['sms_not_allowed', 'changed_since', 'quiet_building', 'not_found', 'no_event', 'not_on_duty'],
})

/** One of two records. `words` is the name of a floor's status. */
export type Told = Static<typeof Told>
export const Told = Type.Object({ said: Type.Enum([...saidWords]), words: orNull(Type.String()), source: Source })

/** `subject` is a floor or a person; the person who keeps it names the `state` that they read. */
export type ContradictionItem = Static<typeof ContradictionItem>
export const ContradictionItem = Type.Object({
  kind: Type.Enum([...contradictionKinds]),
  subject: Type.Union([FloorUid, PersonUid]),
  state: Type.String(),
  location: Type.String(),
  /** The floor itself, or where the person is counted. Null: on no floor. */
  floor: orNull(FloorUid),
  building: BuildingUid,
  /** That the floor was cleared; of a person, that they are in danger. Whichever of the two stands or came first. */
  first: Told,
  /** What stands against it: the newest record of people there; of a person, that they are safe. */
  second: Told,
  /** How many people it is about. */
  count: Type.Integer(),
  /** They, newest first, at most 20. Empty without Module_Evacuee_Safety. */
  people: Type.Array(AccountedPerson),
})

export const listContradictions = defineCall({
  summary: 'Records that cannot both be complete, the oldest first, 50 a page',
  method: 'GET',
  path: '/api/event/contradictions',
  query: Type.Object({
    /** Additive: those of this place alone. */
    floor: Type.Optional(Place),
    /** `next` of the page before. */
    after: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Type.Object({ at, items: Type.Array(ContradictionItem), next: orNull(Type.String()) }),
  policy: onDuty('Module_Building_Evacuation_Status'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const keepContradiction = defineCall({
  summary:
    "'Keep as it is', until floor or person has a newer record. Of two people the second reads what the first chose",
  method: 'POST',
  path: '/api/event/contradictions/keep',
  body: Type.Object(
    {
      kind: Type.Enum([...contradictionKinds]),
      subject: Type.Union([FloorUid, PersonUid]),
      state: Type.String({ minLength: 1, maxLength: 100 }),
      reason: Type.String({ minLength: keepReason.least, maxLength: keepReason.most }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    kept: Type.Object({ reason: Type.String(), by: Type.String(), at: Type.String(), own: Type.Boolean() }),
  }),
  policy: onDuty('Module_Building_Evacuation_Status'),
  refusals: ['changed_since', 'not_found', 'no_event', 'not_on_duty'],
})
