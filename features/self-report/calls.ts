import { type Static, Type } from 'typebox'
import { BuildingUid, FloorUid, PersonUid, SelfReportUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus } from '#kernel/vocabulary.schemas.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { noFloor, reportActs, reportLimits, reportSays, reportStates, reportWays } from './kinds.ts'

const onDuty = (flag: ModuleFlag) => ({ access: 'duty', flag, withoutEvent: 'refuse' }) as const
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Instant = Type.String()
const closed = { additionalProperties: false } as const

/** A person that a report is of, or may be of, as they stand now. */
export type ReportPerson = Static<typeof ReportPerson>
export const ReportPerson = Type.Object({
  id: PersonUid,
  name: Type.String(),
  location: Type.String(),
  status: SafetyStatus,
})

/** Name, mobile and words are what a stranger wrote. */
export type SelfReport = Static<typeof SelfReport>
export const SelfReport = Type.Object({
  uid: SelfReportUid,
  way: Type.Enum([...reportWays]),
  says: Type.Enum([...reportSays]),
  /** In the database's steady time, ISO 8601. */
  at: Instant,
  name: orNull(Type.String()),
  mobile: orNull(Type.String()),
  words: orNull(Type.String()),
  /** Of a text: each word of danger has a no before it. 'May be a call for help' */
  unsure: Type.Boolean(),
  /** Of a text: several organisations have an event, and none knows the number. */
  elsewhere: Type.Boolean(),
  /** It came while the event was a drill, or the event still is one. */
  in_drill: Type.Optional(Type.Literal(true)),
  building: orNull(Type.Object({ id: BuildingUid, name: Type.String() })),
  floor: orNull(Type.Object({ id: FloorUid, name: Type.String() })),
  /** Of an open report: the only unknown person whom mobile, or whole name and floor, names. Else whom it was recorded of. */
  person: orNull(ReportPerson),
  state: Type.Enum([...reportStates]),
  /** Null while it is open, and for a personal link, which records its own person. `who` goes there. */
  handled: orNull(Type.Object({ by: Type.String(), at: Instant, who: orNull(Type.String()) })),
})

/**
 * More than 20 open reports of one line, home or site, or more than 5 within two minutes that name people, are one entry
 * '{n} from one network'. A site has one at most. Calls for help are among them.
 */
export type ReportGroup = Static<typeof ReportGroup>
export const ReportGroup = Type.Object({
  /** What the list, 'Accept these' and 'Dismiss all' take as `network`. It tells no address. */
  network: Type.String(),
  count: Type.Integer(),
  help: Type.Integer(),
  /** 'More calls from this network': calls for help that were counted beyond the limit. Nothing else of them is kept. */
  more: Type.Integer(),
  /** How many of `count` are of a drill, if any are. */
  in_drill: Type.Optional(Type.Integer()),
  /** Safe ones of them that name one person: what 'Accept these' would take. */
  naming: Type.Integer(),
  newest: Instant,
})

const Network = Type.String({ minLength: 1, maxLength: 22, pattern: '^[\\w-]+$' })
/** A floor, a building that was named without one, or all that name no floor. */
const Place = Type.Union([FloorUid, BuildingUid, Type.Literal(noFloor)])

export const listReports = defineCall({
  summary:
    'What occupants say about themselves by page or text, 20 a page: calls for help first, then the oldest first',
  method: 'GET',
  path: '/api/event/reports',
  query: Type.Object({
    /** 'handled': all that are not open any more, the newest first. */
    state: Type.Enum(['open', 'handled']),
    /** The open ones of one group. */
    network: Type.Optional(Network),
    /** 'yes': also texts that say neither safe nor help. The former version of the app cannot draw them. */
    texts: Type.Optional(Type.Literal('yes')),
    /** Those that name this place. */
    floor: Type.Optional(Place),
    /** `next` of the page before. */
    after: Type.Optional(SelfReportUid),
  }),
  reply: Type.Object({
    /** The moment of the answer: ages count from it. */
    at: Instant,
    /** Without those that stand in a group, unless `network` names it. */
    reports: Type.Array(SelfReport),
    next: orNull(SelfReportUid),
    /** All open reports, and the calls for help among them. Groups are counted. */
    open: Type.Integer(),
    help: Type.Integer(),
    /** Open "safe" ones of the place, of `network` or else of no group, that name one person: what 'Accept all' would take. */
    naming: Type.Integer(),
    /** Open ones of the place and `network`, in a group or not, and the calls for help among them: what 'Dismiss all' would take. */
    chosen: Type.Object({ count: Type.Integer(), help: Type.Integer() }),
    /** The newest open one: what 'Accept all' takes as `upTo`. */
    newest: orNull(SelfReportUid),
    groups: Type.Array(ReportGroup),
    /** The poster page takes reports. */
    page_open: Type.Boolean(),
    /** Texts of unknown numbers are taken; calls for help are in any case. */
    texts_open: Type.Boolean(),
    /** Further unknown numbers, for which the list has no room. */
    more_numbers: Type.Integer(),
  }),
  policy: onDuty('Module_Evacuee_Safety'),
  refusals: ['no_event', 'not_on_duty', 'not_found'],
})

