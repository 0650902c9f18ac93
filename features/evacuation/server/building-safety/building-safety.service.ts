import { eachStatus, withTotal } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { SafetySummary } from '../../calls/building-safety.ts'
import { listBuildingTallies } from '../tally.queries.ts'

/** The site total is the sum of its buildings. */
export async function safetySummary(db: Db, actor: DutyActor): Promise<SafetySummary> {
  const rows = await listBuildingTallies(db, actor.clientUid, actor.event.uid)
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
