import type { ReactNode } from 'react'
import { createStore } from '../../lib/store.ts'

/** What stands below the shared header. The parts of signed-in wardens bring it: the first load is without it. */
export const belowHeaderStore = createStore<ReactNode>(null)
