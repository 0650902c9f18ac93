import { ApiError } from '#kernel/client/client.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { SignInMethod } from '#kernel/vocabulary.ts'
import { otherInstallation } from '#web/lib/other-installation.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { authFromPassword } from '#web/session/auth-from-reply.ts'
import { clearAuth, profileFrom, setAuth, setProfile } from '#web/session/stored-auth.ts'
import type { AlertText } from '#web/ui/popups/alert-modal.tsx'
import type { AuthReply } from '../calls/sign-in.ts'
import type { PasswordEntry } from './password-problem.ts'

const signInMethodOf = (name: string): SignInMethod => (name.includes('@') ? 'Email' : 'Username')

/** Stores auth, then the profile. Answers what to alert when it did not work, else null. */
export async function signInByPassword({ emailOrUsername, password }: PasswordEntry): Promise<AlertText | null> {
  const name = emailOrUsername.trim()
  try {
    const reply = await call('POST /api/v2/auth/login', { body: { email: name, password } })
    if (!reply.access_token) return refusalAlert(reply)
    setAuth(authFromPassword(reply, signInMethodOf(name)))
  } catch (error) {
    return failureAlert(error)
  }
  return loadProfile()
}

/** Without a profile there is no session. */
export async function loadProfile(): Promise<AlertText | null> {
  try {
    setProfile(profileFrom(await call('GET /api/user', {})))
    return null
  } catch (error) {
    // a reload cuts the call off too, and must not sign out: a page that is going away never gets past this line
    await new Promise((resolve) => setTimeout(resolve, 50))
    clearAuth()
    return { variant: 'error', text: (error as Error).message }
  }
}

/** Without an answer the error itself is shown. */
function failureAlert(error: unknown): AlertText | Promise<never> {
  if (error instanceof ApiError && error.address) return otherInstallation.goTo(error.address)
  if (!(error instanceof ApiError) || error.code === 'unreachable') return { variant: 'error', text: String(error) }
  return refusalAlert({ error: error.code, message: error.message })
}

const told = ['invalid_credentials', 'unauthorized_access'] as const satisfies ErrorCode[]

/** The code may stand in `error` or in `message`, on resolved and rejected answers alike. */
function refusalAlert(answer: AuthReply | { error?: string; message?: string }): AlertText {
  const { error, message } = answer as { error?: string; message?: string }
  const code = told.find((one) => one === error || one === message)
  if (!code) return { variant: 'error', text: message || sentenceFor(null) }
  return {
    variant: code === 'unauthorized_access' ? 'warn' : 'error',
    text: sentenceFor(new ApiError(code, '')),
  }
}
