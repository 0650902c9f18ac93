import type { Tx } from './db.ts'
import type { Json } from './tables.ts'

/** Every action in the journal. The real-time feed maps actions to publications (docs/realtime.md). */
export type JournalAction =
  | 'signed_in'
  | 'session_ended'
  | 'organisation_suspended'
  | 'organisation_resumed'
  | 'password_changed'
  | 'password_link_sent'
  | 'assignment_changed'
  | 'assignment_ended'
  | 'event_started'
  | 'buildings_added'
  | 'buildings_removed'
  | 'event_ended'
  | 'drill_made_live'
  | 'live_seen'
  | 'contact_regained'
  | 'late_record'
  | 'texts_sent'
  | 'warden_reported_in'
  | 'warden_rejoined'
  | 'warden_not_available'
  | 'warden_off_duty'
  | 'warden_removed'
  | 'report_in_link_sent'
  | 'evacuee_status_set'
  | 'evacuee_refusal_set'
  | 'floor_status_set'
  | 'message_sent'
  | 'messages_read'
  | 'unread_changed'
  | 'evacuee_message_sent'
  | 'evacuee_group_messaged'
  | 'evacuee_messages_read'
  | 'evacuee_replied'
  | 'sms_refused'
  | 'sms_accepted'
  | 'organisation_set_up'
  | 'administrator_appointed'
  | 'administrator_revoked'
  | 'console_signed_in'
  | 'console_signed_out'
  | 'second_factor_set'
  | 'second_factor_reset'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'invitation_sent'
  | 'invitation_shown'
  | 'invitation_accepted'
  | 'place_retired'
  | 'place_brought_back'
  | 'waiting_made'
  | 'waiting_happened'
  | 'waiting_dropped'
  | 'person_added'
  | 'person_changed'
  | 'person_deactivated'
  | 'person_reactivated'
  | 'person_signed_out'
  | 'person_erased'
  | 'person_merged'
  | 'group_changed'
  | 'plan_changed'
  | 'place_added'
  | 'place_changed'
  | 'role_changed'
  | 'list_changed'
  | 'settings_changed'
  | 'plan_viewed'
  | 'data_exported'
  | 'tables_applied'
  | 'tables_undone'
  | 'record_closed'
  | 'record_entry_added'
  | 'record_held'
  | 'record_names_seen'
  | 'record_exported'
  | 'observer_link_made'
  | 'observer_link_ended'
  | 'wall_made'
  | 'wall_ended'
  | 'log_moved'
  | 'contradiction_kept'
  | 'command_changed'
  | 'command_silent'
  | 'command_heard'
  | 'instruction_sent'
  | 'instruction_understood'
  | 'floor_claimed'
  | 'floor_given_back'
  | 'floor_offered'
  | 'floor_offer_answered'
  | 'hazard_noted'
  | 'hazard_over'
  | 'pack_made'
  | 'pack_opened'
  | 'pack_ended'
  | 'plan_notice_sent'
  | 'self_report_made'
  | 'calls_for_help_counted'
  | 'self_report_handled'
  | 'report_page_changed'

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

export interface JournalEntry {
  action: JournalAction
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
  eventUid?: string | null
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
