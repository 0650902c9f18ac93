import type { Db } from '../platform/db/db.ts'
import { messagesGiven } from './given-messages.ts'
import { peopleGiven } from './given-people.ts'
import { placesGiven } from './given-places.ts'

/** Builders that make their own parents; fixed readable values, numbered so that names never collide. */
export function createGiven(db: Db) {
  let number = 0
  const next = () => ++number
  return { ...placesGiven(db, next), ...peopleGiven(db, next), ...messagesGiven(db) }
}
