import { sql } from 'kysely'
import { insertReaches, steadily } from '#features/reach/server/begin.queries.ts'
import { firstSeconds } from '#features/reach/server/plan.ts'
import { overReasons } from '#features/reach/server/settle.queries.ts'
import type { ReachSource } from '#features/reach/server/sweep.service.ts'
import type { ClientUid, EventUid, InstructionUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { isNotOfDrill, waitingIn } from './instruction-recipients.queries.ts'

const mostAtOnce = 20
/** Minutes after which wardens are not reached about an instruction any more, because it would mislead. */
const tooLateMinutes = 15
/** Attendances of wardens who may still be reached at their post: on duty or unknown. */
const isReachable = sql<boolean>`not si.not_available and (si.on_duty or si.off_duty_at is null)`

interface Due {
  clientUid: ClientUid
  uid: InstructionUid
  eventUid: EventUid
}

/** Instructions of running events whose first step is due, each once. Older nodes see in `texted_at` that they text none of them. */
async function claimDue(tx: Tx): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update instruction i set texted_at = clock_timestamp()
    from (
      select i.client_uid, i.uid from instruction i
      join event e on e.client_uid = i.client_uid and e.uid = i.event_uid and e.ended_at is null
      join client c on c.uid = i.client_uid and c.active
      where i.text and i.texted_at is null and ${isNotOfDrill}
        and i.at <= clock_timestamp() - make_interval(secs => ${firstSeconds('instruction')})
        and i.at > clock_timestamp() - make_interval(mins => ${tooLateMinutes})
      order by i.at limit ${mostAtOnce} for update of i skip locked
    ) due
    where i.client_uid = due.client_uid and i.uid = due.uid
    returning i.client_uid, i.uid, i.event_uid`.execute(tx)
  return rows
}

/** Who has not understood these instructions, which are the newest that mean them. */
async function beginReaches(tx: Tx, due: readonly Due[]): Promise<void> {
  const events = sql`select * from unnest(${due.map(({ clientUid }) => clientUid)}::uuid[], ${due.map(({ eventUid }) => eventUid)}::uuid[])`
  await sql`
    with ${waitingIn(events, isReachable)}
    ${insertReaches(
      'instruction',
      sql`
        select w.client_uid, w.event_uid, i.uid::text as about, w.person_uid, w.sign_in_uid, ${steadily(sql`i.at`)} as began_at, i.at as asked_at
        from waiting w
        join sent i on i.client_uid = w.client_uid and i.uid = w.instruction_uid and i.uid = any (${due.map(({ uid }) => uid)}::uuid[])`,
    )}`.execute(tx)
}

async function beginDue(system: Db): Promise<void> {
  const page = () =>
    system.transaction().execute(async (trx) => {
      const tx = trx as Tx
      const due = await claimDue(tx)
      if (due.length > 0) await beginReaches(tx, due)
      return due.length
    })
  while ((await page()) === mostAtOnce);
}

/** Ends due reaches about instructions that mean their warden no more, or that a newer one has replaced. */
async function endReplaced(system: Db, at: string): Promise<void> {
  const due = sql`reach.class = 'instruction' and reach.state = 'going' and reach.next_at <= ${at}::timestamptz`
  const { rows: events } = await sql<Pick<Due, 'clientUid' | 'eventUid'>>`
    select distinct client_uid, event_uid from reach where ${due}`.execute(system)
  if (events.length === 0) return
  const listed = sql`select * from unnest(${events.map(({ clientUid }) => clientUid)}::uuid[], ${events.map(({ eventUid }) => eventUid)}::uuid[])`
  await sql`
    with ${waitingIn(listed, isReachable)}
    update reach set state = 'over', reason = ${overReasons.replaced}
    where ${due} and (client_uid, event_uid) in (${listed})
      and not exists (select from waiting w where w.client_uid = reach.client_uid and w.sign_in_uid = reach.sign_in_uid
        and w.instruction_uid::text = reach.about)
      and not exists (select from instruction_answer a where a.client_uid = reach.client_uid and a.sign_in_uid = reach.sign_in_uid
        and a.instruction_uid::text = reach.about and a.understood_at is not null)`.execute(system)
}

/** Wardens who have not understood an instruction are reached until they do. */
export const instructionReaches: ReachSource = { begin: beginDue, settle: endReplaced }
