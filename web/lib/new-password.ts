import { newPasswordSentences, passwordsDiffer } from '#features/sign-in/words.ts'
import { newPasswordLength } from '#kernel/limits.ts'

/** What can be told before it is sent. Undefined if nothing is wrong. */
export function newPasswordProblem(password: string, again: string): string | undefined {
  if ([...password].length < newPasswordLength.least) return newPasswordSentences.too_short
  return password === again ? undefined : passwordsDiffer
}
