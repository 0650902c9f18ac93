import { keysOf } from '#features/reach/kinds.ts'
import { overReasons } from '#features/reach/server/settle.queries.ts'
import { addSpend } from '#features/texts/server/budget.queries.ts'
import { referenceOf } from '#features/texts/server/receipts.service.ts'
import { GatewayRefusal, type SmsGateway, TextRejected } from '#features/texts/server/sms-gateway.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import {
  type CallKey,
  claimCalls,
  type DueCall,
  endForgotten,
  findCallsLeft,
  listRinging,
  listRingingWhereHidden,
  markBegun,
  noteReported,
  type Outcome,
  putBack,
  recordOutcome,
} from './calling.queries.ts'
import { callReasons } from './reasons.ts'

const longestRetrySeconds = 15

export interface Calling {
  system: Db
  /** The first provider that can call. */
  gateway: Pick<SmsGateway, 'call' | 'hangUp'>
  /** Calls that this worker begins in a run, which comes each second, and has at once. */
  limits: { perSecond: number; atOnce: number }
  /** Calls of an organisation a day, unless it has its own limit. */
  ofDay: number
  metrics?: {
    noteCall: (outcome: Outcome['status'] | 'retried') => void
    noteOverBudget: (pot: 'calls', calls: number) => void
  }
  onTrouble: (error: unknown) => void
}

/**
 * Makes the calls that are due. Any number of workers may run it at once. A killed one loses and doubles none: a call that the
 * provider has taken is reported by it, and any other is made again after its lease.
 */
export function openCalling({ system, gateway, limits, ofDay, metrics, onTrouble }: Calling) {
  let begun: readonly CallKey[] = []
  async function call(due: DueCall): Promise<void> {
    const { clientUid, uid } = due
    try {
      const reference = referenceOf(due)
      const outgoing = { reference, to: due.toMobile, say: due.say, keys: keysOf[due.class], until: due.validUntil }
      const handover = await (gateway.call as NonNullable<SmsGateway['call']>)(outgoing)
      const [providerId] = handover.providerIds
      await end({ clientUid, uid, status: 'handed_over', reason: null, gateway: handover.gateway, providerId })
    } catch (error) {
      if (error instanceof TextRejected || error instanceof GatewayRefusal)
        return end({ clientUid, uid, status: 'failed', reason: error.message })
      onTrouble(error)
      metrics?.noteCall('retried')
      await putBack(system, due, Math.min(2 ** due.attempts, longestRetrySeconds))
    }
  }
  async function end(outcome: Outcome): Promise<void> {
    await recordOutcome(system, outcome)
    metrics?.noteCall(outcome.status)
  }
  return async (stopping?: AbortSignal): Promise<void> => {
    await endForgotten(system, callReasons.noAnswer)
    await hangUpWhereHidden({ system, gateway, onTrouble })
    if (!gateway.call || stopping?.aborted) return
    const ringing = await listRinging(system, begun)
    begun = begun.filter(({ uid }) => ringing.has(uid))
    const { calls, turnedDown } = await system
      .transaction()
      .execute((trx) => claim(trx as Tx, Math.min(limits.perSecond, limits.atOnce - begun.length), ofDay))
    const overBudget = turnedDown.filter(({ reason }) => reason === callReasons.budget).length
    if (overBudget > 0) {
      metrics?.noteOverBudget('calls', overBudget)
      onTrouble(new Error(`a client's budget for calls is used up: ${overBudget} calls were not made`))
    }
    for (const { status } of turnedDown) metrics?.noteCall(status)
    begun = [...begun, ...calls]
    await Promise.all(calls.map(call))
  }
}

/** A phone that rings when its person begins to hide falls silent. An answered call goes on: its key may call for help. */
async function hangUpWhereHidden({ system, gateway, onTrouble }: Pick<Calling, 'system' | 'gateway' | 'onTrouble'>) {
  if (!gateway.hangUp) return
  for (const { clientUid, uid, ...taken } of await listRingingWhereHidden(system))
    try {
      await gateway.hangUp(taken)
      await noteReported(system, { clientUid, uid }, { state: 'ended', reason: overReasons.quiet, ...taken })
    } catch (error) {
      onTrouble(error)
    }
}

const ends = {
  answered: { status: 'skipped', reason: callReasons.answered },
  hides: { status: 'skipped', reason: overReasons.quiet },
  'too late': { status: 'expired', reason: callReasons.tooLate },
  'too often': { status: 'failed', reason: callReasons.tooOften },
} as const

/** Claims calls and charges each once, in one transaction: a killed worker has neither. */
async function claim(tx: Tx, count: number, ofDay: number): Promise<{ calls: DueCall[]; turnedDown: Outcome[] }> {
  const due = count > 0 ? await claimCalls(tx, count) : []
  const turnedDown: Outcome[] = due.flatMap(({ clientUid, uid, over }) =>
    over ? [{ clientUid, uid, ...ends[over] }] : [],
  )
  const wanted = due.filter(({ over }) => over === null)
  const left = await findCallsLeft(
    tx,
    wanted.filter(({ isPaid }) => !isPaid).map(({ clientUid }) => clientUid),
    ofDay,
  )
  const spent = new Map<ClientUid, number>()
  const calls: DueCall[] = []
  for (const one of wanted) {
    const { clientUid, uid, isPaid } = one
    const already = spent.get(clientUid) ?? 0
    if (isPaid || already < (left.get(clientUid) ?? 0)) {
      calls.push(one)
      if (!isPaid) spent.set(clientUid, already + 1)
    } else turnedDown.push({ clientUid, uid, status: 'failed', reason: callReasons.budget })
  }
  await addSpend(
    tx,
    [...spent].map(([clientUid, segments]) => ({ clientUid, pot: 'calls', segments })),
  )
  await markBegun(tx, calls)
  for (const outcome of turnedDown) await recordOutcome(tx, outcome)
  return { calls, turnedDown }
}
