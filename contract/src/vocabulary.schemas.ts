import { Type } from 'typebox'
import { attendances, eachStatus, recordOf, safetyStatuses, signInMethods } from './vocabulary.ts'

export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const AttendanceCounts = Type.Object(recordOf(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })
