import { sql } from 'kysely'
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

/** Who has been sent a question within the last minutes. */
export async function listAskedLately(db: Db, { clientUid, eventUid }: EventOf): Promise<EvacueeUid[]> {
  const { rows } = await sql<{ uid: EvacueeUid }>`
    select distinct evacuee_uid as uid from message
    where client_uid = ${clientUid} and event_uid = ${eventUid} and evacuee_uid is not null and direction = 'out'
      and automated_response and written_at > ${steadyNow} - make_interval(mins => ${askedOnceIn})`.execute(db)
  return rows.map(({ uid }) => uid)
}
