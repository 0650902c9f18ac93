import { Type } from 'typebox'
import { attendances, eachStatus, eventKinds, recordOf, safetyStatuses, signInMethods } from './vocabulary.ts'

/** A day that a calendar has, `2026-03-29`, from 1900 to 2199. Anything else is 422. */
export const Day = Type.String({ format: 'date', pattern: '^(19|20|21)', maxLength: 10 })
export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const EventKind = Type.Enum([...eventKinds])
/** Additive: the kind of the caller's event, null without one. */
export const EventKindField = { event_kind: Type.Union([EventKind, Type.Null()]) }
export const AttendanceCounts = Type.Object(recordOf(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })

/** An instant. Not the second 60, which the format has for leap seconds and no Date can hold. */
export const Instant = Type.String({ format: 'date-time', pattern: ':[0-5]\\d:[0-5]\\d', maxLength: 40 })
