import { ApiError, type Call } from '#kernel/client/client.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { authFromRejoin } from './auth-from-reply.ts'
import { getAuth, setAuth, updateAuth } from './stored-auth.ts'

/**
 * Repeats a pending rejoin until it is answered or rejected. Its key makes the server give the same answer. A 401
 * ends the session in `call`. Throws if the rejoin was rejected or cannot be sent now.
 */
export async function finishRejoin(call: Call): Promise<void> {
  const before = getAuth()
  if (!before?.rejoining) return
  const { key, body } = before.rejoining
  const ask = () => call('POST /api/v2/auth/rejoin', { body }, { headers: { [idempotencyKeyHeader]: key } })
  try {
    const reply = await ask().catch((error) => (mayBeDone(error) ? ask() : Promise.reject(error)))
    const auth = getAuth()
    if (auth?.access_token === before.access_token) setAuth(authFromRejoin(reply, auth))
  } catch (error) {
    if (!mayBeDone(error) && getAuth()?.rejoining?.key === key) updateAuth({ rejoining: undefined })
    throw error
  }
}

/** No answer was received, or none from our server. */
const mayBeDone = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500
