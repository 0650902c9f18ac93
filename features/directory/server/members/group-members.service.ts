import type { ClientUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as queries from './group-members.queries.ts'

/** Makes people members. Each of them has an entry in the journal. Returns how many were none. */
export async function addMembers(tx: Tx, by: JournalActor, members: queries.Members): Promise<number> {
  const added = await queries.insertMembers(tx, members)
  await journalMembers(tx, by, added, { after: { group_uid: members.groupUid } })
  return added.length
}

/** Takes people out of a group. Each of them has an entry in the journal. Returns how many were members. */
export async function removeMembers(tx: Tx, by: JournalActor, members: queries.Members): Promise<number> {
  const removed = await queries.deleteMembers(tx, members)
  await journalMembers(tx, by, removed, { before: { group_uid: members.groupUid } })
  return removed.length
}

/** Members as they were before an act. False if the group is out of use. Throws `not_found` without a group. */
export async function restoreMembers(
  tx: Tx,
  by: JournalActor & { clientUid: ClientUid },
  groupUid: GroupUid,
  { add, remove }: { add: readonly PersonUid[]; remove: readonly PersonUid[] },
): Promise<boolean> {
  const { clientUid } = by
  const isInUse = await queries.isGroupInUse(tx, clientUid, groupUid)
  if (isInUse === undefined) throw new Refusal('not_found')
  if (!isInUse) return false
  await removeMembers(tx, by, { clientUid, groupUid, people: remove })
  await addMembers(tx, by, { clientUid, groupUid, people: add })
  return true
}

/** Takes out people whom files have brought in, and passes over those who are no members any more. With `by`, each has an entry. */
export async function removeBrought(
  tx: Tx,
  clientUid: ClientUid,
  by: JournalActor | undefined,
  members: readonly queries.CodedMember[],
): Promise<void> {
  const removed = await queries.deleteCoded(tx, clientUid, members)
  if (!by) return
  for (const [groupUid, of] of Map.groupBy(removed, ({ groupUid }) => groupUid)) {
    const people = of.map(({ personUid }) => personUid)
    await journalMembers(tx, by, people, { before: { group_uid: groupUid } })
  }
}

const journalMembers = (
  tx: Tx,
  by: JournalActor,
  people: readonly PersonUid[],
  of: { before: { group_uid: GroupUid } } | { after: { group_uid: GroupUid } },
) =>
  record(
    tx,
    by,
    people.map((subjectUid) => ({ action: 'group_changed', subjectType: 'person', subjectUid, ...of })),
  )
