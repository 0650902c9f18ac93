import type { SafetySummary } from '@evac/contract/calls/building-safety.ts'
import { eachStatus, withTotal } from '@evac/contract/vocabulary.ts'
import type { Db } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { buildingTallies } from '../evacuation/tally.service.ts'

/** BLDG-01..06, BLDG-09: the site total is the sum of its buildings. */
export async function safetySummary(db: Db, actor: DutyActor): Promise<SafetySummary> {
  const rows = await buildingTallies(db, actor.clientUid, actor.event.uid)
  const [first] = rows
  if (!first) throw new Refusal('no_event')
  return {
    site: { id: first.siteUid, name: first.siteName },
    total: withTotal(eachStatus((status) => rows.reduce((sum, row) => sum + row[status], 0))),
    buildings: rows.map((row) => ({
      id: row.buildingUid,
      name: row.buildingName,
      stats: withTotal(row),
      duration: row.duration,
    })),
  }
}
