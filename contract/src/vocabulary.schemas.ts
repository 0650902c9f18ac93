import { Type } from 'typebox'
import { safetyStatuses, signInMethods } from './vocabulary.ts'

export const SignInMethod = Type.Enum([...signInMethods])
export const SafetyStatus = Type.Enum([...safetyStatuses])
