import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Step } from '../../calls/overview.ts'

interface StepsRow {
  places: boolean
  people: boolean
  wardens: boolean
  plans: boolean
  templates: boolean
}

/** What there is of each kind. People: somebody beside the administrators. */
export async function findSteps(tx: Tx, clientUid: ClientUid): Promise<StepsRow> {
  const { rows } = await sql<StepsRow>`select
    exists (select from floor where client_uid = ${clientUid}) as places,
    exists (select from person p where p.client_uid = ${clientUid} and p.active and not exists (
      select from administrator g where g.client_uid = p.client_uid and g.person_uid = p.uid)) as people,
    exists (select from warden_assignment where client_uid = ${clientUid} and status in ('Offered', 'Accepted')) as wardens,
    exists (select from peep where client_uid = ${clientUid} and active) as plans,
    exists (select from message_template where client_uid = ${clientUid} and active) as templates`.execute(tx)
  return rows[0] as StepsRow
}

/** `forChange` holds the organisation, so that changes take turns. */
export async function listStepsAside(tx: Tx, clientUid: ClientUid, { forChange = false } = {}): Promise<Step[]> {
  const { rows } = await sql<{ stepsAside: Step[] }>`
    select steps_aside from client where uid = ${clientUid} ${forChange ? sql`for no key update` : sql``}`.execute(tx)
  return rows[0]?.stepsAside ?? []
}

/** Settings that someone has open stay as they were: the row keeps its time. */
export async function updateStepsAside(tx: Tx, clientUid: ClientUid, stepsAside: Step[]): Promise<void> {
  await tx.updateTable('client').set({ stepsAside }).where('uid', '=', clientUid).execute()
}

export async function countWholeAdministrators(tx: Tx, clientUid: ClientUid): Promise<number> {
  const { count } = await tx
    .selectFrom('administrator')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('clientUid', '=', clientUid)
    .where('reach', '=', 'organisation')
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
