import { safetyWords } from './words.ts'

/** The nine module flags that a role grants, and `Module_Event_Records`. */
export const moduleFlags = [
  'Module_Floor_Evacuation',
  'Module_Evacuee_Safety',
  'Module_Floor_Evacuation_Status',
  'Module_Wardens_On_Duty',
  'Module_Warden_Messaging',
  'Module_Event_Management',
  'Module_Floor_Warden_Status',
  'Module_Building_Evacuation_Status',
  'Module_My_Messages',
  'Module_Event_Records',
] as const
export type ModuleFlag = (typeof moduleFlags)[number]

export const signInMethods = ['Email', 'Username', 'Mobile'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** Attendance of a warden in an event. Derived, never stored. */
export type Attendance = (typeof attendances)[number]
export const attendances = ['on_duty', 'unknown', 'not_available', 'off_duty'] as const

/** Orders of wardens: on the floor lists, and on the on-duty screen. */
export const floorListOrder: readonly Attendance[] = ['on_duty', 'unknown', 'not_available', 'off_duty']
export const onDutyOrder: readonly Attendance[] = ['on_duty', 'unknown', 'off_duty', 'not_available']

export type AttendanceCounts = Record<Attendance, number>

/** What an event is. In exports of CAP, 'live' is Actual and 'drill' is Exercise. */
export const eventKinds = ['live', 'drill'] as const
export type EventKind = (typeof eventKinds)[number]

/** What an event of a type with this name is, unless the organisation says otherwise. */
export const kindOfTypeName = (type: string): EventKind => (/\b(drill|exercise)\b/i.test(type) ? 'drill' : 'live')

/** Whether a floor status of this name means that the floor is clear, unless the organisation says otherwise. */
export const meansClearByName = (name: string) => /^(evacuated|clear|cleared)$/i.test(name.trim())

export const safetyStatuses = ['safe', 'unknown', 'danger'] as const
export type SafetyStatus = (typeof safetyStatuses)[number]

/**
 * The spelling of a status on the wire. `floor` is what the floor screens send; `plain` and `onFloor` record exactly this,
 * without a place and on a floor.
 */
const safetyValues = {
  safe: { floor: 'safe on floor', plain: 'safe', onFloor: 'safe on floor' },
  unknown: { floor: 'unknown', plain: 'unknown', onFloor: 'unknown' },
  danger: { floor: 'in danger', plain: 'in danger', onFloor: 'danger on floor' },
} satisfies Record<SafetyStatus, Record<'floor' | 'plain' | 'onFloor', string>>

export const eachStatus = <T>(make: (status: SafetyStatus) => T) => recordOf(safetyStatuses, make)

export const statusShortLabel = eachStatus((status) => safetyWords[status].short)
export const floorStatusLabel = eachStatus((status) => safetyWords[status].floor)
export const floorStatusValue = eachStatus((status) => safetyValues[status].floor)

const spellings = new Map(
  safetyStatuses.flatMap((status) => {
    const { plain, onFloor } = safetyValues[status]
    return [onFloor, plain, status].map(
      (text) => [text, { status, onFloor: text === onFloor && text !== plain }] as const,
    )
  }),
)

/** Reads any specified spelling of a safety status, ignoring case. Undefined for anything else. */
export const readSafetyStatus = (text: string) => spellings.get(text.trim().toLowerCase())

/** The spelling that records exactly this status. */
export const safetyValue = (status: SafetyStatus, onFloor: boolean): string =>
  safetyValues[status][onFloor ? 'onFloor' : 'plain']

/** Word for a status outside the floor screens: 'Safe' or 'Safe on floor', 'Unknown', 'In Danger'. */
export const safetyLabel = (status: SafetyStatus, onFloor: boolean): string =>
  safetyWords[status][onFloor ? 'onFloor' : 'plain']

export type StatusCounts = Record<SafetyStatus, number>

/** Counts with their sum, as in every reply. */
export type StatusTotals = StatusCounts & { total: number }

export const nobodyCounted: StatusCounts = /* @__PURE__ */ eachStatus(() => 0)

/** People of all statuses together. */
export const totalOf = (counts: StatusCounts): number =>
  safetyStatuses.reduce((total, status) => total + counts[status], 0)

export const withTotal = (counts: StatusCounts): StatusTotals => ({
  ...eachStatus((status) => counts[status]),
  total: totalOf(counts),
})

export function recordOf<K extends string, V>(keys: readonly K[], valueFor: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<K, V>
}
