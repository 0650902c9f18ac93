import type { Db } from '../platform/db/db.ts'
import { messagesGiven } from './given-messages.ts'
import { occupantsGiven, visitorsGiven } from './given-people.ts'
import { placesGiven } from './given-places.ts'
import { wardensGiven } from './given-wardens.ts'

/** Builders that make their own parents; fixed readable values, numbered so that names never collide. */
export function createGiven(db: Db) {
  let number = 0
  const next = () => ++number
  return {
    ...placesGiven(db, next),
    ...wardensGiven(db, next),
    ...occupantsGiven(db, next),
    ...visitorsGiven(db, next),
    ...messagesGiven(db),
  }
}
