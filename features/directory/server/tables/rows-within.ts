import { groupLimits } from '#kernel/console-kinds.ts'
import type { Reach } from '#server/administrators/administrator.ts'
import type { Problems } from '../files/problems.ts'
import type { CheckedTables } from '../read-tables.ts'

/** How far the rows of an upload may reach. */
export interface RowsReach {
  reach: Reach
  /** Uids of the people within reach. Null for all. */
  people: ReadonlySet<string> | null
  /** Uids of the people who have an assignment within reach. Null for all. */
  holders: ReadonlySet<string> | null
}

/** A problem for each row of people.csv and assignments.csv beyond the reach. A part of the organisation has no other files. */
export function refuseBeyond(tables: CheckedTables, { reach, people, holders }: RowsReach, problems: Problems) {
  if (reach.kind === 'organisation' || !people) return
  const { held, known } = tables
  const isAtSite = siteTest(tables, reach)
  for (const row of tables.people?.rows ?? []) {
    const before = held.person.get(row.uid)
    const beyond = (column: string) => problems.add('people.csv', row.line, column, 'is outside your reach')
    if (before && !people.has(row.uid)) beyond('code')
    else if (!isAtSite(row)) beyond('floor')
  }
  const roles = new Map([...known.roles.values()].map((role) => [role.uid, role]))
  for (const { line, personUid, roleUid, siteUid } of tables.assignments?.rows ?? []) {
    const beyond = (column: string) => problems.add('assignments.csv', line, column, 'is outside your reach')
    if (reach.kind === 'site') {
      if (siteUid !== reach.siteUid) beyond('site')
      else if (held.person.has(personUid) && !people.has(personUid) && !holders?.has(personUid)) beyond('person')
    } else if (held.person.has(personUid) && !people.has(personUid)) beyond('person')
    else {
      const { areaDomain } = roles.get(roleUid) ?? {}
      const modules = (held.role.get(roleUid)?.modules ?? []) as readonly string[]
      if ((areaDomain !== 'Floor' && areaDomain !== 'Area') || modules.includes('Event_Management')) beyond('role')
    }
  }
}

/** Who administers a group adds to that group: each new person of the tables becomes a member. */
export function withMembers(tables: CheckedTables, { reach, people }: RowsReach, problems: Problems): CheckedTables {
  if (reach.kind !== 'group' || !people) return tables
  const added = (tables.people?.rows ?? [])
    .filter(({ uid }) => !tables.held.person.has(uid))
    .map(({ uid }) => ({ line: null, groupUid: reach.groupUid, personUid: uid }))
  if (people.size + added.length > groupLimits.members)
    problems.add('people.csv', 0, '', `makes more than ${groupLimits.members.toLocaleString('en-AU')} members`)
  return added.length > 0 ? { ...tables, members: { rows: added.length, added } } : tables
}

type PersonRow = NonNullable<CheckedTables['people']>['rows'][number]

/** True for everyone if the reach is no site. */
function siteTest({ held }: CheckedTables, reach: Reach) {
  if (reach.kind !== 'site') return () => true
  const buildings = new Set([...held.building].filter(([, row]) => row.siteUid === reach.siteUid).map(([uid]) => uid))
  const floors = new Set(
    [...held.floor].filter(([, row]) => buildings.has(String(row.buildingUid))).map(([uid]) => uid),
  )
  return ({ primaryFloorUid, visitingBuildingUid }: PersonRow) =>
    (primaryFloorUid !== null && floors.has(primaryFloorUid)) ||
    (visitingBuildingUid !== null && buildings.has(visitingBuildingUid))
}
