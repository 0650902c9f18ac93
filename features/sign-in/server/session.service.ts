import type { Standing } from '#features/duty/server/report-in.service.ts'
import * as limits from '#kernel/limits.ts'
import { moduleFlags, recordOf, type SignInMethod } from '#kernel/vocabulary.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record, recordAll } from '#server/platform/db/journal.ts'
import type { Device } from '#server/platform/device.ts'
import { newToken, sha256 } from '#server/platform/secrets.ts'
import type { AuthReply } from '../calls/sign-in.ts'
import { revokeConsoleSessions } from './console/console-session.queries.ts'
import {
  type EndedSession,
  expireLinksOfLeft,
  insertSession,
  type LeftAddresses,
  revokeLeft,
  revokeOne,
  revokeSessions,
  revokeSessionsOf,
} from './session.queries.ts'

export interface SessionFor {
  /** All accounts that the sign-in proved. The session acts as that of the card and may change to cards of the others. */
  accountUids: readonly string[]
  signInMethod: SignInMethod
  isReportInToken: boolean
  linkSignInUid: string | null
  device: Device | null
  expiresAt: Date
  /** Of a rejoin: the address that opened the session before has been changed meanwhile. */
  addressLeftAt?: Date | null
}

/** The length of a shift. */
export const endOfSession = (clock: Clock) => new Date(clock.now().getTime() + limits.sessionHours * 3_600_000)

/** Opens a session for the card's person. The only place that makes access tokens. */
export async function openSession(
  tx: Tx,
  key: Uint8Array,
  card: Standing,
  { linkSignInUid, accountUids, ...session }: SessionFor,
  token = newToken(key),
): Promise<AuthReply> {
  const { clientUid, accountUid, personUid, assignmentUid, signInUid, eventUid } = card
  const furtherAccountUids = accountUids.filter((uid) => uid !== accountUid)
  const bound = { clientUid, accountUid, furtherAccountUids, personUid, assignmentUid, signInUid: linkSignInUid }
  const uid = await insertSession(tx, { ...session, ...bound, tokenHash: sha256(token) })
  await record(
    tx,
    { clientUid, personUid, signInUid, sessionUid: uid },
    { action: 'signed_in', subjectType: 'session', subjectUid: uid, eventUid, after: { method: session.signInMethod } },
  )
  return presentAuth(card, token)
}

/** Ends one session and its sockets. */
export async function endSession(tx: Tx, sessionUid: string): Promise<void> {
  await recordEnded(tx, await revokeOne(tx, sessionUid))
}

/** Ends all sessions of these accounts and their sockets. Attendance does not change. */
export async function endSessions(tx: Tx, accountUids: readonly string[]): Promise<void> {
  await recordEnded(tx, await revokeSessions(tx, accountUids))
}

/**
 * Ends what was opened by addresses that someone else has changed, on phones and at the console. A warden who is on duty stays
 * until that duty ends.
 */
export async function endSessionsOfLeft(tx: Tx, left: readonly LeftAddresses[]): Promise<void> {
  if (left.length === 0) return
  await expireLinksOfLeft(tx, left)
  await recordEnded(tx, await revokeLeft(tx, left))
  const named = left.filter(({ email, username }) => email || username)
  await revokeConsoleSessions(
    tx,
    named.map(({ accountUid }) => accountUid),
  )
}

/** The same for up to `most` sessions of an organisation. Returns their number. */
export async function endSessionsOf(tx: Tx, clientUid: string, most: number): Promise<number> {
  const ended = await revokeSessionsOf(tx, clientUid, most)
  await recordEnded(tx, ended)
  return ended.length
}

async function recordEnded(tx: Tx, ended: readonly EndedSession[]): Promise<void> {
  await recordAll(
    tx,
    ended.map(({ uid, clientUid, personUid, signInUid, eventUid }) => ({
      actor: { clientUid, personUid, signInUid },
      action: 'session_ended',
      subjectType: signInUid ? 'sign_in' : 'session',
      subjectUid: signInUid ?? uid,
      eventUid,
    })),
  )
}

/** The reply of every way to sign in. */
export function presentAuth(card: Standing, token: string): AuthReply {
  const isInEvent = card.eventUid !== null && card.signInUid !== null
  const isCurrent = card.status === 'Accepted' && card.dateFrom <= card.today
  return {
    token_type: 'Bearer',
    access_token: token,
    WardenSignInUID: card.signInUid,
    Warden_Assignment_UID: card.assignmentUid,
    Person_UID: card.personUid,
    module_access: recordOf(moduleFlags, (flag) => isCurrent && card.modules.includes(flag.replace('Module_', ''))),
    on_duty: card.attendance === 'on_duty',
    peer_email: card.personEmail,
    event: { status: isInEvent, goToReportInListPage: false },
    event_kind: isInEvent ? card.eventKind : null,
  }
}
