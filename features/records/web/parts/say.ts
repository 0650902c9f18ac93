import { createContext, useContext } from 'react'
import type { Say } from '#kernel/action-words.ts'

/** How the record at hand speaks of people and floors. */
export const SayContext = createContext<Say>((text) => text)
export const useSay = (): Say => useContext(SayContext)
