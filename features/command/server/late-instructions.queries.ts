import { sql } from 'kysely'
import { insertTexts, obstacle, phoneOf } from '#features/texts/server/queue.queries.ts'
import type { ClientUid, EventUid, InstructionUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isHidden } from '#server/wardens/building-action.ts'
import { wordOfInstruction } from '../instruction-word.ts'
import { instructionKinds, understandMs } from '../kinds.ts'
import { isNotOfDrill, waitingIn } from './instruction-recipients.queries.ts'

/** Minutes after which an instruction is not texted any more, because it would mislead. */
const tooLateMinutes = 15
/** Attendances of wardens whom a text may still reach at their post: on duty or unknown. */
const isReachable = sql<boolean>`not si.not_available and (si.on_duty or si.off_duty_at is null)`
const word = sql.join(
  [sql`case i.kind`, ...instructionKinds.map((kind) => sql`when ${kind} then ${wordOfInstruction(kind)}`), sql`end`],
  sql` `,
)

export interface LateInstruction {
  clientUid: ClientUid
  uid: InstructionUid
  eventUid: EventUid
}

/** Instructions of running events that are to be texted, each once. Any number of workers may run it at once. */
export async function claimLate(tx: Tx, most: number): Promise<LateInstruction[]> {
  const { rows } = await sql<LateInstruction>`
    update instruction i set texted_at = clock_timestamp()
    from (
      select i.client_uid, i.uid from instruction i
      join event e on e.client_uid = i.client_uid and e.uid = i.event_uid and e.ended_at is null
      join client c on c.uid = i.client_uid and c.active and c.sms_allowed
      where i.text and i.texted_at is null and ${isNotOfDrill}
        and i.at <= clock_timestamp() - make_interval(secs => ${understandMs / 1000})
        and i.at > clock_timestamp() - make_interval(mins => ${tooLateMinutes})
      order by i.at limit ${most} for update of i skip locked
    ) due
    where i.client_uid = due.client_uid and i.uid = due.uid
    returning i.client_uid, i.uid, i.event_uid`.execute(tx)
  return rows
}

export async function textWhoHasNotUnderstood(tx: Tx, late: readonly LateInstruction[]): Promise<void> {
  const [clients, events, uids] = [
    late.map(({ clientUid }) => clientUid),
    late.map(({ eventUid }) => eventUid),
    late.map(({ uid }) => uid),
  ]
  await sql`
    with ${waitingIn(sql`select * from unnest(${clients}::uuid[], ${events}::uuid[])`, isReachable)}, unreached as (
      select w.client_uid, w.event_uid, w.person_uid, w.sign_in_uid, w.instruction_uid, p.mobile,
        ${word} || '. ' || i.message as words, ${obstacle(sql`true`)} as obstacle
      from waiting w
      join sent i on i.client_uid = w.client_uid and i.uid = w.instruction_uid and i.uid = any (${uids}::uuid[])
      join warden_sign_in si on si.client_uid = w.client_uid and si.uid = w.sign_in_uid
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      ${phoneOf('w')}
      where not ${isHidden}
    ), noted as (
      insert into instruction_answer (client_uid, instruction_uid, sign_in_uid, event_uid, texted_at)
      select client_uid, instruction_uid, sign_in_uid, event_uid, clock_timestamp() from unreached where obstacle is null
      on conflict (client_uid, instruction_uid, sign_in_uid) do nothing
    )
    ${insertTexts({ kind: 'instruction', body: sql`r.words`, brings: ['sign_in_uid'] }, sql`select * from unreached`)}`.execute(
    tx,
  )
}
