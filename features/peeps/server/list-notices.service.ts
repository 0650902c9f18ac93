import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { listPlanNotices, notePlanTold } from '../calls/plans.ts'
import { listNotices, lockUntold, setToldInPerson } from './list-notices.queries.ts'
import { getPerson } from './plans.service.ts'

const mostNotices = 50

/** 'Not told' where neither mail nor text reached the person. */
export async function presentNotices(
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
): Promise<CallAnswer<typeof listPlanNotices>> {
  await getPerson(tx, administrator, personUid)
  const rows = await listNotices(tx, administrator.clientUid, personUid, mostNotices)
  return rows.map(({ site, beganAt, how, at }) => ({
    site,
    how,
    began_at: beganAt.toISOString(),
    at: at?.toISOString() ?? null,
  }))
}

/** 'Told in person'. Of two administrators the second reads that it has changed. */
export async function noteTold(
  tx: Tx,
  administrator: Administrator,
  personUid: PersonUid,
  { count }: CallInput<typeof notePlanTold>['body'],
): Promise<CallAnswer<typeof notePlanTold>> {
  const { clientUid } = administrator
  await getPerson(tx, administrator, personUid)
  const uids = await lockUntold(tx, clientUid, personUid)
  if (uids.length !== count) throw new Refusal('changed_since')
  if (count > 0) {
    await setToldInPerson(tx, { clientUid, uids, byPersonUid: administrator.personUid })
    await record(tx, journalAdministrator(administrator), {
      action: 'plan_notice_sent',
      subjectType: 'person',
      subjectUid: personUid,
      after: { how: 'in_person', events: count },
    })
  }
  return { status: 'saved' }
}
