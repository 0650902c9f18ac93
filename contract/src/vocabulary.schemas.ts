import { Type } from 'typebox'
import { attendances, eachStatus, forEach, safetyStatuses, signInMethods } from './vocabulary.ts'

export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
export const AttendanceCounts = Type.Object(forEach(attendances, () => Type.Integer()))
export const StatusTotals = Type.Object({ ...eachStatus(() => Type.Integer()), total: Type.Integer() })
