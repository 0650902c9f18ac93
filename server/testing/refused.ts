import { ApiError } from '#kernel/client/client.ts'

/** The error code of each attempt, 'answered' for one that was let through. Anything but a refusal is thrown on. */
export async function refused(...attempts: Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(attempts)
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'answered'
    if (outcome.reason instanceof ApiError) return outcome.reason.code
    throw outcome.reason
  })
}
