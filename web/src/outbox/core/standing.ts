import type { Session } from './phone.ts'
import type { OutboxRecord, SentRecord } from './record.ts'

export const isPending = (record: OutboxRecord) => record.setback === undefined

/**
 * May it be sent by who is signed in as this? `foreign`: never, it was noted in another event or another role, and today's
 * event must not learn yesterday's "safe". `later`: a sign-in begins with any one of the warden's roles, and the one of the
 * record may be rejoined.
 */
export function standingOf({ signIn, assignment }: OutboxRecord, now: Session): 'own' | 'later' | 'foreign' {
  if (signIn === null || signIn === now.WardenSignInUID) return 'own'
  if (assignment === now.Warden_Assignment_UID) return now.WardenSignInUID === null ? 'own' : 'foreign'
  return now.on_duty ? 'foreign' : 'later'
}

/**
 * The server flips a refusal, it does not set it. Where somebody else had noted the same meanwhile, our flip has taken it
 * back and must be done once more; unless a later tap for this person waits, which then decides.
 */
export function isReversed({ record, reply }: SentRecord, all: readonly OutboxRecord[]): boolean {
  if (record.kind !== 'refusal' || !('action' in reply) || !['add', 'sub'].includes(reply.action)) return false
  const isLater = (other: OutboxRecord) =>
    other.kind === 'refusal' && isPending(other) && other.about.id === record.about.id && other.seq > record.seq
  return record.wish !== (reply.action === 'add') && !all.some(isLater)
}
