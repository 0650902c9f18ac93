import type { NewPasswordProblem } from '#features/sign-in/calls/password-reset.ts'
import { newPasswordLength } from '#kernel/limits.ts'

const { least, most } = newPasswordLength

/** Why a new password is refused. */
export const newPasswordProblems: Record<NewPasswordProblem, string> = {
  link_over: 'This link has expired or was used before. Please request another.',
  too_short: `Password must be at least ${least} characters long.`,
  too_long: `Password must be at most ${most} characters long.`,
  too_common: 'This password is too easy to guess. Please choose another.',
  own_name: 'A name or an email alone is too easy to guess. Please choose another.',
}

/** What can be told before it is sent. Undefined if nothing is wrong. */
export function newPasswordProblem(password: string, again: string): string | undefined {
  if ([...password].length < least) return newPasswordProblems.too_short
  return password === again ? undefined : 'The two passwords differ.'
}