export const handleReport = defineCall({
  summary:
    "'Accept' records the proposed or the named person as the warden's record, 'Answered', 'False alarm', 'Dismiss' close it",
  method: 'POST',
  path: '/api/event/reports/:uid',
  params: Type.Object({ uid: SelfReportUid }),
  body: Type.Object(
    {
      act: Type.Enum([...reportActs]),
      /** Of 'accept': 'Other person'. Left out: the proposed one. Of a text that only has words no one is recorded. */
      person: Type.Optional(PersonUid),
      /** Of 'answered': who goes. */
      who: Type.Optional(Type.String({ minLength: 1, maxLength: reportLimits.who, pattern: '\\S' })),
    },
    closed,
  ),
  reply: Type.Object({ report: SelfReport }),
  policy: onDuty('Module_Evacuee_Safety'),
  /** `invalid_transition`: its message says who handled it, or why it cannot be done. */
  refusals: ['no_event', 'not_on_duty', 'not_found', 'invalid_transition'],
})

export const acceptReports = defineCall({
  summary:
    "'Accept all {n} that name one person': 500 at most, never a call for help, never of someone in danger. The screen waits 10 s for 'Undo' before it sends this",
  method: 'POST',
  path: '/api/event/reports/accept',
  body: Type.Object(
    {
      /** `newest` of the list that the warden saw: later ones stay. */
      upTo: SelfReportUid,
      /** Of one group. Left out: of those in no group. */
      network: Type.Optional(Network),
      floor: Type.Optional(Place),
    },
    closed,
  ),
  /** `left`: those that name one person and were not taken. */
  reply: Type.Object({ accepted: Type.Integer(), left: Type.Integer() }),
  policy: onDuty('Module_Evacuee_Safety'),
  refusals: ['no_event', 'not_on_duty', 'not_found'],
})

export const dismissReports = defineCall({
  summary:
    "'Dismiss all' of a network or a place: 1,000 in one request at most. The screen waits 10 s for 'Undo' before it sends this",
  method: 'POST',
  path: '/api/event/reports/dismiss',
  body: Type.Object(
    {
      /** `newest` of the list that the warden saw: later ones stay. Left out: there was none. */
      upTo: Type.Optional(SelfReportUid),
      /** At least one of both. */
      network: Type.Optional(Network),
      floor: Type.Optional(Place),
      /** Calls for help stay open, or are closed as false alarms. */
      calls: Type.Enum(['keep', 'false']),
      /** `more` of the group that the warden saw. */
      more: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    },
    closed,
  ),
  /** `left`: those that were not taken, because a request has a limit. */
  reply: Type.Object({ dismissed: Type.Integer(), left: Type.Integer() }),
  policy: onDuty('Module_Evacuee_Safety'),
  refusals: ['no_event', 'not_on_duty', 'not_found'],
})

export const openReportPage = defineCall({
  summary: "'Close the poster page' of the event's site, or open it again. Personal links keep working",
  method: 'POST',
  path: '/api/event/reports/page',
  body: Type.Object({ open: Type.Enum(['yes', 'no']) }, closed),
  reply: Type.Object({ open: Type.Boolean() }),
  policy: onDuty('Module_Event_Management'),
  refusals: ['no_event', 'not_on_duty'],
})

export const openUnknownTexts = defineCall({
  summary: "'Close texts from unknown numbers' of the event, or open them again. Calls for help are taken all the same",
  method: 'POST',
  path: '/api/event/reports/texts',
  body: Type.Object({ open: Type.Enum(['yes', 'no']) }, closed),
  reply: Type.Object({ open: Type.Boolean() }),
  policy: onDuty('Module_Event_Management'),
  refusals: ['no_event', 'not_on_duty'],
})

const Poster = Type.Object({
  site: Type.Object({ id: SiteUid, name: Type.String() }),
  /** Eight characters. */
  code: Type.String(),
  url: Type.String(),
  open: Type.Boolean(),
})
const manager = { access: 'session', flag: 'Module_Event_Management' } as const

export const getReportCode = defineCall({
  summary: "The site's poster. A site gets its code when its poster is first opened",
  method: 'GET',
  path: '/api/sites/report-code',
  query: Type.Object({ site: SiteUid }),
  reply: Poster,
  policy: manager,
  refusals: ['not_found'],
})

export const makeReportCode = defineCall({
  summary: "'Make a new code': old posters end, the page is open. Personal links keep working",
  method: 'POST',
  path: '/api/sites/report-code',
  body: Type.Object({ site: SiteUid }, closed),
  reply: Poster,
  policy: manager,
  refusals: ['not_found'],
})
