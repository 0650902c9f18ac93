import { sql } from 'kysely'
import type { ReachClass, ReachState, Way } from '#features/reach/kinds.ts'
import type { ClientUid, EvacueeUid, EventUid, PersonUid, ReachUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { CallKey } from './calling.queries.ts'

export interface AnsweredCall {
  clientUid: ClientUid
  eventUid: EventUid
  reachUid: ReachUid
  class: ReachClass
  /** What is asked, as the reach has it. */
  about: string
  state: ReachState
  personUid: PersonUid
  signInUid: SignInUid | null
  name: string
  toMobile: string
  say: string
  way: Extract<Way, 'call' | 'second_call'>
  /** The number is that of the person alone. */
  isOwn: boolean
}

export async function findCall(db: Db, { clientUid, uid }: CallKey): Promise<AnsweredCall | undefined> {
  const { rows } = await sql<AnsweredCall>`
    select g.client_uid, g.event_uid, one.uid as reach_uid, one.class, one.about, one.state, one.person_uid, one.sign_in_uid,
      p.name, g.to_mobile, g.say, g.way,
      g.way = 'call' and p.mobile = g.to_mobile and not exists (
        select from person other where other.client_uid = g.client_uid and other.uid <> p.uid
          and g.to_mobile in (other.mobile, other.second_mobile)
          and (exists (select from evacuee v where v.client_uid = g.client_uid and v.event_uid = g.event_uid
              and v.person_uid = other.uid and v.active)
            or exists (select from warden_sign_in si where si.client_uid = g.client_uid and si.event_uid = g.event_uid
              and si.person_uid = other.uid and si.closed_at is null))) as is_own
    from ring g
    join reach one on one.client_uid = g.client_uid and one.uid = g.reach_uid
    join person p on p.client_uid = one.client_uid and p.uid = one.person_uid
    where g.client_uid = ${clientUid} and g.uid = ${uid} and g.to_mobile is not null`.execute(db)
  return rows[0]
}

/** False if a key was pressed in the call before: the first one counts. */
export async function setKey(tx: Tx, { clientUid, uid }: CallKey, digit: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ring set digit = ${digit}, status = 'delivered', reason = null, changed_at = now()
    where client_uid = ${clientUid} and uid = ${uid} and digit is null`.execute(tx)
  return numAffectedRows === 1n
}

export async function answerReach(tx: Tx, { clientUid, reachUid }: AnsweredCall): Promise<void> {
  await sql`
    update reach set state = 'answered', answered_at = now()
    where client_uid = ${clientUid} and uid = ${reachUid} and state in ('going', 'used_up')`.execute(tx)
}

export interface AskedPerson {
  evacueeUid: EvacueeUid
  messageId: number
  askedAt: Date
  /** The question is of the event as it is now: neither of a drill before nor of another action. */
  isOfNow: boolean
}

/** The person of the question, locked as for a text that answers it. */
export async function findAsked(tx: Tx, { clientUid, eventUid, personUid, about }: AnsweredCall) {
  const { rows } = await sql<AskedPerson>`
    select v.uid as evacuee_uid, m.seq as message_id, m.written_at as asked_at,
      m.written_at >= coalesce(greatest(e.counts_from, v.set_back_at), '-infinity') as is_of_now
    from evacuee v
    join event e on e.client_uid = v.client_uid and e.uid = v.event_uid
    join message m on m.client_uid = v.client_uid and m.seq = ${about}::bigint
    where v.client_uid = ${clientUid} and v.event_uid = ${eventUid} and v.person_uid = ${personUid} and v.active
    for no key update of v`.execute(tx)
  return rows[0]
}
