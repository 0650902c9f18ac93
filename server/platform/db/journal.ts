import type { EventAction, JournalAction } from '#features/live-updates/actions.ts'
import type { Tx } from './db.ts'
import type { Json } from './tables.ts'

/** Who made the change, taken from the session, never from the body. */
export interface JournalActor {
  clientUid: string
  personUid: string | null
  signInUid: string | null
  /** The warden's session. Absent without one: imports, workers, replies by text, the console. */
  sessionUid?: string | null
}

/** The actor of imports and workers, where no one is signed in. */
export const unattended = (clientUid: string): JournalActor => ({ clientUid, personUid: null, signInUid: null })

/** Only an action with a line in the timeline may belong to an event. */
export type JournalEntry = Entry &
  ({ action: JournalAction; eventUid?: null } | { action: EventAction; eventUid?: string | null })

interface Entry {
  subjectType:
    | 'organisation'
    | 'session'
    | 'account'
    | 'warden_assignment'
    | 'event'
    | 'sign_in'
    | 'evacuee'
    | 'floor'
    | 'person'
    | 'administrator'
    | 'site'
    | 'building'
    | 'role'
    | 'group'
    | 'floor_status'
    | 'event_type'
    | 'checklist_item'
    | 'message_template'
    | 'document'
  subjectUid: string
  /** Never PEEP text or phone numbers. */
  before?: Json
  after?: Json
  observedAt?: Date | null
  key?: string | null
}

/** Appends in the caller's transaction: the change and its entry commit together or not at all. */
export async function record(
  tx: Tx,
  actor: JournalActor,
  entries: JournalEntry | readonly JournalEntry[],
): Promise<void> {
  await recordAll(
    tx,
    ([] as JournalEntry[]).concat(entries).map((entry) => ({ actor, ...entry })),
  )
}

/**
 * Appends several entries for one change, because one account may belong to a person in each of several organisations.
 */
export async function recordAll(tx: Tx, entries: readonly (JournalEntry & { actor: JournalActor })[]): Promise<void> {
  for (let at = 0; at < entries.length; at += mostAtOnce) await insert(tx, entries.slice(at, at + mostAtOnce))
}

/** A statement has at most 65,535 values. */
const mostAtOnce = 5_000

async function insert(tx: Tx, entries: readonly (JournalEntry & { actor: JournalActor })[]): Promise<void> {
  await tx
    .insertInto('journal')
    .values(
      entries.map(({ actor, before, after, ...entry }) => ({
        clientUid: actor.clientUid,
        actorPersonUid: actor.personUid,
        actorSignInUid: actor.signInUid,
        sessionUid: actor.sessionUid ?? null,
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
        ...entry,
      })),
    )
    .execute()
}
