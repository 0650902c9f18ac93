import { useEffect, useState } from 'react'
import { createStore, useStore } from '../../../lib/store.ts'
import { isDesk } from '../../../lib/use-is-wide.ts'
import { onNews } from '../../../live/news.ts'
import { BoardReader, type Reading } from './board-reader.ts'
import { readBoard } from './read-board.ts'

const first = createStore<Reading>({ picture: null, message: null, error: null, isAsking: true })

/** The board, read for as long as the page is open. */
export function useBoard() {
  const [reader, setReader] = useState<BoardReader | null>(null)
  useEffect(() => {
    const life = new AbortController()
    const made = new BoardReader({
      read: (before) => readBoard(before, life.signal),
      apart: () => (isDesk() ? 2000 : 5000),
    })
    const forget = onNews((news) => made.note(news))
    setReader(made)
    return () => {
      forget()
      made.stop()
      life.abort()
    }
  }, [])
  return { ...useStore(reader?.reading ?? first), retry: () => reader?.askNow() }
}
