import { heardOffset } from '#web/live/feed-news.ts'
import { call } from '#web/session/api.ts'
import { keepSame, type Picture } from './board-snapshot.ts'

/** A building that joins between the two reads is read once more. */
const tries = 3

/** The board with its places, which are read when their version is new. */
export async function readBoard(
  before: Picture | null,
  signal: AbortSignal,
): Promise<{ picture: Picture } | { message: string }> {
  let places = before?.places
  for (let left = tries; left > 0; left--) {
    const since = heardOffset()
    const board = await call(
      'GET /api/event/board',
      { query: since === undefined ? {} : { since: String(since) } },
      { signal },
    )
    const heardAt = Date.now()
    if ('status' in board) return { message: board.message }
    if (places?.version !== board.places) {
      const answer = await call('GET /api/event/board/places', {}, { signal })
      if ('status' in answer) return { message: answer.message }
      places = answer
    }
    if (places.version === board.places) return { picture: keepSame(before, { board, places, heardAt }) }
  }
  throw new Error('board and places do not agree')
}
