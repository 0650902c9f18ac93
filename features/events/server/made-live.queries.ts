import { sql } from 'kysely'
import type { EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/**
 * The drill is a live event from now on. Returns the steady time from which observations count. `live_from` is
 * the time of the transaction, as are its texts, so that they are not taken for texts of the drill.
 */
export async function markLive(
  tx: Tx,
  eventUid: EventUid,
  personUid: PersonUid,
): Promise<{ countsFrom: Date; liveFrom: Date }> {
  return tx
    .updateTable('event')
    .set({
      kind: 'live',
      liveFrom: sql`now()`,
      liveByPersonUid: personUid,
      countsFrom: sql`(select clock_timestamp() + ahead from steady_clock)`,
    })
    .where('uid', '=', eventUid)
    .returning([sql<Date>`counts_from`.as('countsFrom'), sql<Date>`live_from`.as('liveFrom')])
    .executeTakeFirstOrThrow()
}

/** The open participations of the event that are not on duty. */
export async function listSignInsOffDuty(tx: Tx, eventUid: EventUid): Promise<SignInUid[]> {
  const rows = await tx
    .selectFrom('wardenSignIn')
    .select('uid')
    .where('eventUid', '=', eventUid)
    .where('closedAt', 'is', null)
    .where('onDuty', '=', false)
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Skips what a drill still had to send. Texts that a worker has claimed are looked at again by `claimTexts`. */
export async function skipTextsOfDrill(tx: Tx, eventUid: EventUid): Promise<void> {
  await tx
    .updateTable('broadcast')
    .set({ finishedAt: sql`now()` })
    .where('eventUid', '=', eventUid)
    .where('finishedAt', 'is', null)
    .execute()
  await tx
    .updateTable('sms')
    .set({ status: 'skipped', reason: 'The drill became a live event.', changedAt: sql`now()` })
    .where('eventUid', '=', eventUid)
    .where('status', '=', 'queued')
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', sql<Date>`steady_now()`)]))
    .execute()
}

/** True unless the warden has said so before. */
export async function markLiveSeen(tx: Tx, signInUid: SignInUid): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('wardenSignIn')
    .set({ liveSeenAt: sql`now()` })
    .where('uid', '=', signInUid)
    .where('liveSeenAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface LiveSeen {
  liveFrom: Date
  seen: number
  wardens: number
  notSeen: string[]
}

/**
 * Of the wardens on duty who were so when the drill became live, how many have read it, and who has not. Null for an
 * event that never was a drill.
 */
export async function findLiveSeen(db: Db, eventUid: EventUid): Promise<LiveSeen | null> {
  const { rows } = await sql<LiveSeen>`
    select e.live_from, count(si.uid) filter (where si.live_seen_at is not null)::int as seen, count(si.uid)::int as wardens,
      coalesce(array_agg(p.name order by p.name, p.uid)
        filter (where si.live_seen_at is null and si.uid is not null), '{}') as not_seen
    from event e
    left join (warden_sign_in si join person p on p.client_uid = si.client_uid and p.uid = si.person_uid)
      on si.client_uid = e.client_uid and si.event_uid = e.uid and si.on_duty and si.closed_at is null
        and si.on_duty_at < e.live_from
    where e.uid = ${eventUid} and e.live_from is not null
    group by e.live_from`.execute(db)
  return rows[0] ?? null
}
