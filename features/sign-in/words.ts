import * as limits from '#kernel/limits.ts'

const minutesOf = (ms: number) => `${ms / 60_000} minutes`

/** Used by the server for its refusal, and by the phone while its form is locked. */
export const tooManyLinkRequests = `Too many failed attempts. Try again in ${minutesOf(limits.mobileLock)}.`

export const linkSent = `A sign-in link has been sent to your phone. This link will expire in ${minutesOf(limits.mobileLink)}.`

/** The text with the link. `{link}` is replaced when the text is sent. */
export const linkText = `All Wardens sign-in link (expires in ${minutesOf(limits.mobileLink)}): {link}`
