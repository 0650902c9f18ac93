import { type Static, Type } from 'typebox'
import { EventName } from '#kernel/event-name.ts'
import { AssignmentUid, EventTypeUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { EventKind, EventKindField, SignInMethod } from '#kernel/vocabulary.schemas.ts'

const None = Type.Null()

export const cardHeaders = [
  'Assignment Offered',
  'Event In Progress',
  'Current Assignment',
  'Upcoming Assignment',
] as const
export const cardDisplays = ['Enabled', 'Disabled', 'Hidden'] as const
export type CardDisplay = (typeof cardDisplays)[number]
/** The action of each card button. */
export const cardKeys = [
  'Report In / Rejoin',
  'Not Available',
  'Accept-Decline Assignment',
  'Withdraw',
  'Event Management',
  'Start Event',
  'Documents',
] as const

/** A report-in list item, spelled as specified. Dates are 'YYYY-MM-DD' at the site. */
export type ReportInCard = Static<typeof ReportInCard>
export const ReportInCard = Type.Object({
  Header: Type.String(),
  Event_Type: Type.String(),
  Client_Site: Type.String(),
  Warden_Role: Type.String(),
  Assignment_Location: Type.String(),
  Date_From: Type.String(),
  Date_To: Type.String(),
  Button1_Key: Type.String(),
  Button1_Label: Type.String(),
  Button1_Colour: Type.String(),
  Button1_Display: Type.String(),
  Button1_Icon: Type.String(),
  Button2_Key: Type.String(),
  Button2_Label: Type.String(),
  Button2_Colour: Type.String(),
  Button2_Display: Type.String(),
  Button2_Icon: Type.String(),
  Button3_Key: Type.String(),
  Button3_Label: Type.String(),
  Button3_Colour: Type.String(),
  Button3_Display: Type.String(),
  Button3_Icon: Type.String(),
  Footer: Type.String(),
  Warden_Assignment_UID: AssignmentUid,
  Warden_Sign_In_UID: Type.Union([SignInUid, None]),
  WardenSignInUID: Type.Union([SignInUid, None]),
  Person_UID: PersonUid,
  person_uid: PersonUid,
  oauth_token: Type.String(),
  /** Additive: the kind of the event in progress, null on other cards. */
  Event_Kind: Type.Union([EventKind, None]),
})

export const listReportInCards = defineCall({
  summary: "Cards of all the account's assignments and events, in the order to show",
  method: 'GET',
  path: '/api/warden/reportInCardJson',
  query: Type.Object({ signInMethod: SignInMethod }),
  reply: Type.Array(ReportInCard),
  policy: { access: 'session' },
})

export const getReportInCardByLink = defineCall({
  summary: 'The one card of a report-in-link sign-in; [] when its event has ended',
  method: 'GET',
  path: '/api/v2/warden/singleReportInCardJson',
  query: Type.Object({ WardenSignInUID: SignInUid }),
  reply: Type.Array(ReportInCard),
  policy: { access: 'session' },
  refusals: ['not_found'],
})

/** The data of the report screen and My Role. */
export type ReportData = Static<typeof ReportData>
export const ReportData = Type.Object({
  data: Type.Object({
    role: Type.Object({ Warden_Role: Type.String(), Module_Event_Management: Type.Boolean() }),
    event: Type.Union([Type.Object({ uid: EventUid, id: EventTypeUid, ...EventName.properties }), None]),
    locations: Type.Array(Type.Object({ site: Type.String(), building: Type.Array(Type.String()) })),
    area: Type.Object({
      domain: Type.String(),
      locations: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    }),
    active_event: Type.Boolean(),
    /**
     * Additive: who manages the event and is on duty, for a warden on duty who does not. `id` is the assignment,
     * `phone` digits with the country code.
     */
    chief: Type.Union([
      Type.Object({
        id: AssignmentUid,
        name: Type.String(),
        role: Type.String(),
        phone: Type.Union([Type.String(), None]),
      }),
      None,
    ]),
  }),
})

export const getReportData = defineCall({
  summary: 'Role, event, locations and area of the current assignment (report screen)',
  method: 'POST',
  path: '/api/reportin/index',
  reply: ReportData,
  policy: { access: 'session' },
})

export const getRole = defineCall({
  summary: 'The same as the report screen reads, for My Role',
  method: 'GET',
  path: '/api/reportin/index',
  reply: ReportData,
  policy: { access: 'session' },
})

/** A refusal with status 200, as specified, so that the popup shows it. */
export const attendanceErrors = ['no_current_event', 'assignment_not_current', 'already_on_duty'] as const
export type AttendanceError = (typeof attendanceErrors)[number]
const TurnedDown = Type.Object({ error: Type.Enum([...attendanceErrors]), message: Type.String() })

const OwnSignIn = Type.Object({ Warden_Sign_In_UID: SignInUid }, { additionalProperties: false })
const OnDuty = Type.Object({ status: Type.Literal('On Duty'), message: Type.String() })
const NotAvailable = Type.Object({ status: Type.Literal('Not Available'), message: Type.String() })

export const markOnDuty = defineCall({
  summary: 'Own sign-in on duty, by its uid (rejoin from the list)',
  method: 'POST',
  path: '/api/v2/warden/reportin',
  body: OwnSignIn,
  reply: Type.Union([OnDuty, TurnedDown]),
  policy: { access: 'session' },
  refusals: ['not_found'],
})

export const markNotAvailable = defineCall({
  summary: 'Own sign-in not available, by its uid (from a card)',
  method: 'POST',
  path: '/api/v2/warden/reportna',
  body: OwnSignIn,
  reply: Type.Union([NotAvailable, TurnedDown]),
  policy: { access: 'session' },
  refusals: ['not_found'],
})

export const reportIn = defineCall({
  summary: 'Report in as on duty with the current assignment',
  method: 'POST',
  path: '/api/warden/reportin',
  reply: Type.Union([
    Type.Object({ success: Type.Literal(true), status: Type.Literal('On Duty'), message: Type.String() }),
    TurnedDown,
  ]),
  policy: { access: 'session' },
})

export const reportNotAvailable = defineCall({
  summary: 'Report not available with the current assignment',
  method: 'POST',
  path: '/api/warden/reportna',
  reply: Type.Union([NotAvailable, TurnedDown]),
  policy: { access: 'session' },
})

/** The warden sign-in record. `warden_uid` is the assignment. */
export type SignInRecord = Static<typeof SignInRecord>
export const SignInRecord = Type.Object({
  error: Type.Union([Type.Literal('no_assignment'), None]),
  reported_in: Type.Boolean(),
  warden_uid: Type.Union([AssignmentUid, None]),
  event_uid: Type.Union([EventUid, None]),
  on_duty: Type.Boolean(),
  not_available: Type.Boolean(),
  /** Additive: the participation, for the stored sign-in. */
  WardenSignInUID: Type.Union([SignInUid, None]),
  ...EventKindField,
})

export const logSignIn = defineCall({
  summary: 'Writes the sign-in log and answers where the warden stands; changes no attendance',
  method: 'POST',
  path: '/api/warden/signin',
  body: Type.Optional(
    Type.Union([
      Type.Object(
        { peer_email: Type.Optional(Type.Union([Type.String({ maxLength: 254 }), None])) },
        { additionalProperties: false },
      ),
      None,
    ]),
  ),
  reply: SignInRecord,
  policy: { access: 'session' },
  refusals: ['forbidden'],
})
