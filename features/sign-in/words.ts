import * as limits from '#kernel/limits.ts'
import type { NewPasswordProblem } from './calls/password-reset.ts'

const minutesOf = (ms: number) => `${ms / 60_000} minutes`

/** Used by the server for its refusal, and by the phone while its form is locked. */
export const tooManyLinkRequests = `Too many failed attempts. Try again in ${minutesOf(limits.mobileLock)}.`

export const linkSent = `A sign-in link has been sent to your phone. This link will expire in ${minutesOf(limits.mobileLink)}.`

const { least, most } = limits.newPasswordLength

/** Why a new password is refused. */
export const newPasswordSentences: Record<NewPasswordProblem, string> = {
  link_over: 'This link has expired or was used before. Please request another.',
  too_short: `Password must be at least ${least} characters long.`,
  too_long: `Password must be at most ${most} characters long.`,
  too_common: 'This password is too easy to guess. Please choose another.',
  own_name: 'A name or an email alone is too easy to guess. Please choose another.',
}

export const passwordsDiffer = 'The two passwords differ.'

/** The text with the link. `{link}` is replaced when the text is sent. */
export const linkText = `All Wardens sign-in link (expires in ${minutesOf(limits.mobileLink)}): {link}`
