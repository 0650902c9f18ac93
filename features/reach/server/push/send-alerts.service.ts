import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import type { CallOut } from '#server/platform/outgoing.ts'
import { obstacles } from '../../words.ts'
import { isHiding } from '../settle.queries.ts'
import type { Vapid } from './vapid.ts'

/** Longer than a push service may take to answer. */
const leaseSeconds = 20
const batchSize = 50
/** An alert that is so late says nothing new. */
const leastSeconds = 1

interface Alert {
  clientUid: ClientUid
  uid: string
  phoneUid: string
  class: string
  endpoint: string | null
  secondsLeft: number
  isOver: boolean
}

interface Outcome {
  clientUid: ClientUid
  uid: string
  status: 'handed_over' | 'failed' | 'expired' | 'skipped'
  reason: string | null
  /** The push service no longer knows the phone. */
  gone: string | null
}

export interface AlertSending {
  system: Db
  vapid: Vapid
  callOut: CallOut
  onTrouble: (error: unknown) => void
}

/** Sends all due alerts. Any number of workers may run it at once; what a killed one held is sent after its lease. */
export async function sendDueAlerts(sending: AlertSending, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const alerts = await claimAlerts(sending.system)
    await recordOutcomes(sending.system, await Promise.all(alerts.map((alert) => send(sending, alert))))
    if (alerts.length < batchSize) return
  }
}

async function claimAlerts(system: Db): Promise<Alert[]> {
  const { rows } = await sql<Alert>`
    with due as materialized (
      select g.client_uid, g.uid, g.reach_uid from ring g
      where g.way = 'push' and g.status = 'queued' and (g.claimed_until is null or g.claimed_until <= ${steadyNow})
      order by g.created_at limit ${batchSize} for update skip locked
    )
    update ring set claimed_until = ${steadyNow} + make_interval(secs => ${leaseSeconds}), attempts = ring.attempts + 1
    from due join reach one on one.client_uid = due.client_uid and one.uid = due.reach_uid
    where ring.client_uid = due.client_uid and ring.uid = due.uid
    returning ring.client_uid, ring.uid, ring.phone_uid, one.class, one.state in ('answered', 'over') or ${isHiding} as is_over,
      greatest(0, extract(epoch from ring.valid_until - now()))::int as seconds_left,
      (select ph.endpoint from push_phone ph where ph.client_uid = ring.client_uid and ph.uid = ring.phone_uid) as endpoint`.execute(
    system,
  )
  return rows
}

/** Never throws, so that one delays no other. */
async function send({ vapid, callOut, onTrouble }: AlertSending, alert: Alert): Promise<Outcome> {
  const { clientUid, uid, phoneUid, endpoint, secondsLeft, isOver } = alert
  const end = (status: Outcome['status'], reason: string | null, gone: string | null = null): Outcome => {
    return { clientUid, uid, status, reason, gone }
  }
  if (isOver) return end('skipped', 'No longer asked.')
  if (!endpoint) return end('failed', obstacles.noAlerts)
  if (secondsLeft < leastSeconds) return end('expired', 'It could not be sent in time.')
  try {
    const { status } = await callOut({
      url: endpoint,
      setBy: 'operator',
      method: 'POST',
      headers: {
        authorization: await vapid.authorize(endpoint),
        ttl: String(secondsLeft),
        urgency: 'high',
        topic: alert.class,
        'content-length': '0',
      },
    })
    if (status === 404 || status === 410) return end('failed', obstacles.noAlerts, phoneUid)
    return status < 300 ? end('handed_over', null) : end('failed', `The push service refused it (${status}).`)
  } catch (error) {
    onTrouble(error)
    return end('failed', 'The push service could not be reached.')
  }
}

async function recordOutcomes(system: Db, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await sql`
    with outcome as (
      select * from unnest(${outcomes.map((o) => o.clientUid)}::uuid[], ${outcomes.map((o) => o.uid)}::uuid[],
        ${outcomes.map((o) => o.status)}::text[], ${outcomes.map((o) => o.reason)}::text[], ${outcomes.map((o) => o.gone)}::uuid[])
        as o (client_uid, uid, status, reason, gone)
    ), gone as (
      delete from push_phone ph using outcome o where ph.client_uid = o.client_uid and ph.uid = o.gone
    )
    update ring set status = o.status, reason = o.reason, changed_at = now()
    from outcome o where ring.client_uid = o.client_uid and ring.uid = o.uid and ring.status = 'queued'`.execute(system)
}
