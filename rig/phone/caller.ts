import { ApiError, type Call, wrapCaller } from '@evac/contract/client/client.ts'
import { callerOf } from '@evac/contract/client/fetch-caller.ts'

/** As the web app waits for an answer. */
const patienceMs = 10_000

/** A phone's caller: without an answer of the product it throws `unreachable`, as the web app's does. */
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
