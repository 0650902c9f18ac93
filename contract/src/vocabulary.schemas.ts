import { type Static, Type } from 'typebox'
import { attendances, eachStatus, recordOf, safetyStatuses, signInMethods } from './vocabulary.ts'

export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const AttendanceCounts = Type.Object(recordOf(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })

/** What every screen says of an event: name and description of its type (EVENT-46, AMB-083). */
export type EventName = Static<typeof EventName>
export const EventName = Type.Object({ type: Type.String(), description: Type.String() })
