/** Texts that three or more subjects say in one sense. This file has no schema, because the browser imports it. */

/** Display form of an attendance, as in warden objects. */
export const attendanceLabel = {
  on_duty: 'On Duty',
  not_available: 'Not Available',
  unknown: 'Unknown',
  off_duty: 'Off Duty',
} as const
export type AttendanceLabel = (typeof attendanceLabel)[keyof typeof attendanceLabel]

/**
 * Every word for a safety status. `short`: of counters and column heads. `floor`: on a card of the floor screens. `plain`
 * and `onFloor`: on any other card, the second for a person who was seen on a floor.
 */
export const safetyWords = {
  safe: { short: 'Safe', floor: 'Safe on floor', plain: 'Safe', onFloor: 'Safe on floor' },
  unknown: { short: 'Unknown', floor: 'Unknown', plain: 'Unknown', onFloor: 'Unknown' },
  danger: { short: 'Danger', floor: 'Danger on floor', plain: 'In Danger', onFloor: 'In Danger' },
} as const
