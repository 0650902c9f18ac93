import { timingSafeEqual } from 'node:crypto'
import type { AssignmentUid, ClientUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, readIn, type Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac } from '#server/platform/secrets.ts'
import { type Actor, type ActorEvent, absence, hasFlag, onDuty } from '#server/wardens/actor.ts'
import type { ReportData, ReportInCard, SignInRecord } from '../calls/report-in.ts'
import { listStandings, type Standing } from './assignment-state.queries.ts'
import { inCardOrder, isAcceptedNow, isInEvent, presentCard } from './cards.ts'
import { findChiefOnDuty, findPersonByEmail, findReport, insertSignInLog } from './report-in.queries.ts'

export type { Standing }

/** All standings of these accounts in card order. */
export async function listCards(system: Db, accountUids: readonly string[]): Promise<Standing[]> {
  return inCardOrder(await listStandings(system, accountUids))
}

/** The card of a new session: the first accepted assignment in date, else the first card. */
export async function findFirstCard(system: Db, accountUids: readonly string[]): Promise<Standing | undefined> {
  const cards = await listCards(system, accountUids)
  return cards.find(isAcceptedNow) ?? cards[0]
}

/** Opaque and stable for one session and card. Not valid in any other session. */
function cardToken(key: Uint8Array, sessionUid: string, assignmentUid: AssignmentUid): string {
  return hmac(key, `${sessionUid}/${assignmentUid}`)
}

/** The card of a token, among this session's cards. Compares in constant time. */
export function findCardByToken(
  keys: readonly Uint8Array[],
  sessionUid: string,
  cards: readonly Standing[],
  token: string,
): Standing | undefined {
  const given = Buffer.from(token)
  const isOf = (key: Uint8Array, { assignmentUid }: Standing) => {
    const expected = Buffer.from(cardToken(key, sessionUid, assignmentUid))
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
  return cards.find((card) => keys.some((key) => isOf(key, card)))
}

/** The cards of this session: those of its accounts, or the one of its report-in link. */
export async function listCardsOf(system: Db, { accountUids, linkSignInUid }: Actor): Promise<Standing[]> {
  const cards = await listCards(system, accountUids)
  return linkSignInUid ? cards.filter(({ signInUid }) => signInUid === linkSignInUid) : cards
}

export async function presentCards(system: Db, key: Uint8Array, actor: Actor): Promise<ReportInCard[]> {
  const cards = await listCardsOf(system, actor)
  return cards.map((card) => presentCard(card, cardToken(key, actor.sessionUid, card.assignmentUid)))
}

/** Only the link's card, and only while its event runs. */
export async function presentCardOfSignIn(system: Db, key: Uint8Array, actor: Actor, signInUid: SignInUid) {
  const cards = await listCardsOf(system, actor)
  return cards
    .filter((card) => isInEvent(card) && card.signInUid === signInUid)
    .map((card) => presentCard(card, cardToken(key, actor.sessionUid, card.assignmentUid)))
}

/** The current assignment with its places, and `chiefOf`. */
export async function reportData(tx: Tx, actor: Actor, chief: Chief): Promise<ReportData> {
  const row = actor.assignment && (await findReport(tx, actor.assignment.uid, actor.event?.uid ?? null))
  if (!row) throw new Refusal('not_found')
  return {
    data: {
      role: { Warden_Role: row.roleName, Module_Event_Management: row.modules.includes('Event_Management') },
      event: row.event,
      locations: row.buildings.length ? [{ site: row.siteName, building: row.buildings }] : [],
      area: { domain: row.areaDomain, locations: row.areas },
      active_event: row.event !== null,
      chief,
    },
  }
}

type Chief = ReportData['data']['chief']

/** The same for all wardens of the event. A warden who is not on duty does not learn who is. */
export async function chiefOf({ sharedRead, db }: Pick<Services, 'sharedRead' | 'db'>, actor: Actor): Promise<Chief> {
  if (absence(actor) || hasFlag(actor, 'Module_Event_Management')) return null
  const { clientUid, event } = onDuty(actor)
  return sharedRead(`chief ${clientUid} ${event.uid}`, () =>
    readIn(db, [clientUid], (tx) => findChiefOnDuty(tx, event.uid), 'kept plans'),
  )
}

/** The person of the sign-in log, with their standing. */
export interface SignInToLog {
  clientUid: ClientUid
  personUid: PersonUid
  assignmentUid: AssignmentUid | null
  event: ActorEvent | null
  signIn: { uid: SignInUid; attendance: Attendance } | null
}

/**
 * The session's own person, or another person of its accounts, named by email, with their current assignment.
 * No one reports for others. Throws `forbidden`.
 */
export async function signInToLog(system: Db, actor: Actor, peerEmail: string | null): Promise<SignInToLog> {
  const person = peerEmail ? await findPersonByEmail(system, actor, peerEmail) : actor
  if (!person) throw new Refusal('forbidden')
  const { clientUid, personUid } = person
  if (personUid === actor.personUid) {
    const { assignment, event, signIn } = actor
    return { clientUid, personUid, assignmentUid: assignment?.uid ?? null, event, signIn }
  }
  if (actor.linkSignInUid) throw new Refusal('forbidden')
  const card = (await listCards(system, actor.accountUids)).find((one) => one.personUid === personUid)
  if (!card) return { clientUid, personUid, assignmentUid: null, event: null, signIn: null }
  const { assignmentUid, signInUid, eventUid, eventKind } = card
  const signIn = signInUid === null ? null : { uid: signInUid, attendance: card.attendance }
  const event = signIn && eventUid && eventKind ? { uid: eventUid, kind: eventKind, liveUnseen: null } : null
  return { clientUid, personUid, assignmentUid, event, signIn }
}

/** Writes the sign-in log and returns the record. */
export async function logSignIn(
  tx: Tx,
  { accountUids: [accountUid], signInMethod }: Actor,
  of: SignInToLog,
  peerEmail: string | null,
): Promise<SignInRecord> {
  const { clientUid, personUid, assignmentUid, event, signIn } = of
  const eventUid = event?.uid ?? null
  const entry = { clientUid, accountUid, personUid, assignmentUid, eventUid, method: signInMethod, peerEmail }
  await insertSignInLog(tx, entry)
  return {
    error: assignmentUid ? null : 'no_assignment',
    reported_in: signIn !== null && signIn.attendance !== 'unknown',
    warden_uid: assignmentUid,
    event_uid: eventUid,
    on_duty: signIn?.attendance === 'on_duty',
    not_available: signIn?.attendance === 'not_available',
    WardenSignInUID: signIn?.uid ?? null,
    event_kind: event?.kind ?? null,
  }
}
