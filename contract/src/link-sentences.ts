import { limits } from './limits.ts'

const minutesOf = (ms: number) => `${ms / 60_000} minutes`

/** LOGIN-42, LOGIN-54: said by the server that refuses, and by the phone while its form is locked. */
export const tooManyLinkRequests = `Too many failed attempts. Try again in ${minutesOf(limits.mobileLock)}.`
/** LOGIN-44. */
export const linkSent = `A sign-in link has been sent to your phone. This link will expire in ${minutesOf(limits.mobileLink)}.`
/** AMB-033: the text that brings the link; `{link}` is filled in at sending. */
export const linkText = `All Wardens sign-in link (expires in ${minutesOf(limits.mobileLink)}): {link}`
