import { randomBytes, randomUUID } from 'node:crypto'
import { findReachNow } from '#features/exports/server/askers.queries.ts'
import { packReplay } from '#features/records/server/replay/replay.ts'
import type { EventUid, SignInUid } from '#kernel/ids.ts'
import type { Organisation, Place } from '../../testing/given-places.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'
import type { Uids } from './call-inputs.fixture.ts'

/** A running event with an occupant and a colleague whom requests may name. */
interface Event {
  org: Organisation
  eventUid: EventUid
  evacuee: string
  receiver: Warden
}

/**
 * The ids that the asker's requests may name: an occupant, a colleague and places of the event, and the asker's own
 * objects.
 */
export async function uidsFor(server: TestServer, event: Event, asker: Warden): Promise<Uids> {
  const { org, eventUid, evacuee, receiver } = event
  const receiverSignIn = await signInUidOf(server, eventUid, receiver)
  return {
    evacuee,
    floor: org.floors[1],
    building: org.buildingUid,
    managedBuilding: org.buildingUid,
    managedEvent: eventUid,
    endedEvent: await givenRecordOf(server, org),
    recordExport: await givenExportOf(server, org, asker),
    recordSite: org.siteUid,
    observerLink: await givenObserverLink(server, org, eventUid),
    siteFloor: org.floors[2],
    sitePerson: receiver.personUid,
    wallLink: await givenWall(server, org),
    chainSignIn: receiverSignIn,
    commandTurn: await commandTurnOf(server, eventUid),
    instruction: await givenInstruction(server, eventUid, receiverSignIn),
    hazard: await givenHazard(server, org, eventUid, receiverSignIn),
    arrivalPack: await givenPack(server, org, eventUid, receiverSignIn),
    selfReport: await givenReport(server, org, eventUid),
    reach: await givenReach(server, org, eventUid, receiver),
    floorStatus: org.statusUids[1],
    eventType: org.eventTypeUid,
    eventSignIn: receiverSignIn,
    eventWarden: receiver.assignmentUid,
    eventWardenSignIn: receiverSignIn,
    ownSignIn: await signInUidOf(server, eventUid, asker),
    ownAssignment: asker.assignmentUid,
    ownOffer: asker.assignmentUid,
    ownPerson: asker.personUid,
    ownEmail: asker.email,
  }
}

export async function signInUidOf(server: TestServer, eventUid: EventUid, warden: Warden): Promise<SignInUid> {
  const signIn = await server.signInOf(eventUid, warden)
  if (!signIn) throw new Error('no participation')
  return signIn.uid
}

/** The record of an event of Tower A, without what its worker writes. */
export async function givenRecordOf({ db }: TestServer, org: Place): Promise<EventUid> {
  const [{ count } = { count: 0 }] = await db
    .selectFrom('eventRecord')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('clientUid', '=', org.clientUid)
    .execute()
  const { eventUid } = await db
    .insertInto('eventRecord')
    .values({
      clientUid: org.clientUid,
      eventUid: randomUUID(),
      number: count + 1,
      siteUid: org.siteUid,
      kind: 'drill',
      buildingUids: [org.buildingUid],
      floorUids: [...org.floors],
      search: '',
      state: 'ready',
      beganAt: new Date(Date.now() - 60_000),
      endedAt: new Date(),
      replay: await packReplay({ stepSeconds: 1, steps: 1, statuses: [], places: [], cells: [] }),
    })
    .returning('eventUid')
    .executeTakeFirstOrThrow()
  return eventUid
}

