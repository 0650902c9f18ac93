import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { areaPlaces } from '#server/wardens/warden-area.ts'
import type { ReachClass } from '../kinds.ts'
import { firstSeconds, nextSeconds } from './plan.ts'

/** A moment of a row by the server's clock, in steady time. */
export const steadily = (at: RawBuilder<unknown>): RawBuilder<Date> => sql`(${steadyNow} - (clock_timestamp() - ${at}))`

/** How many texts and calls of a reach have failed: those bring its next step forward. */
export const failedWays: RawBuilder<number> = sql`(
  (select count(*) from sms s where s.client_uid = reach.client_uid and s.reach_uid = reach.uid
    and s.status in ('failed', 'expired', 'skipped'))
  + (select count(*) from ring g where g.client_uid = reach.client_uid and g.reach_uid = reach.uid
    and g.to_mobile is not null and g.status in ('failed', 'expired')))`

/** What begins anew if the person is already reached about it. */
const anew = sql`update set began_at = excluded.began_at, asked_at = excluded.asked_at, next_at = excluded.next_at, step = 0,
  state = 'going', reason = null, is_texted = excluded.is_texted, is_second = false, answered_at = null, answered_by_person_uid = null,
  failed = ${failedWays}`

/**
 * The insert of reaches of one class. `rows` has client_uid, event_uid, about, person_uid, sign_in_uid, began_at (steady time) and
 * asked_at. None begins where the class has no steps. One that stands stays as it is, or begins `again`.
 */
export const insertReaches = (
  reachClass: ReachClass,
  rows: RawBuilder<unknown>,
  { isTexted = false, again = false }: { isTexted?: boolean; again?: boolean } = {},
): RawBuilder<unknown> => sql`
  insert into reach (client_uid, event_uid, class, about, person_uid, sign_in_uid, began_at, asked_at, next_at, is_texted)
  select distinct on (b.person_uid, b.about) b.client_uid, b.event_uid, ${reachClass}, b.about, b.person_uid, b.sign_in_uid, b.began_at, b.asked_at,
    b.began_at + make_interval(secs => ${firstSeconds(reachClass)}), ${isTexted}
  from (${rows}) b join client c on c.uid = b.client_uid
  where ${firstSeconds(reachClass)} is not null
  on conflict (client_uid, event_uid, class, about, person_uid) do ${again ? anew : sql`nothing`}`

/** Two assignments share a place: both are of the site, or one of them names a floor or whole building of the other. */
const sharesPlace = sql`(r.area_domain = 'Site' and other_role.area_domain = 'Site' or exists (
  select from ${areaPlaces} mine join ${areaPlaces} theirs on theirs.client_uid = mine.client_uid
    and theirs.building_uid = mine.building_uid
    and (theirs.floor_uid = mine.floor_uid or theirs.floor_uid is null or mine.floor_uid is null)
  where mine.client_uid = a.client_uid and mine.assignment_uid = a.uid
    and theirs.assignment_uid = other_assignment.uid))`

/** Some warden `other` of the event of sign-in `si`, by assignment `a` with role `r`, shares a place with them and meets the condition. */
export const hasOtherAtPlace = (meets: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select from warden_sign_in other
  join warden_assignment other_assignment on other_assignment.client_uid = other.client_uid and other_assignment.uid = other.assignment_uid
  join warden_role other_role on other_role.client_uid = other.client_uid and other_role.uid = other_assignment.role_uid
  where other.client_uid = si.client_uid and other.event_uid = si.event_uid and other.person_uid <> si.person_uid
    and other.closed_at is null and ${meets} and ${sharesPlace})`

/**
 * Begins the reaches of wardens who are called to an event. Their texts are queued with them. Returns the participations of
 * those who wait until no one else answers: their role is called second, the organisation has the step 'next', and one of
 * their places has a warden who is called now.
 */
export async function beginReportIns(tx: Tx, eventUid: string, signInUids: readonly string[]): Promise<Set<string>> {
  const called = sql`
    select si.client_uid, si.event_uid, si.uid::text as about, si.person_uid, si.uid as sign_in_uid, ${steadyNow} as began_at, now() as asked_at
    from warden_sign_in si where si.event_uid = ${eventUid} and si.uid = any (${signInUids}::uuid[])`
  await sql`${insertReaches('report_in', called, { isTexted: true, again: true })}`.execute(tx)
  const { rows } = await sql<{ signInUid: string }>`
    update reach set is_second = true, is_texted = false, next_at = reach.began_at + make_interval(secs => waits.seconds)
    from (
      select si.client_uid, si.uid, ${nextSeconds} as seconds
      from warden_sign_in si
      join client c on c.uid = si.client_uid
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and r.called = 'second'
      where si.event_uid = ${eventUid} and si.uid = any (${signInUids}::uuid[])
        and ${hasOtherAtPlace(sql`other_role.called = 'first' and (other.on_duty or other.uid = any (${signInUids}::uuid[]))`)}
    ) waits
    where reach.client_uid = waits.client_uid and reach.event_uid = ${eventUid} and reach.class = 'report_in'
      and reach.about = waits.uid::text and waits.seconds is not null
    returning reach.sign_in_uid`.execute(tx)
  return new Set(rows.map(({ signInUid }) => signInUid))
}

/** Begins the reaches of unknown occupants who are asked by these messages. Their texts are queued with them. */
export async function beginAsks(tx: Tx, clientUid: string, seqs: readonly number[]): Promise<void> {
  const asked = sql`
    select m.client_uid, m.event_uid, m.seq::text as about, e.person_uid, null::uuid as sign_in_uid, m.written_at as began_at, m.created_at as asked_at
    from message m join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid and e.status = 'unknown'
    where m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[]) and m.automated_response`
  await sql`${insertReaches('ask', asked, { isTexted: true })}`.execute(tx)
}

/** Begins the reaches of silent leaders of these turns. Their texts are queued with them. */
export async function beginCommands(tx: Tx, turnUids: readonly string[]): Promise<void> {
  const silent = sql`
    select t.client_uid, t.event_uid, t.uid::text as about, si.person_uid, si.uid as sign_in_uid, ${steadyNow} as began_at, now() as asked_at
    from command_turn t join warden_sign_in si on si.client_uid = t.client_uid and si.uid = t.sign_in_uid
    where t.uid = any (${turnUids}::uuid[])`
  await sql`${insertReaches('command', silent, { isTexted: true, again: true })}`.execute(tx)
}
