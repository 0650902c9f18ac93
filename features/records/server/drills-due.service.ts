import { wordOf } from '#kernel/action-words.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { listDrillsDue } from '../calls/records.ts'
import { countUnannounced, type LastDrill, listGroups, listLastDrills } from './drills-due.queries.ts'
import { reachOf } from './record-access.service.ts'
import { shiftOf, shiftsOf } from './shifts.ts'

/** Buildings that were never drilled first, then the longest overdue. */
export async function presentDue(
  tx: Tx,
  reader: Reader,
  { site }: CallInput<typeof listDrillsDue>['query'],
): Promise<CallAnswer<typeof listDrillsDue>> {
  const reach = await reachOf(tx, reader)
  const inUse = await listGroups(tx, reach)
  const groups = inUse.size > 1 ? [...inUse.keys()] : [null]
  const rows = await listLastDrills(tx, reach, { siteUid: site ?? null, groups })
  const nameOf = (group: LastDrill['group']) => (inUse.get(group ?? 'leave') ?? []).map(wordOf).join(' or ')
  const due = [...Map.groupBy(rows, ({ buildingUid, group }) => `${buildingUid} ${group}`).values()].flatMap((own) =>
    dueOf(own, nameOf),
  )
  const rank = (days: number | null) => days ?? Number.NEGATIVE_INFINITY
  return {
    due: due.toSorted((a, b) => rank(a.due_in) - rank(b.due_in) || a.name.localeCompare(b.name)),
    unannounced: await countUnannounced(tx, reach, site ?? null),
  }
}

/** One line, or one for each shift. The rows are those of one building and group, the latest first. */
function dueOf(rows: readonly LastDrill[], nameOf: (group: LastDrill['group']) => string) {
  const [building] = rows
  if (!building) return []
  const shifts = shiftsOf(building.drillShifts)
  return (shifts.length > 0 ? shifts : [null]).map((shift) => {
    const last = rows.find(({ minute }) => minute !== null && (shift === null || shiftOf(shifts, minute) === shift))
    return {
      building: building.buildingUid,
      name: building.name,
      site: building.siteName,
      ...(building.group && { action: nameOf(building.group) }),
      shift: shift?.name ?? null,
      last: last?.day ?? null,
      due_in: last?.daysAgo == null ? null : building.everyDays - last.daysAgo,
    }
  })
}
