import { groupLimits } from '#kernel/console-kinds.ts'
import { columns } from '../../columns.ts'
import { type KnownGroup, uidOf } from '../files/code-index.ts'
import { readCells } from '../files/kinds.ts'
import type { Problems } from '../files/problems.ts'
import { checkNames, learn, type Reading, type RowReader, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import type { Stored } from '../stored/stored-rows.ts'

function readGroup(row: RowCells, reading: Reading) {
  const { known } = reading
  const cells = readCells(row, columns.groups, reading)
  const before = known.groups.get(cells.code)
  const active = row.has('active') ? cells.active : !before?.isRetired
  const group = { ...cells, line: row.line, uid: uidOf(known.groups, cells.code), active }
  if (before?.isReach && !before.isRetired && !active)
    row.problem('active', 'ends a group that has an administrator: revoke their access first')
  const entry: KnownGroup = { ...group, ...(!active && { isRetired: true }), ...(before?.isReach && { isReach: true }) }
  learn(known.groups, group.code, entry, row)
  return group
}

export interface NewMember {
  /** Null where the file has no such row. */
  line: number | null
  groupUid: string
  personUid: string
}
type MemberRow = NewMember & { line: number }

/** Groups out of use and people who have left keep their members and groups, which an export brings along. */
function readMember(row: RowCells, { known }: Reading): MemberRow {
  const group = refer(known.groups, row, 'group')
  const person = refer(known.people, row, 'person')
  return { line: row.line, groupUid: group?.uid ?? '', personUid: person?.uid ?? '' }
}

type Read = <T>(
  file: 'groups' | 'groupMembers',
  reader: RowReader<T>,
) => Promise<{ rows: T[]; columns: ReadonlySet<string> } | undefined>

/** Groups and members, within the limits of the console. */
export async function readGroups(
  { held, known, members: stored }: Stored,
  { problems }: Pick<Reading, 'problems'>,
  read: Read,
) {
  const groups = await read('groups', readGroup)
  checkNames(known.groups, { storedName: (uid) => held.group.get(uid)?.name, file: 'groups.csv', problems })
  const inUse = [...known.groups.values()].filter(({ isRetired }) => !isRetired).length
  const opened = (groups?.rows ?? []).filter(({ uid, active }) => active && !held.group.get(uid)?.active)
  for (const { line } of opened.slice(Math.max(0, opened.length - Math.max(0, inUse - groupLimits.groups))))
    problems.add(
      'groups.csv',
      line,
      'code',
      `is beyond the ${groupLimits.groups.toLocaleString('en-AU')} groups that may be in use`,
    )
  const members = await read('groupMembers', readMember)
  const added: NewMember[] = members ? addedOf(members.rows, stored, problems) : []
  return { groups, members: members && { rows: members.rows.length, added } }
}

/** The members that the organisation lacks. */
function addedOf(members: readonly MemberRow[], stored: Stored['members'], problems: Problems): MemberRow[] {
  const lines = new Map<string, number>()
  const sizes = new Map([...stored].map(([uid, people]) => [uid, people.size]))
  return members.filter(({ line, groupUid, personUid }) => {
    if (!groupUid || !personUid) return false
    const twin = lines.get(`${groupUid} ${personUid}`)
    if (twin !== undefined) problems.add('group_members.csv', line, 'person', `is already on line ${twin}`)
    lines.set(`${groupUid} ${personUid}`, line)
    if (stored.get(groupUid)?.has(personUid)) return false
    const size = (sizes.get(groupUid) ?? 0) + 1
    sizes.set(groupUid, size)
    if (size > groupLimits.members)
      problems.add(
        'group_members.csv',
        line,
        'group',
        `has more than ${groupLimits.members.toLocaleString('en-AU')} members`,
      )
    return true
  })
}
