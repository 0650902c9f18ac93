import { sql } from 'kysely'
import { type Action, type ActionGroup, groupOf } from '#kernel/actions.ts'
import type { ClientUid, EvacueeUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { askedOnceIn } from '../kinds.ts'
import { plainQuestion } from '../words.ts'
import type { EventOf } from './account-list.queries.ts'

/** Questions of an event take turns until the commit: of two at once the second sees whom the first has asked. */
export async function lockQuestions(tx: Tx, { eventUid }: EventOf): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`questions/${eventUid}`}, 0))`.execute(tx)
}

/** The newest coded template for evacuees, or the plain question. */
export async function findQuestion(db: Db, clientUid: ClientUid): Promise<string> {
  const template = await db
    .selectFrom('messageTemplate')
    .select('text')
    .where('clientUid', '=', clientUid)
    .where('type', '=', 'Evacuee')
    .where('active', '=', true)
    .where('automatedResponse', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return template?.text ?? plainQuestion
}

/** The people by what people do where they are. */
export async function listByGroup(
  db: Db,
  { clientUid, eventUid }: EventOf,
  uids: readonly EvacueeUid[],
): Promise<Map<ActionGroup, Set<EvacueeUid>>> {
  const { rows } = await sql<{ uid: EvacueeUid; action: Action; actionBefore: Action | null }>`
    select e.uid, eb.action, eb.action_before from evacuee e
    join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.event_uid and eb.building_uid = e.building_uid
    where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.uid = any (${uids}::uuid[])`.execute(db)
  const groups = Map.groupBy(rows, ({ action, actionBefore }) => groupOf(action, actionBefore))
  return new Map([...groups].map(([group, all]) => [group, new Set(all.map(({ uid }) => uid))]))
}

/** Who has been sent a question within the last minutes. */
export async function listAskedLately(db: Db, { clientUid, eventUid }: EventOf): Promise<EvacueeUid[]> {
  const { rows } = await sql<{ uid: EvacueeUid }>`
    select distinct evacuee_uid as uid from message
    where client_uid = ${clientUid} and event_uid = ${eventUid} and evacuee_uid is not null and direction = 'out'
      and automated_response and written_at > ${steadyNow} - make_interval(mins => ${askedOnceIn})`.execute(db)
  return rows.map(({ uid }) => uid)
}
