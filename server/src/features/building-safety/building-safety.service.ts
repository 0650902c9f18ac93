import type { SafetyStats, SafetySummary } from '@evac/contract/building-safety.ts'
import type { Db } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { type BuildingRow, listBuildingTallies } from './building-safety.queries.ts'

/** BLDG-01..06, BLDG-09: the site total is the sum of the buildings it is shown with. */
export async function safetySummary(db: Db, actor: DutyActor): Promise<SafetySummary> {
  const rows = await listBuildingTallies(db, actor.clientUid, actor.event.uid)
  const [first] = rows
  if (!first) throw new Refusal('no_event')
  return {
    site: { id: first.siteUid, name: first.siteName },
    total: statsOf({ safe: sum(rows, 'safe'), unknown: sum(rows, 'unknown'), danger: sum(rows, 'danger') }),
    buildings: rows.map((row) => ({
      id: row.buildingUid,
      name: row.buildingName,
      stats: statsOf(row),
      duration: row.duration,
    })),
  } as SafetySummary
}

type Counts = Omit<SafetyStats, 'total'>
const statsOf = ({ safe, unknown, danger }: Counts): SafetyStats => ({
  safe,
  unknown,
  danger,
  total: safe + unknown + danger,
})
const sum = (rows: readonly BuildingRow[], status: keyof Counts) => rows.reduce((total, row) => total + row[status], 0)
