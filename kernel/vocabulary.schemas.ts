import { Type } from 'typebox'
import { actionCodes, whereLength } from './actions.ts'
import { attendances, eachStatus, eventKinds, recordOf, safetyStatuses, signInMethods } from './vocabulary.ts'

/** A day that a calendar has, `2026-03-29`, from 1900 to 2199. Anything else is 422. */
export const Day = Type.String({ format: 'date', pattern: '^(19|20|21)', maxLength: 10 })
export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const EventKind = Type.Enum([...eventKinds])
/** Additive: the kind of the caller's event, null without one. */
export const EventKindField = { event_kind: Type.Union([EventKind, Type.Null()]) }
export const Action = Type.Enum([...actionCodes])
/** Of a building in an event. All absent where people leave. */
export const ActionFields = {
  action: Type.Optional(Action),
  /** The place that people go to. Absent without one. */
  where: Type.Optional(Type.String()),
  /** Since when. ISO 8601. */
  action_from: Type.Optional(Type.String()),
  /** What a release ends. */
  action_before: Type.Optional(Action),
}
/** The place of 'move' and 'shelter', as someone writes it. */
export const Where = Type.String({ maxLength: whereLength })
export const AttendanceCounts = Type.Object(recordOf(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })

/** An instant. Not the second 60, which the format has for leap seconds and no Date can hold. */
export const Instant = Type.String({ format: 'date-time', pattern: ':[0-5]\\d:[0-5]\\d', maxLength: 40 })
