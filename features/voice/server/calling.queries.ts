import { sql } from 'kysely'
import type { ReachClass } from '#features/reach/kinds.ts'
import { isHiding } from '#features/reach/server/settle.queries.ts'
import { lockBudgets } from '#features/texts/server/budget.queries.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'

/** Longer than a provider may take to answer. A call of a killed worker that no provider has reported is made again after it. */
const leaseSeconds = 20
/** A number rings so often in an hour at most. */
const mostInAnHour = 3
/** A phone of the simulator rings that long. A provider that has reported no end after its seconds will report none. */
const ringSeconds = { simulator: 25, provider: 60 }
const longestCallSeconds = 180

export interface CallKey {
  clientUid: ClientUid
  uid: string
}

export interface DueCall extends CallKey {
  class: ReachClass
  toMobile: string
  say: string
  validUntil: Date
  attempts: number
  /** Charged before: it is made again. */
  isPaid: boolean
  /** Why it must not be made. Null if it must. */
  over: 'answered' | 'hides' | 'too late' | 'too often' | null
}

/**
 * Claims the most urgent calls that are due: alerts and command first. One worker at a time chooses, so that no number rings twice
 * at once.
 */
export async function claimCalls(tx: Tx, count: number): Promise<DueCall[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('calls', 0))`.execute(tx)
  const { rows } = await sql<DueCall>`
    with waiting as (
      select g.client_uid, g.uid, g.reach_uid, one.class, one.state in ('answered', 'over') as is_answered,
        one.class not in ('report_in', 'command') as is_later, g.created_at,
        row_number() over (partition by g.to_mobile order by one.class not in ('report_in', 'command'), g.created_at, g.uid) as nth
      from ring g
      join reach one on one.client_uid = g.client_uid and one.uid = g.reach_uid
      join client c on c.uid = g.client_uid and c.active
      where g.status = 'queued' and g.to_mobile is not null and (g.lease_until is null or g.lease_until <= ${steadyNow})
        and not exists (select from ring other where other.to_mobile = g.to_mobile and other.uid <> g.uid
          and (other.status = 'handed_over' or other.status = 'queued' and other.lease_until > ${steadyNow}))
    ), due as (
      select * from waiting where nth = 1 order by is_later, created_at limit ${count}
    )
    update ring set lease_until = ${steadyNow} + make_interval(secs => ${leaseSeconds}), attempts = ring.attempts + 1
    from due join reach one on one.client_uid = due.client_uid and one.uid = due.reach_uid
    where ring.client_uid = due.client_uid and ring.uid = due.uid and ring.status = 'queued'
    returning ring.client_uid, ring.uid, due.class, ring.to_mobile, ring.say, ring.valid_until, ring.attempts,
      ring.called_at is not null as is_paid,
      case when due.is_answered then 'answered' when ${isHiding} then 'hides' when ring.valid_until <= now() then 'too late'
        when ring.called_at is null and ${mostInAnHour} <= (select count(*) from ring other
          where other.to_mobile = ring.to_mobile and other.called_at > now() - interval '1 hour') then 'too often' end as over`.execute(
    tx,
  )
  return rows
}

/** How many calls each organisation has left today. Locks their budgets until the transaction ends. */
export async function findCallsLeft(
  tx: Tx,
  clientUids: readonly ClientUid[],
  ofDay: number,
): Promise<Map<ClientUid, number>> {
  const states = await lockBudgets(
    tx,
    [...new Set(clientUids)].map((clientUid) => ({ clientUid, pot: 'calls' as const })),
  )
  return new Map(states.map(({ clientUid, ownLimit, spent }) => [clientUid as ClientUid, (ownLimit ?? ofDay) - spent]))
}

const keysOf = (calls: readonly CallKey[]) =>
  sql`unnest(${calls.map((c) => c.clientUid)}::uuid[], ${calls.map((c) => c.uid)}::uuid[])`

export async function markBegun(tx: Tx, calls: readonly CallKey[]): Promise<void> {
  await sql`update ring set called_at = coalesce(called_at, now()) from ${keysOf(calls)} as k (client_uid, uid)
    where ring.client_uid = k.client_uid and ring.uid = k.uid`.execute(tx)
}

export interface Outcome extends CallKey {
  status: 'handed_over' | 'failed' | 'expired' | 'skipped'
  reason: string | null
  gateway?: string
  providerId?: string
}

/** A provider's report that came first stands. */
export async function recordOutcome(db: Db, { clientUid, uid, ...outcome }: Outcome): Promise<void> {
  await db
    .updateTable('ring')
    .set({
      status: outcome.status,
      reason: outcome.reason,
      gateway: outcome.gateway ?? null,
      providerId: outcome.providerId ?? null,
      changedAt: sql<Date>`now()`,
    })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .where('status', '=', 'queued')
    .execute()
}

/** It is tried again after the pause. */
export async function putBack(system: Db, { clientUid, uid }: CallKey, seconds: number): Promise<void> {
  await sql`update ring set lease_until = ${steadyNow} + make_interval(secs => ${seconds})
    where client_uid = ${clientUid} and uid = ${uid} and status = 'queued'`.execute(system)
}

/** Those of these calls that ring, or are spoken in. */
export async function listRinging(system: Db, calls: readonly CallKey[]): Promise<Set<string>> {
  const { rows } = await sql<{ uid: string }>`
    select ring.uid from ring join ${keysOf(calls)} as k (client_uid, uid) on ring.client_uid = k.client_uid and ring.uid = k.uid
    where ring.status = 'handed_over' or ring.status = 'queued' and ring.lease_until > ${steadyNow}`.execute(system)
  return new Set(rows.map(({ uid }) => uid))
}

export interface RingingCall extends CallKey {
  gateway: string
  providerId: string
}

/** Calls that no one has answered, on phones of people who hide: they ring where nothing may be heard. */
export async function listRingingWhereHidden(system: Db): Promise<RingingCall[]> {
  const { rows } = await sql<RingingCall>`
    select g.client_uid, g.uid, g.gateway, g.provider_id
    from ring g join reach one on one.client_uid = g.client_uid and one.uid = g.reach_uid
    where g.status = 'handed_over' and g.to_mobile is not null and g.picked_up_at is null and g.provider_id is not null
      and ${isHiding}`.execute(system)
  return rows
}

/** Ends calls that rang out, or whose end no one has reported. */
export async function endForgotten(system: Db, reason: string): Promise<void> {
  await sql`
    update ring set status = 'failed', reason = ${reason}, changed_at = now()
    where status = 'handed_over' and to_mobile is not null and changed_at < now() - make_interval(secs => case
      when picked_up_at is not null then ${longestCallSeconds}::int when gateway = 'simulator' then ${ringSeconds.simulator}::int
      else ${ringSeconds.provider}::int end)`.execute(system)
}

/** What is reported of a call, in any order and any number of times. It only moves forward, and a key that was pressed stands. */
export async function noteReported(
  system: Db,
  { clientUid, uid }: CallKey,
  reported: { state: 'ringing' | 'picked_up' | 'ended'; gateway: string; providerId: string; reason?: string },
): Promise<void> {
  const { state, gateway, providerId, reason = null } = reported
  await sql`
    update ring set gateway = ${gateway}, provider_id = ${providerId}, changed_at = now(),
      status = case when ${state} = 'ended' then 'failed' else 'handed_over' end,
      reason = case when ${state} = 'ended' then ${reason} end,
      picked_up_at = case when ${state} = 'picked_up' then coalesce(picked_up_at, now()) else picked_up_at end
    where client_uid = ${clientUid} and uid = ${uid} and to_mobile is not null
      and (status = 'queued' or status = 'handed_over' and (${state} = 'ended' or picked_up_at is null))`.execute(
    system,
  )
}

export interface SimulatedCall extends CallKey {
  say: string
  class: ReachClass
  pickedUpAt: Date | null
}

/** The call that a phone of the simulator shows. */
export async function findRinging(system: Db, mobile: string): Promise<SimulatedCall | undefined> {
  const { rows } = await sql<SimulatedCall>`
    select g.client_uid, g.uid, g.say, one.class, g.picked_up_at
    from ring g join reach one on one.client_uid = g.client_uid and one.uid = g.reach_uid
    where g.to_mobile = ${mobile} and g.status = 'handed_over' and g.gateway = 'simulator'
    order by g.changed_at desc limit 1`.execute(system)
  return rows[0]
}

/** A call of the simulator by its id. */
export async function findSimulated(system: Db, uid: string): Promise<CallKey | undefined> {
  const { rows } = await sql<CallKey>`
    select client_uid, uid from ring where uid = ${uid} and gateway = 'simulator'`.execute(system)
  return rows[0]
}
