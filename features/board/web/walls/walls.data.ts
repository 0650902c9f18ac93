import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { SiteUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import type { makeWall } from '../../calls/walls.ts'
import { boardRefusals } from '../../words.ts'

/** A link as it was made: its address is known this once. */
export type MadeWall = CallReply<typeof makeWall> & { name: string }

/** Asked each minute, as often as 'last seen' is written. */
export const wallsQuery = (site: SiteUid) =>
  queryOptions({
    queryKey: ['event', 'walls', site],
    queryFn: ({ signal }) => call('GET /api/event/walls', { query: { site } }, { signal }),
    refetchInterval: 60_000,
    meta: { anyEvent: true },
  })

const isBoardRefusal = (code: string): code is keyof typeof boardRefusals => code in boardRefusals

export const wallSentence = (error: unknown) =>
  error instanceof ApiError && isBoardRefusal(error.code) ? boardRefusals[error.code] : sentenceFor(error as Error)
