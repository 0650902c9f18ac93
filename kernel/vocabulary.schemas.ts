import { Type } from 'typebox'
import { attendances, eachStatus, eventKinds, recordOf, safetyStatuses, signInMethods } from './vocabulary.ts'

export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const EventKind = Type.Enum([...eventKinds])
/** Additive: the kind of the caller's event, null without one. */
export const EventKindField = { event_kind: Type.Union([EventKind, Type.Null()]) }
export const AttendanceCounts = Type.Object(recordOf(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })
