import type { makeWall } from '@evac/contract/calls/walls.ts'
import { ApiError } from '@evac/contract/client/client.ts'
import { boardRefusals } from '@evac/contract/command/board-words.ts'
import type { SiteUid } from '@evac/contract/ids.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { sentenceFor } from '../../../lib/messages.ts'
import { call } from '../../../session/api.ts'

/** A link as it was made: its address is known this once. */
export type MadeWall = CallReply<typeof makeWall> & { name: string }

/** Asked each minute, as often as 'last seen' is written (BOARD-37). */
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
