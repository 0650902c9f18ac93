/** The nine module flags that a role grants (AUTH-01). */
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
] as const
export type ModuleFlag = (typeof moduleFlags)[number]

export const signInMethods = ['Email', 'Username', 'Mobile'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** Attendance of a warden in an event (B§4); derived, never stored as one word (AMB-065). */
export type Attendance = 'on_duty' | 'not_available' | 'unknown' | 'off_duty'

/** Display form of an attendance, as warden objects carry it (AMB-066). */
export const attendanceLabel = {
  on_duty: 'On Duty',
  not_available: 'Not Available',
  unknown: 'Unknown',
  off_duty: 'Off Duty',
} as const satisfies Record<Attendance, string>
export type AttendanceLabel = (typeof attendanceLabel)[Attendance]

/** Orders of wardens: on the floor lists, and on the on-duty screen (CONST-13). */
export const floorListOrder: readonly Attendance[] = ['on_duty', 'unknown', 'not_available', 'off_duty']
export const onDutyOrder: readonly Attendance[] = ['on_duty', 'unknown', 'off_duty', 'not_available']

/** Safety status of an evacuee (FLOOR-20). */
export const safetyStatuses = ['safe', 'unknown', 'danger'] as const
export type SafetyStatus = (typeof safetyStatuses)[number]

/** What the floor screens call each status (FLOOR-21). */
export const floorStatusLabel: Record<SafetyStatus, string> = {
  safe: 'Safe on floor',
  unknown: 'Unknown',
  danger: 'Danger on floor',
}

/** What is sent for each status on the floor screens; danger is sent as 'in danger' (B§4). */
export const floorStatusValue: Record<SafetyStatus, string> = {
  safe: 'safe on floor',
  unknown: 'unknown',
  danger: 'in danger',
}

const spellings: Record<string, { status: SafetyStatus; onFloor: boolean }> = {
  safe: { status: 'safe', onFloor: false },
  'safe on floor': { status: 'safe', onFloor: true },
  unknown: { status: 'unknown', onFloor: false },
  danger: { status: 'danger', onFloor: false },
  'in danger': { status: 'danger', onFloor: false },
  'danger on floor': { status: 'danger', onFloor: true },
}

/** Reads any spelling of a safety status the documents use, in any letter case; undefined when it is none (AMB-066). */
export function readSafetyStatus(text: string): { status: SafetyStatus; onFloor: boolean } | undefined {
  return Object.hasOwn(spellings, text.trim().toLowerCase()) ? spellings[text.trim().toLowerCase()] : undefined
}

/** The other way round: the spelling that records exactly this. */
export const safetyValue = (status: SafetyStatus, onFloor: boolean): string =>
  onFloor && status !== 'unknown' ? `${status} on floor` : status === 'danger' ? 'in danger' : status

/** Word for a status outside the floor screens: 'Safe' or 'Safe on floor', 'Unknown', 'In Danger' (AMB-066). */
export function safetyLabel(status: SafetyStatus, onFloor: boolean): string {
  if (status === 'safe') return onFloor ? 'Safe on floor' : 'Safe'
  return status === 'danger' ? 'In Danger' : 'Unknown'
}
