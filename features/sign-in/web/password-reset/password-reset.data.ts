import { ApiError } from '#kernel/client/client.ts'
import { newPasswordLength, passwordResetMinutes } from '#kernel/limits.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { wipePersistedReads } from '#web/session/persisted-reads.ts'
import { clearAuth } from '#web/session/stored-auth.ts'
import type { AlertText } from '#web/ui/popups/alert-modal.tsx'
import { newPasswordSentences } from '../../words.ts'

const { least } = newPasswordLength

/** Says the same whoever has the address. */
export async function requestLink(email: string): Promise<AlertText> {
  if (!/^\S+@\S+$/.test(email.trim())) return { variant: 'error', text: 'Please input your email.' }
  try {
    await call('POST /api/v2/auth/request-password-reset', { body: { email: email.trim() } })
  } catch (error) {
    return failure(error)
  }
  const text = `If this email belongs to an account, a link to set a new password is on its way. It works for ${passwordResetMinutes} minutes.`
  return { variant: 'success', text }
}

export interface Setting {
  alert: AlertText
  /** Where the person goes once the alert has been read; null: back to the field. */
  next: '/login' | '/forgot-password' | null
}

/** Sets the password. Nothing of a session stays in this browser: all of the account's have ended. */
export async function setPassword(token: string, password: string): Promise<Setting> {
  const length = [...password].length
  if (length < least) return { alert: { variant: 'error', text: newPasswordSentences.too_short }, next: null }
  try {
    const { outcome } = await call('POST /api/v2/auth/reset-password', { body: { token, password } })
    if (outcome !== 'changed')
      return {
        alert: { variant: 'error', text: newPasswordSentences[outcome] },
        next: outcome === 'link_over' ? '/forgot-password' : null,
      }
  } catch (error) {
    return { alert: failure(error), next: null }
  }
  clearAuth()
  await wipePersistedReads()
  return { alert: { variant: 'success', text: 'Your password was changed. Please sign in with it.' }, next: '/login' }
}

function failure(error: unknown): AlertText {
  const isThrottled = error instanceof ApiError && error.code === 'too_many_attempts'
  return { variant: 'error', text: isThrottled ? error.message : sentenceFor(error) }
}
