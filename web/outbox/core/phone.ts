import type { AuthReply } from '#features/sign-in/calls/sign-in.ts'
import type { Call } from '#kernel/client/client.ts'
import type { OutboxRecord, SentRecord, UnnumberedRecord } from './safety-record.ts'

/** The signed-in warden: the reply of the sign-in, updated by later events. */
export type Session = Pick<AuthReply, 'Person_UID' | 'WardenSignInUID' | 'Warden_Assignment_UID' | 'on_duty'>

export interface RecordStorage {
  /** In the order of the taps. */
  list(): Promise<OutboxRecord[]>
  /** Returns the record with its number. */
  add(record: UnnumberedRecord): Promise<OutboxRecord>
  put(record: OutboxRecord): Promise<unknown>
  remove(seq: number): Promise<void>
  /**
   * Replaces the record by the result of `decide`, or deletes it for null. Atomic, because another tab may be sending.
   * Returns the record that was there.
   */
  look(seq: number, decide: (record: OutboxRecord) => OutboxRecord | null): Promise<OutboxRecord | undefined>
  /** Deletes a record and appends another one, both or neither. */
  replace(seq: number, by: UnnumberedRecord): Promise<void>
  close(): void
}

/**
 * Runs `work` under the lock of the phone's tabs. Returns 'locked' if another tab holds it. `head` is the key of the first
 * record in the queue. `isOver` is true once the lock is lost.
 */
export type SenderLock = <T>(head: string, work: (isOver: () => boolean) => Promise<T>) => Promise<T | 'locked'>

/** A message between tabs: the storage has changed, or the server has acknowledged this record. */
export type News = 'changed' | SentRecord
/** Undefined if tabs cannot send each other messages. */
export type Tabs = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'> | undefined

/** What the outbox needs of its phone. The web app passes a browser, the test rig a phone without a screen. */
export interface Phone {
  storage: RecordStorage
  /** Sends one request. Throws ApiError. */
  call: Call
  /** Null while no one is signed in. */
  session(): Session | null
  /** First and last name of the signed-in warden. */
  ownerName(): string | null
  withLock: SenderLock
  tabs: Tabs
  /** Milliseconds since 1970 on this phone's own clock. */
  now(): number
  /** A record that came after the end is kept in the record of its event. */
  onKept?(): void
  /** False while no request can reach the server. */
  isOnline(): boolean
  /** Calls `wake` whenever a request may succeed again, for example after a return of the signal. Stops with `life`. */
  onHope(wake: () => void, life: AbortSignal): void
}
