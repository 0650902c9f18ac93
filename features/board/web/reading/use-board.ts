import { startTransition, useEffect, useState } from 'react'
import { onNews } from '#web/live/feed-news.ts'
import { BoardReader, type Reading } from './board-reader.ts'
import { readBoard } from './read-board.ts'
import { hasRoomForBoard } from './room.ts'

const first: Reading = { picture: null, message: null, error: null, isAsking: true }

/** The board, read for as long as the page is open. A reading is drawn in small steps: presses do not wait for it. */
export function useBoard() {
  const [reader, setReader] = useState<BoardReader | null>(null)
  const [reading, setReading] = useState(first)
  useEffect(() => {
    const life = new AbortController()
    const made = new BoardReader({
      read: (before) => readBoard(before, life.signal),
      apart: () => (hasRoomForBoard() ? 2000 : 5000),
    })
    const forget = onNews((news) => made.note(news))
    const ignore = made.reading.subscribe(() => startTransition(() => setReading(made.reading.get())))
    setReader(made)
    return () => {
      forget()
      ignore()
      made.stop()
      life.abort()
    }
  }, [])
  return { ...reading, retry: () => reader?.askNow() }
}
