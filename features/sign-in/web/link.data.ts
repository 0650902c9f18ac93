import { ApiError } from '#kernel/client/client.ts'
import { askedHeader, idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '#web/lib/new-key.ts'
import { phoneStorage } from '#web/lib/phone-storage.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { askAhead, call } from '#web/session/api.ts'
import { authFromLink } from '#web/session/auth-from-reply.ts'
import { readLinkTokens } from '#web/session/sign-in-link/link-tokens.ts'
import { setAuth, storageKeys } from '#web/session/stored-auth.ts'
import type { AlertText } from '#web/ui/popups/alert-modal.tsx'
import type { AuthReply, LinkFailure } from '../calls/sign-in.ts'
import { linkSent, tooManyLinkRequests } from '../words.ts'

export interface LinkAnswer {
  alert: AlertText
  /** The server refused; a request that did not reach it, or that it could not answer, is no failed attempt. */
  hasFailed: boolean
}

/** Answers what to show, whatever came of it. */
export async function requestLink(phone: string): Promise<LinkAnswer> {
  try {
    const { mobile, popup_text } = await call('POST /api/v2/auth/login-by-mobile', { body: { phone } })
    if (mobile === 'valid') {
      phoneStorage.set(storageKeys.linkAskedAt, String(Date.now()))
      return { alert: { variant: 'success', text: linkSent }, hasFailed: false }
    }
    return { alert: { variant: 'error', text: popup_text }, hasFailed: true }
  } catch (error) {
    const hasFailed = error instanceof ApiError && error.code === 'too_many_attempts'
    return { alert: { variant: 'error', text: hasFailed ? tooManyLinkRequests : sentenceFor(error) }, hasFailed }
  }
}

const askedMs = 10 * 60_000

/** A link that opens here was asked for here. */
function hasAsked(): boolean {
  const ago = Date.now() - Number(phoneStorage.get(storageKeys.linkAskedAt))
  return ago >= 0 && ago < askedMs
}

export interface SignInLink {
  kind: 'mobile' | 'reportIn'
  token: string
  /** Lets the page that opened the link ask again when the answer was lost. */
  nonce: string
}

/** The link in an address; with both, the one to an event wins. */
export function readLink(address: Pick<Location, 'search' | 'hash'>): SignInLink | null {
  const { token, reportInToken } = readLinkTokens(address)
  if (reportInToken) return { kind: 'reportIn', token: reportInToken, nonce: newKey() }
  return token ? { kind: 'mobile', token, nonce: newKey() } : null
}

const failures: Record<LinkFailure, string> = {
  expired: 'This sign-in link has expired. Please request another.',
  'invalid-concluded': 'This event has concluded.',
  'invalid-notfound': 'This report-in link is invalid.',
  'invalid-expired': 'This report-in link is invalid.',
}

/**
 * Stores the session of a link, whose profile is still to be read. Answers what to alert when
 * the link is refused, else null. Throws ApiError when the server could not answer: the same `nonce` may then try again,
 * and gets in even if its first answer was lost.
 */
export async function signInByLink({ kind, token, nonce }: SignInLink): Promise<AlertText | null> {
  const verify =
    kind === 'reportIn' ? 'POST /api/v2/auth/verify-login-report-in' : 'POST /api/v2/auth/verify-login-by-mobile'
  const asked = kind === 'mobile' && hasAsked()
  const headers = { [idempotencyKeyHeader]: nonce, ...(asked && { [askedHeader]: '1' }) }
  const reply = await call(verify, { body: { token } }, { headers })
  const failure = failures[reply.tokenStatus as LinkFailure]
  if (failure) return { variant: 'error', text: failure }
  if (!('access_token' in reply)) return { variant: 'error', text: sentenceFor(null) }
  const { tokenStatus: _, ...auth } = reply
  setAuth(authFromLink(auth satisfies AuthReply, kind === 'reportIn'))
  if (kind === 'mobile' && !asked) phoneStorage.set(storageKeys.unproved, 'yes')
  // The list's one card comes beside the profile
  const { WardenSignInUID } = auth
  if (kind === 'reportIn' && WardenSignInUID)
    void askAhead('GET /api/v2/warden/singleReportInCardJson', { query: { WardenSignInUID } })
  return null
}
