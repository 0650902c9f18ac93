import type { EvacueeFilters } from '@evac/contract/messaging.ts'
import type { DutyActor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { listMatched } from './matched-evacuees.queries.ts'

/** AMB-120, AMB-121: rows of the evacuees whom the filters of evacuee safety leave, `display` included. */
export const matchedEvacuees = (db: Db, actor: DutyActor, filters: EvacueeFilters): Promise<string[]> =>
  listMatched(db, {
    clientUid: actor.clientUid,
    eventUid: actor.event.uid,
    assignmentUid: filters.area === 'my area' && actor.assignment.areaDomain !== 'Site' ? actor.assignment.uid : null,
    floors: filters.floors.includes('all') ? null : filters.floors,
    filters,
  })
