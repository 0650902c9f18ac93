import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, CommandTurnUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { Acting } from '#server/wardens/actor.ts'
import { wasOnDutyAtEnd } from '#server/wardens/event-end.ts'
import { inChainOrder, managersOnDuty } from '#server/wardens/managers-on-duty.ts'
import type { ChainMember, CommandCounts, CommandTurn } from '../calls/command.ts'
import type { TurnBeginning } from '../kinds.ts'
import { handOverMs } from '../kinds.ts'

/** An event, as seen by its organisation. */
export interface EventOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export const eventOf = (actor: Acting): EventOf => ({ clientUid: actor.clientUid, eventUid: actor.event.uid })

export interface CurrentTurn {
  uid: CommandTurnUid
  /** Who leads. Null if no one does, also because their warden went off duty. */
  leader: (ChainMember & { personUid: PersonUid }) | null
  lastName: string | null
  lastSignInUid: SignInUid | null
  /** Since when the leader leads, or no one does. */
  since: Date
  silentAt: Date | null
  commandMinutes: number
  /** Whom the leader has asked, if the time to answer is not over. */
  askedSignInUid: SignInUid | null
  askedName: string | null
  askedAt: Date | null
  askedNote: string | null
}

const isOnDuty = sql`coalesce(si.on_duty and si.closed_at is null, false)`

/** The turn of the event that has not ended, with what it means now. */
export const findCurrentTurn = (db: Db, event: EventOf): Promise<CurrentTurn | undefined> =>
  findTurn(db, event, isOnDuty)

/** The same of an event that has ended: who led when it ended. */
export const findLastTurn = (db: Db, event: EventOf): Promise<CurrentTurn | undefined> =>
  findTurn(db, event, wasOnDutyAtEnd(event))

async function findTurn(
  db: Db,
  { clientUid, eventUid }: EventOf,
  isLeading: RawBuilder<unknown>,
): Promise<CurrentTurn | undefined> {
  const { rows } = await sql<CurrentTurn>`
    select t.uid, t.silent_at, c.command_minutes, si.uid as last_sign_in_uid,
      case when ${isLeading} then jsonb_build_object('id', a.uid, 'wardenSignInUid', si.uid, 'name', p.name,
        'role', r.name, 'phone', p.mobile, 'personUid', p.uid) end as leader,
      p.name as last_name,
      case when ${isLeading} then t.began_at else greatest(t.began_at, si.off_duty_at, si.closed_at) end as since,
      asked.uid as asked_sign_in_uid, asked_person.name as asked_name,
      case when asked.uid is not null then t.asked_at end as asked_at, case when asked.uid is not null then t.asked_note end as asked_note
    from command_turn t
    join client c on c.uid = t.client_uid
    left join warden_sign_in si on si.client_uid = t.client_uid and si.uid = t.sign_in_uid
    left join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    left join warden_sign_in asked on asked.client_uid = t.client_uid and asked.uid = t.asked_sign_in_uid
      and asked.on_duty and ${isLeading} and t.asked_at > clock_timestamp() - make_interval(secs => ${handOverMs / 1000})
    left join person asked_person on asked_person.client_uid = asked.client_uid and asked_person.uid = asked.person_uid
    where t.client_uid = ${clientUid} and t.event_uid = ${eventUid} and t.ended_at is null`.execute(db)
  return rows[0]
}

export type ChainRow = ChainMember & { personUid: PersonUid }

export async function listChain(db: Db, { eventUid }: EventOf): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select si.uid as warden_sign_in_uid, a.uid as id, p.uid as person_uid, p.name, r.name as role,
      p.mobile as phone
    from ${managersOnDuty(eventUid)}
    order by ${inChainOrder}`.execute(db)
  return rows
}

interface TurnRow extends Omit<CommandTurn, 'began_at' | 'ended_at'> {
  beganAt: Date
  endedAt: Date | null
}

/** The turns of the event, the newest first. */
export async function listTurns(db: Db, { clientUid, eventUid }: EventOf, most: number): Promise<TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select t.uid, p.name, r.name as role, t.began_at, t.ended_at, t.how, t.note, t.counts
    from command_turn t
    left join warden_sign_in si on si.client_uid = t.client_uid and si.uid = t.sign_in_uid
    left join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where t.client_uid = ${clientUid} and t.event_uid = ${eventUid}
    order by t.began_at desc, t.uid limit ${most}`.execute(db)
  return rows
}

/** Ends that turn. False if it has ended. A statement that waited for another one sees what that one did. */
export async function endTurn(tx: Tx, { clientUid, eventUid }: EventOf, turnUid: CommandTurnUid): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('commandTurn')
    .set({ endedAt: sql`clock_timestamp()` })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('uid', '=', turnUid)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface NewTurn extends EventOf {
  signInUid: SignInUid
  how: TurnBeginning
  note: string | null
  counts: CommandCounts | null
}

export async function insertTurn(tx: Tx, { counts, ...turn }: NewTurn): Promise<CommandTurnUid> {
  const { uid } = await tx
    .insertInto('commandTurn')
    .values({ ...turn, counts: counts && JSON.stringify(counts) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** Notes whom the leader has asked. False if the turn has ended. */
export async function markAsked(
  tx: Tx,
  { clientUid }: EventOf,
  { turnUid, to, note }: { turnUid: CommandTurnUid; to: SignInUid; note: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('commandTurn')
    .set({ askedSignInUid: to, askedAt: sql`clock_timestamp()`, askedNote: note })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', turnUid)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** True for a participation of the event whose warden is not on duty. */
export async function isAway(db: Db, { clientUid, eventUid }: EventOf, signInUid: SignInUid): Promise<boolean> {
  const row = await db
    .selectFrom('wardenSignIn')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('uid', '=', signInUid)
    .where('onDuty', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** Floors of the event, and those with a status that means clear. */
export async function countFloors(db: Db, { clientUid, eventUid }: EventOf) {
  const { rows } = await sql<{ floors: number; cleared: number }>`
    select count(*)::int as floors, count(*) filter (where s.means_clear)::int as cleared
    from event_floor ef
    join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
      and eb.building_uid = ef.building_uid and eb.active
    join floor_status s on s.client_uid = ef.client_uid and s.uid = ef.floor_status_uid
    where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid}`.execute(db)
  return rows[0] ?? { floors: 0, cleared: 0 }
}
