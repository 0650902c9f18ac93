import { timingSafeEqual } from 'node:crypto'
import type { ReportData, ReportInCard, SignInRecord } from '@evac/contract/report-in.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hmac } from '../../platform/secrets.ts'
import { inCardOrder, isInEvent, presentCard } from './cards.ts'
import { findPersonByEmail, findReport, insertSignInLog } from './report-in.queries.ts'
import { listStandings, type Standing } from './standing.queries.ts'

export type { Standing }

/** All standings of an account in card order; the first is what a sign-in binds to (AMB-040). */
export async function listCards(system: Db, accountUid: string): Promise<Standing[]> {
  return inCardOrder(await listStandings(system, accountUid))
}

/** Opaque, stable for one session and card, useless in any other session (AMB-038, LIST-39). */
function cardToken(key: Uint8Array, sessionUid: string, assignmentUid: string): string {
  return hmac(key, `${sessionUid}/${assignmentUid}`)
}

/** The card a token was made for, within this session's own cards; compared in constant time. */
export function findCardByToken(key: Uint8Array, sessionUid: string, cards: readonly Standing[], token: string) {
  const given = Buffer.from(token)
  return cards.find((card) => {
    const expected = Buffer.from(cardToken(key, sessionUid, card.assignmentUid))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

/** The cards that this session may act as: all of the account's, or the one that its report-in link opens. */
export async function listCardsOf(system: Db, { accountUid, linkSignInUid }: Actor): Promise<Standing[]> {
  const cards = await listCards(system, accountUid)
  return linkSignInUid ? cards.filter(({ signInUid }) => signInUid === linkSignInUid) : cards
}

/** LIST-01, LIST-37, LIST-40. */
export async function presentCards(system: Db, key: Uint8Array, actor: Actor): Promise<ReportInCard[]> {
  const cards = await listCardsOf(system, actor)
  return cards.map((card) => presentCard(card, cardToken(key, actor.sessionUid, card.assignmentUid)))
}

/** LIST-36: only the link's own card, and only while its event runs. */
export async function presentCardOfSignIn(system: Db, key: Uint8Array, actor: Actor, signInUid: string) {
  const cards = await listCardsOf(system, actor)
  return cards
    .filter((card) => isInEvent(card) && card.signInUid === signInUid)
    .map((card) => presentCard(card, cardToken(key, actor.sessionUid, card.assignmentUid)))
}

/** REPORT-24, ROLE-07: what the current assignment is and where. */
export async function reportData(tx: Tx, actor: Actor): Promise<ReportData> {
  const row = actor.assignment && (await findReport(tx, actor.assignment.uid, actor.event?.uid ?? null))
  if (!row) throw new Refusal('not_found')
  return {
    data: {
      role: { Warden_Role: row.roleName, Module_Event_Management: row.modules.includes('Event_Management') },
      event: row.event,
      locations: row.buildings.length ? [{ site: row.siteName, building: row.buildings }] : [],
      area: { domain: row.areaDomain, locations: row.areas },
      active_event: row.event !== null,
    },
  } as ReportData
}

/** AMB-061, AMB-041: writes the log and answers the record; another's email is refused. */
export async function logSignIn(tx: Tx, actor: Actor, peerEmail: string | null): Promise<SignInRecord> {
  const { assignment, event, signIn } = actor
  await insertSignInLog(tx, {
    clientUid: actor.clientUid,
    accountUid: actor.accountUid,
    personUid: actor.personUid,
    assignmentUid: assignment?.uid ?? null,
    eventUid: event?.uid ?? null,
    method: actor.signInMethod,
    peerEmail,
  })
  return {
    error: assignment ? null : 'no_assignment',
    reported_in: signIn?.reportedIn ?? false,
    warden_uid: assignment?.uid ?? null,
    event_uid: event?.uid ?? null,
    on_duty: signIn?.attendance === 'on_duty',
    not_available: signIn?.attendance === 'not_available',
    WardenSignInUID: signIn?.uid ?? null,
  } as SignInRecord
}

/** The email must be one of the account's own persons (attendance is first-hand). Throws `forbidden`. */
export async function checkPeerEmail(
  system: Db,
  actor: Actor,
  peerEmail: string | null | undefined,
): Promise<string | null> {
  if (!peerEmail) return null
  if (!(await findPersonByEmail(system, actor.accountUid, peerEmail))) throw new Refusal('forbidden')
  return peerEmail
}
