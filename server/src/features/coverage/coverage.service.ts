import type { Db } from '../../platform/db/db.ts'
import { listPlaces, type OfEvent, type PlaceRow } from './coverage.queries.ts'

/** COV-02: who covers each place of the event that needs a warden, by building and level. */
export const coverageOf = (db: Db, event: OfEvent): Promise<PlaceRow[]> => listPlaces(db, event)
