import type { Calls } from '#features/calls.ts'
import type { ApiError } from '#kernel/client/client.ts'
import type { CallInput } from '#kernel/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import { newKey } from '../../lib/new-key.ts'
import type { Phone, RecordStorage, Session } from './phone.ts'
import { failureOf } from './retry.ts'
import {
  type Answer,
  type Delivery,
  isPending,
  type OutboxRecord,
  type RecordKind,
  type RejectionReason,
  recordCalls,
  type SentRecord,
} from './safety-record.ts'

/** The type of a record ties its body to its kind. The compiler cannot follow that through `recordCalls[kind]`. */
type AnyInput = CallInput<Calls[(typeof recordCalls)[RecordKind]]>

/** Sends one record once. Reads session and token at the same moment, so that no record is sent in another person's name. */
export async function deliver(
  record: OutboxRecord,
  phone: Pick<Phone, 'session' | 'call' | 'now' | 'onKept'>,
): Promise<Delivery> {
  const acting = phone.session()
  if (acting?.Person_UID !== record.owner) return 'not now'
  /** A chunk of its own: few phones ever need it. If it cannot be loaded the sender tries again. */
  const afterTheEnd = (rejected: RejectionReason) =>
    import('./late-delivery.ts').then(({ deliverLate }) => deliverLate(record, phone, { rejected }))
  const standing = standingOf(record, acting)
  if (standing === 'foreign') return afterTheEnd('other_event')
  if (standing === 'not yet') return 'not now'
  try {
    // only the path of a note has a parameter
    const params = { eventUid: record.about.id }
    const reply = await phone.call(recordCalls[record.kind], { params, body: record.body } as AnyInput, {
      headers: {
        [idempotencyKeyHeader]: record.key,
        [observedAtHeader]: new Date(record.observedAt).toISOString(),
        [sentAtHeader]: new Date(phone.now()).toISOString(),
      },
    })
    return { acknowledged: { record, reply } as SentRecord }
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== 'rejected') return failure
    const { code } = error as ApiError
    // a late record takes the key: if its answer was lost, the server has kept it already
    const isOver = code === 'no_event' || code === 'idempotency_conflict'
    return isOver ? afterTheEnd(code as RejectionReason) : { rejected: code as RejectionReason }
  }
}

/**
 * Whether the signed-in warden may send the record. `foreign`: never, because it was recorded in another event or role.
 * `not yet`: the warden is signed in with another role, and may rejoin the event in the record's role.
 */
function standingOf(record: OutboxRecord, now: Session): 'own' | 'not yet' | 'foreign' {
  // It names its event, and is sent whatever event its author is in by now
  if (record.kind === 'note') return 'own'
  const { signIn, assignment } = record
  if (signIn === null || signIn === now.WardenSignInUID) return 'own'
  if (assignment === now.Warden_Assignment_UID) return now.WardenSignInUID === null ? 'own' : 'foreign'
  return now.on_duty ? 'foreign' : 'not yet'
}

/**
 * The server flips a refusal instead of setting it. If someone else recorded the same refusal first, this record has
 * removed it and must be sent once more. A later pending record for the person decides instead, if there is one.
 */
function isReversed({ record, reply }: SentRecord, all: readonly OutboxRecord[]): boolean {
  if (record.kind !== 'refusal' || !('action' in reply) || !['add', 'sub'].includes(reply.action)) return false
  const isLater = (other: OutboxRecord) =>
    other.kind === 'refusal' && isPending(other) && other.about.id === record.about.id && other.seq > record.seq
  return record.wish !== (reply.action === 'add') && !all.some(isLater)
}

/** Stores the result of a record: deleted, rejected, or pending again. What is kept after the end is deleted here. */
export async function settle(storage: RecordStorage, record: OutboxRecord, answer: Answer): Promise<void> {
  const setback = setbackOf(answer)
  if (setback) await storage.put({ ...record, setback })
  else if ('acknowledged' in answer && isReversed(answer.acknowledged, await storage.list())) {
    const { seq, ...again } = record
    // The old key would get the same answer again.
    await storage.replace(seq, { ...again, key: newKey() })
  } else await storage.remove(record.seq)
}

/**
 * A superseded or overruled record counts as rejected, so that the warden sees why: someone saw danger or another status
 * of the floor since, or the event began later.
 */
function setbackOf(answer: Answer): RejectionReason | null {
  if ('rejected' in answer) return answer.rejected
  const { reply } = answer.acknowledged
  if ('overruled' in reply && reply.overruled) return 'overruled'
  if (!('superseded' in reply && reply.superseded)) return null
  return reply.person.status === 'danger' ? 'superseded' : 'before_event'
}
