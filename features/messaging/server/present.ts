import type { Message } from '../calls/messaging.ts'
import type { MessageRow } from './thread.queries.ts'

/** A text has no read receipt. */
export function presentMessage(row: MessageRow): Message {
  const isOurText = row.kind === 'evacuee' && row.direction === 'out'
  return {
    messageId: row.seq,
    senderId: row.senderUid,
    name: row.name,
    role: row.role,
    timestamp: row.createdAt.toISOString(),
    read: !isOurText && row.readAt !== null,
    text: row.text,
    sms: row.direction === 'in' || row.textStatus !== null,
    delivery: row.textStatus && { status: row.textStatus, reason: row.textReason },
    also_texted: row.alsoTexted,
    recorded: row.recorded,
    shared_with: row.sharedWith,
  }
}
