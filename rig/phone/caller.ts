import { ApiError, type Call, wrapCaller } from '#kernel/client/client.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'

/** Milliseconds. The web app waits as long for an answer. */
const patienceMs = 10_000

/** Calls as the web app does: without an answer it throws an ApiError `unreachable`. */
export function phoneCaller(url: string, token?: string): Call {
  const call = callerOf(url, token, patienceMs)
  return wrapCaller(
    () => call,
    async (send) => {
      try {
        return await send()
      } catch (error) {
        throw error instanceof ApiError ? error : new ApiError('unreachable', String(error))
      }
    },
  )
}
