import type { CallContract } from '#kernel/route.ts'
import type { RecordKind } from '../platform/db/batches.ts'
import { Refusal } from '../platform/errors.ts'
import { onDuty } from '../wardens/actor.ts'
import { findOwnEarlierReply } from './idempotency.ts'
import type { UnguardedWrite } from './serve.ts'
import type { Services } from './services.ts'

/** Who sends a record, and with which key. */
export interface SentOnDuty {
  /** The caller's session. It decides the client and the event. */
  tokenHash: Buffer
  /** The module that the call requires, without 'Module_'. */
  module: string
  key: string | null
  fingerprint: Buffer
}

/** Sessions take turns. */
export const senderOf = ({ tokenHash }: Pick<SentOnDuty, 'tokenHash'>) => tokenHash.toString('latin1')

/** A record about a row, with a key, does not run beside another about that row or with that key. */
export const apartByRow = (rowUid: string, key: string | null) => [
  rowUid.toLowerCase(),
  ...(key === null ? [] : [`key ${key}`]),
]

interface RecordOnDuty<Sent, Stored, Reply> {
  kind: RecordKind<Sent, Stored>
  /** Undefined: what the request wants is no record. */
  record: ((sent: SentOnDuty) => Sent) | undefined
  present: (stored: Stored) => Reply
  /** Why nothing was stored, if the warden may record. */
  why?: () => Refusal
}

/**
 * Stores a record of a warden on duty in a batch. A repeat gets its earlier reply, even if the event has ended or the
 * person or the warden has left it. Throws why the warden may not record, or `not_found`.
 */
export async function recordOnDuty<C extends CallContract, Sent, Stored extends { claimed: boolean }, Reply>(
  { inBatch }: Pick<Services, 'inBatch'>,
  call: C,
  { tokenHash, key, fingerprint, guard }: UnguardedWrite<C>,
  { kind, record, present, why = () => new Refusal('not_found') }: RecordOnDuty<Sent, Stored, Reply>,
): Promise<Reply> {
  const stored =
    record && tokenHash
      ? await inBatch(kind, record({ tokenHash, module: moduleOf(call), key, fingerprint }))
      : undefined
  if (stored?.claimed) return present(stored)
  const repeated = await findOwnEarlierReply<Reply>(inBatch, { tokenHash, key, fingerprint })
  if (repeated) return repeated

  onDuty(await guard())
  throw why()
}

/** The statement requires the same module as the contract. */
function moduleOf({ policy }: CallContract): string {
  if (policy.access === 'public' || !policy.flag) throw new Error('records are made by calls with a module only')
  return policy.flag.replace('Module_', '')
}
