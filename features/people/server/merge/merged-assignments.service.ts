import { dayOf } from '#features/administrators/server/administrator-mails.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Merging } from '../merge.queries.ts'
import { holdAssignments, writeAssignments } from './merged-assignments.queries.ts'
import { type Assigned, mergeAssignments, type Settled } from './merged-assignments.ts'

/** Assignments and offers of who goes pass to who stays, so that no floor loses its warden. What changes is journaled. */
export async function joinAssignments(tx: Tx, by: JournalActor, merging: Merging): Promise<void> {
  const { clientUid, stays, goes } = merging
  const held = await holdAssignments(tx, merging)
  const before = new Map(held.map((assignment) => [assignment.uid, assignment]))
  const isChanged = (settled: Settled) => stateOf(settled) !== stateOf(before.get(settled.uid) as Assigned)
  const merged = mergeAssignments(held, stays, goes)
  const lost = merged.find(({ isLost }) => isLost)
  if (lost) throw wouldBeLost(lost)
  await writeAssignments(
    tx,
    clientUid,
    merged.filter((settled) => settled.absentAs || isChanged(settled)),
  )
  await record(
    tx,
    by,
    merged.filter(isChanged).map(({ uid, personUid, roleUid, siteUid, dateFrom, dateTo }) => {
      const was = before.get(uid) as Assigned
      return {
        action: 'assignment_changed',
        subjectType: 'warden_assignment',
        subjectUid: uid,
        before: { personUid: was.personUid, dateFrom: was.dateFrom, dateTo: was.dateTo },
        after: { personUid, roleUid, siteUid, dateFrom, dateTo },
      } as const
    }),
  )
}

/** One person has one assignment of a role from a day on, and no one says yes for them. */
const wouldBeLost = ({ role, site, dateFrom }: Settled) =>
  new Refusal(
    'invalid_transition',
    `One of them is offered ${role} at ${site} for ${dayOf(dateFrom)}, and the other has accepted it for other floors on that day. Wait for the answer, or withdraw the offer first.`,
  )

const stateOf = ({ personUid, dateFrom, dateTo, places }: Assigned) =>
  [personUid, dateFrom, dateTo, ...places.toSorted()].join()
