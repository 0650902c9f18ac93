import type { EventUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '../platform/db/db.ts'

/** Builders of messages, as the sending and receiving of texts leaves them. */
export function messagesGiven(db: Db) {
  /** A text to or from an evacuee; the sender's sign-in is optional. */
  async function evacueeMessage(
    eventUid: EventUid,
    personUid: PersonUid,
    over: { direction: 'in' | 'out'; readAt?: Date; senderSignInUid?: string },
  ): Promise<void> {
    const evacuee = await db
      .selectFrom('evacuee')
      .select(['clientUid', 'uid'])
      .where('eventUid', '=', eventUid)
      .where('personUid', '=', personUid)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('message')
      .values({
        clientUid: evacuee.clientUid,
        eventUid,
        kind: 'evacuee',
        direction: over.direction,
        evacueeUid: evacuee.uid,
        senderSignInUid: over.senderSignInUid ?? null,
        text: 'Are you safe?',
        readAt: over.readAt ?? null,
      })
      .execute()
  }

  /** A text from one warden of the event to another. */
  async function wardenMessage(
    eventUid: string,
    {
      clientUid,
      ...between
    }: { clientUid: string; senderSignInUid: string; recipientSignInUid: string; readAt?: Date },
  ): Promise<void> {
    await db
      .insertInto('message')
      .values({ clientUid, eventUid, kind: 'warden', direction: 'out', text: 'Where are you?', ...between })
      .execute()
  }

  return { evacueeMessage, wardenMessage }
}