/** An export that the warden has asked for, of a record of Tower A. No worker makes it: each would take a process. */
export async function givenExportOf(server: TestServer, org: Organisation, asker: Warden): Promise<string> {
  const { clientUid, personUid, assignmentUid } = asker
  const by = { clientUid, personUid, assignmentUid, administratorUid: null }
  const reach = await findReachNow(server.database.system.db, by)
  const eventUid = await givenRecordOf(server, org)
  const wish = { format: 'csv', names: 'none', nextTryAt: new Date(Date.now() + 86_400_000) }
  const { uid } = await server.db
    .insertInto('recordExport')
    .values({ ...by, eventUid, ...wish, reach: JSON.stringify(reach ?? {}) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** An observer of the event, whose token no one knows and whose link is ended: an event has 20 that are not. */
export async function givenObserverLink(
  { db }: TestServer,
  { clientUid }: Pick<Organisation, 'clientUid'>,
  eventUid: EventUid,
): Promise<string> {
  const made = { name: 'Kim Observer', tokenHash: randomBytes(32), madeByPersonUid: randomUUID() }
  const link = { clientUid, eventUid, ...made, revokedAt: new Date() }
  const { uid } = await db.insertInto('observerLink').values(link).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** A link of a wall screen, whose token no one knows and which is ended: a site has 20 that are not. */
export async function givenWall({ db }: TestServer, { clientUid, siteUid }: Place): Promise<string> {
  const made = { name: 'Lobby', place: 'public', tokenHash: randomBytes(32), byPersonUid: randomUUID() }
  const { uid } = await db
    .insertInto('wallLink')
    .values({ clientUid, siteUid, ...made, expiresAt: new Date(), endedAt: new Date() })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** The turn of the person who started the event. */
export async function commandTurnOf({ db }: TestServer, eventUid: EventUid): Promise<string> {
  const { uid } = await db
    .selectFrom('commandTurn')
    .select('uid')
    .where('eventUid', '=', eventUid)
    .executeTakeFirstOrThrow()
  return uid
}

/** An instruction to all floors of the event: one for all askers, because each warden waits for every one. */
export async function givenInstruction(
  { db }: TestServer,
  eventUid: EventUid,
  bySignInUid: SignInUid,
): Promise<string> {
  const given = await db
    .selectFrom('instruction')
    .select('uid')
    .where('eventUid', '=', eventUid)
    .where('bySignInUid', '=', bySignInUid)
    .executeTakeFirst()
  if (given) return given.uid
  const { clientUid } = await db
    .selectFrom('event')
    .select('clientUid')
    .where('uid', '=', eventUid)
    .executeTakeFirstOrThrow()
  const { uid } = await db
    .insertInto('instruction')
    .values({ clientUid, eventUid, bySignInUid, kind: 'stay', message: 'Stay where you are.', text: false })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** Puts the warden of the sign-in in command of the event. */
export const putInCommand = ({ db }: TestServer, eventUid: EventUid, signInUid: SignInUid) =>
  db.updateTable('commandTurn').set({ signInUid }).where('eventUid', '=', eventUid).execute()

/** A hazard that is over: an event has 50 that are not. */
export async function givenHazard(
  { db }: TestServer,
  { clientUid }: Pick<Organisation, 'clientUid'>,
  eventUid: EventUid,
  bySignInUid: SignInUid,
): Promise<string> {
  const hazard = { clientUid, eventUid, bySignInUid, words: 'Blocked stair', overAt: new Date() }
  const { uid } = await db.insertInto('hazard').values(hazard).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** An arrival pack whose token no one knows and that has ended: an event has ten that have not. */
export async function givenPack(
  { db }: TestServer,
  { clientUid }: Pick<Organisation, 'clientUid'>,
  eventUid: EventUid,
  bySignInUid: SignInUid,
): Promise<string> {
  const made = { tokenHash: randomBytes(32), plans: true, expiresAt: new Date(), endedAt: new Date() }
  const pack = { clientUid, eventUid, bySignInUid, ...made }
  const { uid } = await db.insertInto('arrivalPack').values(pack).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** Someone who is being called, and has not answered. */
export async function givenReach(
  { db }: TestServer,
  { clientUid }: Pick<Organisation, 'clientUid'>,
  eventUid: EventUid,
  { personUid }: Pick<Warden, 'personUid'>,
): Promise<string> {
  const { uid } = await db
    .insertInto('reach')
    .values({ clientUid, eventUid, class: 'report_in', about: randomUUID(), personUid, nextAt: new Date() })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** A "safe" by poster that names no one. */
export async function givenReport(
  { db }: TestServer,
  { clientUid }: Pick<Organisation, 'clientUid'>,
  eventUid: EventUid,
): Promise<string> {
  const said = { way: 'poster', status: 'safe', saidName: 'Kim', network: '203.0.113.7' }
  const { uid } = await db
    .insertInto('selfReport')
    .values({ clientUid, eventUid, ...said, formKey: randomBytes(32), at: new Date() })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}
