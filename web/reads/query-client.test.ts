import { expect, test, vi } from 'vitest'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { call } from '../session/api.ts'
import { createQueryClient } from './query-client.ts'

test.for([
  ['when the server wants it', { retry_after: 7 }, [7000, 7000]],
  ['after one and two seconds if the server does not say', {}, [1000, 2000]],
] as const)('F36 a read that the server had no time for is repeated %s', async ([, more, pauses]) => {
  const turnedAway = { error: 'unavailable', message: 'Try again.', ...more }
  vi.stubGlobal('fetch', async () => Response.json(turnedAway, { status: 503 }))
  const { retry, retryDelay } = createQueryClient().getDefaultOptions().queries ?? {}
  if (typeof retry !== 'function' || typeof retryDelay !== 'function') throw new Error('reads are repeated')

  const error = await call(getProfile, {}).catch((why) => why)

  expect([retry(0, error), retry(1, error), retry(2, error)]).toEqual([true, true, false])
  expect([retryDelay(0, error), retryDelay(1, error)]).toEqual(pauses)
})
