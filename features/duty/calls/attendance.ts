import { type Static, type TSchema, Type } from 'typebox'
import { EventName } from '#kernel/event-name.ts'
import { AssignmentUid, BuildingUid, EventUid, FloorUid, SignInUid, WardenRoleUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { AttendanceCounts } from '#kernel/vocabulary.schemas.ts'
import { type AttendanceLabel, attendanceLabel } from '#kernel/words.ts'

const None = Type.Null()
const orNone = <S extends TSchema>(schema: S) => Type.Union([schema, None])

/** A warden of the event. `id` is the assignment: a person with two assignments is two wardens. */
export type Warden = Static<typeof Warden>
export const Warden = Type.Object({
  id: AssignmentUid,
  name: Type.String(),
  /** Digits with the country code. */
  phone: orNone(Type.String()),
  /** Display form: 'On Duty', 'Unknown', 'Off Duty' or 'Not Available'. */
  status: Type.Unsafe<AttendanceLabel>(Type.Enum(Object.values(attendanceLabel))),
  role: Type.String(),
  areas: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  /** The warden has sent the caller a message that is unread. */
  unread: Type.Boolean(),
  wardenSignInUid: SignInUid,
})

/** A building of the event. `total` counts each warden whose area meets it once. */
export type AttendanceBuilding = Static<typeof AttendanceBuilding>
export const AttendanceBuilding = Type.Object({
  id: BuildingUid,
  name: Type.String(),
  selected: Type.Boolean(),
  total: AttendanceCounts,
})

/** Wardens of a floor. The first entry may have the building's id, for wardens of the building and the site. */
export type FloorWardenGroup = Static<typeof FloorWardenGroup>
export const FloorWardenGroup = Type.Object({
  id: Type.Union([FloorUid, BuildingUid]),
  name: Type.String(),
  colour: Type.Enum(['green', 'yellow', 'red', 'grey']),
  status: Type.Enum(['Covered', 'Unknown', 'Not Covered', 'No Floor Wardens']),
  wardens_count: Type.Integer(),
  wardens_on_duty_count: Type.Integer(),
  wardens_unknown_count: Type.Integer(),
  /** Not available and off duty. */
  wardens_not_available_count: Type.Integer(),
  /** Additive: the warden who has taken the floor. */
  claimed_by: orNone(Type.String()),
  /** Additive: the warden on duty who covers the floor with the whole building. */
  covered_by: orNone(Type.String()),
  /** Sorted by status (on duty, unknown, not available, off duty), then by name. */
  wardens: Type.Array(Warden),
})

/** A floor of the event that no one covers, or a building that is covered whole and has no one: `id` is then its own. */
export type FloorGap = Static<typeof FloorGap>
export const FloorGap = Type.Object({
  id: Type.Union([FloorUid, BuildingUid]),
  name: Type.String(),
  building: Type.Object({ id: BuildingUid, name: Type.String() }),
  colour: FloorWardenGroup.properties.colour,
  status: FloorWardenGroup.properties.status,
  /** Its wardens who are unknown or off duty, by name: those who may be sent a report-in link. */
  not_reported_in: Type.Array(Type.Object({ wardenSignInUid: SignInUid, name: Type.String() })),
})

/** The selected building. `wardens.total` is the sum of the other four. */
export type SelectedBuilding = Static<typeof SelectedBuilding>
export const SelectedBuilding = Type.Object({
  id: BuildingUid,
  name: Type.String(),
  event: Type.Object({ id: EventUid, ...EventName.properties }),
  wardens: Type.Object({ total: Type.Integer(), ...AttendanceCounts.properties }),
  floors: Type.Array(FloorWardenGroup),
})

/** Further data for the message pages. `warden_id` is the caller's own assignment. */
const sender = { warden_id: AssignmentUid, sms_allowed: Type.Boolean(), senderWardenSignInUid: SignInUid }
const absence = Type.Union([Type.Literal('no_event'), Type.Literal('not_on_duty')])

export type BuildingStatus = Static<typeof BuildingStatus>
export const BuildingStatus = Type.Object({
  buildings: Type.Array(AttendanceBuilding),
  selected_building: SelectedBuilding,
  /** Additive: floors that no one covers, in all buildings of the event, by building and level. */
  gaps: Type.Array(FloorGap),
  ...sender,
})

export const getBuildingStatus = defineCall({
  summary: 'Floor warden status: buildings of the event, and the selected (or own, or first) one',
  method: 'GET',
  path: '/api/event/buildings',
  reply: Type.Union([BuildingStatus, Type.Object({ status: absence, message: Type.String() })]),
  policy: { access: 'duty', flag: 'Module_Floor_Warden_Status', withoutEvent: 'answer' },
})

export const chooseBuilding = defineCall({
  summary: 'Selects a building for this session: its warden totals and floors',
  method: 'POST',
  path: '/api/event/building/change',
  body: Type.Object({ buildingId: BuildingUid }, { additionalProperties: false }),
  reply: Type.Object({ selected_building: SelectedBuilding }),
  policy: { access: 'duty', flag: 'Module_Floor_Warden_Status', withoutEvent: 'refuse' },
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

/** Wardens of one role, sorted by status (on duty, unknown, off duty, not available), then by name. */
export type RoleWardens = Static<typeof RoleWardens>
export const RoleWardens = Type.Object({
  id: WardenRoleUid,
  name: Type.String(),
  total: AttendanceCounts,
  wardens: Type.Array(Warden),
})

export type WardensOnDuty = Static<typeof WardensOnDuty>
export const WardensOnDuty = Type.Object({
  buildings: Type.Array(AttendanceBuilding),
  roles: Type.Array(RoleWardens),
  ...sender,
})

export const listWardensOnDuty = defineCall({
  summary: 'Wardens of a building of the event by role; of the selected (or own, or first) without an id',
  method: 'GET',
  path: '/api/v2/warden/onduty',
  query: Type.Object({ building_id: Type.Optional(BuildingUid) }),
  reply: Type.Union([
    WardensOnDuty,
    Type.Object({
      error: absence,
      message: Type.String(),
      buildings: Type.Array(AttendanceBuilding, { maxItems: 0 }),
      roles: Type.Array(RoleWardens, { maxItems: 0 }),
    }),
  ]),
  policy: { access: 'duty', flag: 'Module_Wardens_On_Duty', withoutEvent: 'answer' },
  refusals: ['not_found'],
})
