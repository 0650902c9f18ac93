import type { AuthReply } from '@evac/contract/calls/sign-in.ts'
import type { Call } from '@evac/contract/client/client.ts'
import type { OutboxRecord, SentRecord, UnnumberedRecord } from './record.ts'

/** Who acts on this phone, as the sign-in answered it and as events have changed it since. */
export type Session = Pick<AuthReply, 'Person_UID' | 'WardenSignInUID' | 'Warden_Assignment_UID' | 'on_duty'>

/** Where the records lie. */
export interface RecordStorage {
  /** In the order of the taps. */
  list(): Promise<OutboxRecord[]>
  /** Answers the record with its number. */
  add(record: UnnumberedRecord): Promise<OutboxRecord>
  put(record: OutboxRecord): Promise<unknown>
  remove(seq: number): Promise<void>
  /** Puts what `decide` answers, null for nothing, in the record's place, in one step: another tab may be sending. Answers what was there. */
  look(seq: number, decide: (record: OutboxRecord) => OutboxRecord | null): Promise<OutboxRecord | undefined>
  /** Takes a record out and puts another at the end, both or neither. */
  replace(seq: number, by: UnnumberedRecord): Promise<void>
  close(): void
}

/**
 * Runs `work` while no other tab sends; 'later' where another one does. `head` is the key of the first record in the queue.
 * `isOver` is true once the lock was lost.
 */
export type SenderLock = <T>(head: string, work: (isOver: () => boolean) => Promise<T>) => Promise<T | 'later'>

/** What one tab tells the others: the storage has changed, or the server has acknowledged this record. */
export type News = 'changed' | SentRecord
/** Undefined where each tab is on its own. */
export type Tabs = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'> | undefined

/** What the outbox needs of the phone that it runs on. The web app hands in a browser's, the test rig one without a screen. */
export interface Phone {
  storage: RecordStorage
  /** Sends one request. Throws ApiError. */
  call: Call
  /** Null while nobody is signed in. */
  session(): Session | null
  /** First and last name of who is signed in. */
  ownerName(): string | null
  withLock: SenderLock
  tabs: Tabs
  /** Milliseconds since 1970 by this phone's own clock. */
  now(): number
  /** False where no request can get through. */
  isOnline(): boolean
  /** Calls `wake`, until `life` is over, when a request may go better than a moment ago. */
  onHope(wake: () => void, life: AbortSignal): void
}
