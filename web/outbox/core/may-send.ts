import type { Session } from './phone.ts'
import type { OutboxRecord, SentRecord } from './safety-record.ts'

export const isPending = (record: OutboxRecord) => record.setback === undefined

/**
 * Whether the signed-in warden may send the record. `foreign`: never, because it was recorded in another event or role.
 * `not yet`: the warden is signed in with another role, and may rejoin the event in the record's role.
 */
export function standingOf(record: OutboxRecord, now: Session): 'own' | 'not yet' | 'foreign' {
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
export function isReversed({ record, reply }: SentRecord, all: readonly OutboxRecord[]): boolean {
  if (record.kind !== 'refusal' || !('action' in reply) || !['add', 'sub'].includes(reply.action)) return false
  const isLater = (other: OutboxRecord) =>
    other.kind === 'refusal' && isPending(other) && other.about.id === record.about.id && other.seq > record.seq
  return record.wish !== (reply.action === 'add') && !all.some(isLater)
}
