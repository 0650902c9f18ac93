import { reportIn } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import type { EventUid } from '#kernel/ids.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { endInput } from '../../testing/event-input.ts'
import type { Organisation } from '../../testing/given-places.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'
import type { Kind as AnyKind, ConsoleKind, Uids } from './call-inputs.fixture.ts'
import {
  commandTurnOf,
  givenExportOf,
  givenHazard,
  givenInstruction,
  givenObserverLink,
  givenPack,
  givenReach,
  givenRecordOf,
  givenReport,
  givenWall,
  signInUidOf,
  uidsFor,
} from './own-uids.fixture.ts'

/** What a warden's call can name. */
export type Kind = Exclude<AnyKind, ConsoleKind>

/** Real ids of objects that are not the asker's. Each is answered like an id that does not exist. */
export const strangers = {
  evacuee: [
    'of another client',
    'of another event',
    'of a building without event',
    'of a building that left',
    'of no person',
  ],
  floor: [
    'of another client',
    'of another event',
    'of a building without event',
    'of a building that left',
    'of no floor',
  ],
  building: ['of another client', 'of another event', 'without event', 'that left', 'of no building'],
  managedBuilding: ['of another client', 'of another site', 'of no building'],
  managedEvent: ['of another client', 'of another site', 'that is no event'],
  endedEvent: ['of another client', 'of another site', 'that runs', 'that is no event'],
  recordExport: ['of a colleague', 'of another client', 'that is no export'],
  recordSite: ['of another client', 'of another site', 'that is no site'],
  observerLink: ['of another client', 'of another event', 'that is no link'],
  siteFloor: ['of another client', 'of another site', 'of no floor'],
  sitePerson: ['of another client', 'of another site', 'who is no one'],
  wallLink: ['of another client', 'of another site', 'that is no link'],
  hazard: ['of another client', 'of another event', 'that is no hazard'],
  arrivalPack: ['of another client', 'of another event', 'that is no pack'],
  selfReport: ['of another client', 'of another event', 'that is no report'],
  reach: ['of another client', 'of another event', 'that is no reach'],
  floorStatus: ['of another client', 'that is out of use', 'of no floor status'],
  commandTurn: ['of another client', 'of another event', 'that is no turn'],
  instruction: ['of another client', 'of another event', 'that is no instruction'],
  eventType: ['of another client', 'that is out of use', 'of no event type'],
  ownSignIn: ['of a colleague', 'of another event', 'of another client', 'of no sign-in'],
  eventSignIn: ['of another event', 'of another client', 'of someone who was removed', 'of no sign-in'],
  chainSignIn: ['of another event', 'of another client', 'of someone who was removed', 'of no sign-in'],
  eventWarden: ['of another event', 'of another client', 'who was removed', 'who is no one'],
  eventWardenSignIn: ['of another event', 'of another client', 'of someone who was removed', 'of no sign-in'],
  ownAssignment: ['of a colleague', 'of another site', 'of another client', 'of no assignment'],
  ownOffer: ['of a colleague', 'of another site', 'of another client', 'of no assignment'],
  ownPerson: ['of a colleague', 'of another client', 'of an occupant'],
  ownEmail: ['of a colleague', 'of another client'],
} as const satisfies Record<Kind, readonly string[]>

/** Additional ids for a narrower asker: their own objects, which this session may not reach. */
export const beyond: Record<Asker, Partial<Record<Kind, readonly string[]>>> = {
  'a chief warden': {},
  'a building warden': { managedBuilding: ['of the same site and another area'] },
  'a report-in link': {
    ownSignIn: ["of the same account's other card"],
    ownAssignment: ["of the same account's other card"],
    ownOffer: ["of the same account's other card"],
    ownPerson: ["of the same account's other card"],
    ownEmail: ["of the same account's other person"],
    managedBuilding: ["of the same account's other site"],
    managedEvent: ["of the same account's other site"],
  },
}

export const askers = ['a chief warden', 'a building warden', 'a report-in link'] as const
export type Asker = (typeof askers)[number]

export interface Asking {
  token: string
  personUid: string
  own: Uids
  /** By kind and by the names in `strangers` and `beyond`. */
  others: Record<Kind, Record<string, string>>
}

const all = { modules: moduleFlags }
type Strange = { [K in Kind]: Record<(typeof strangers)[K][number], string> }

/** One running event, three askers in it, and everything around it that is not theirs. */
export async function givenStrangers(server: TestServer): Promise<Record<Asker, Asking>> {
  const { given } = server
  const org = await given.organisation()
  const away = await givenEvent(server, { ...org, ...(await given.site(org)) } as Organisation)
  const abroad = await givenEvent(server, await given.organisation())
  const home = await givenHome(server, org, away)
  const endedAway = await givenRecordOf(server, away.org)
  const endedAbroad = await givenRecordOf(server, abroad.org)
  const endedEvent = {
    'of another client': endedAbroad,
    'of another site': endedAway,
    'that runs': home.eventUid,
    'that is no event': org.floorUid,
  }
  const recordExport = {
    'of a colleague': await givenExportOf(server, org, away.warden),
    'of another client': await givenExportOf(server, abroad.org, abroad.warden),
    'that is no export': org.floorUid,
  }
  const observerLink = {
    'of another client': await givenObserverLink(server, abroad.org, abroad.eventUid),
    'of another event': await givenObserverLink(server, org, away.eventUid),
    'that is no link': home.eventUid,
  }
  const wallLink = {
    'of another client': await givenWall(server, abroad.org),
    'of another site': await givenWall(server, away.org),
    'that is no link': home.eventUid,
  }
  const strange: Strange = {
    endedEvent,
    recordExport,
    observerLink,
    wallLink,
    commandTurn: {
      'of another client': await commandTurnOf(server, abroad.eventUid),
      'of another event': await commandTurnOf(server, away.eventUid),
      'that is no turn': org.floorUid,
    },
    instruction: {
      'of another client': await givenInstruction(server, abroad.eventUid, abroad.signInUid),
      'of another event': await givenInstruction(server, away.eventUid, away.signInUid),
      'that is no instruction': org.floorUid,
    },
    hazard: {
      'of another client': await givenHazard(server, abroad.org, abroad.eventUid, abroad.signInUid),
      'of another event': await givenHazard(server, org, away.eventUid, away.signInUid),
      'that is no hazard': org.floorUid,
    },
    arrivalPack: {
      'of another client': await givenPack(server, abroad.org, abroad.eventUid, abroad.signInUid),
      'of another event': await givenPack(server, org, away.eventUid, away.signInUid),
      'that is no pack': org.floorUid,
    },
    selfReport: {
      'of another client': await givenReport(server, abroad.org, abroad.eventUid),
      'of another event': await givenReport(server, org, away.eventUid),
      'that is no report': org.floorUid,
    },
    reach: {
      'of another client': await givenReach(server, abroad.org, abroad.eventUid, abroad.chief),
      'of another event': await givenReach(server, org, away.eventUid, away.chief),
      'that is no reach': org.floorUid,
    },
    ...strangePlaces(home, away, abroad),
    ...strangeWardens(home, away, abroad),
  }
  const asking = async (
    warden: Warden,
    token: string,
    besides: Partial<Record<Kind, Record<string, string>>>,
  ): Promise<Asking> => ({
    token,
    personUid: warden.personUid,
    own: await ownOf(server, home, warden),
    others: mapKinds((kind) => ({ ...strange[kind], ...besides[kind] })),
  })
  const { linked, other } = home
  return {
    'a chief warden': await asking(home.chief, (await server.onDuty(home.chief)).token, {}),
    'a building warden': await asking(home.builder, (await server.onDuty(home.builder)).token, {
      managedBuilding: { 'of the same site and another area': org.otherBuildingUid },
    }),
    'a report-in link': await asking(linked, (await byLink(server, home.eventUid, linked)).token, {
      ownSignIn: { "of the same account's other card": other.signInUid },
      ownAssignment: { "of the same account's other card": other.assignmentUid },
      ownOffer: { "of the same account's other card": other.offerUid },
      ownPerson: { "of the same account's other card": other.personUid },
      ownEmail: { "of the same account's other person": other.email },
      managedBuilding: { "of the same account's other site": away.org.buildingUid },
      managedEvent: { "of the same account's other site": away.eventUid },
    }),
  }
}

const kinds = Object.keys(strangers) as Kind[]
const mapKinds = <T>(work: (kind: Kind) => T) =>
  Object.fromEntries(kinds.map((kind) => [kind, work(kind)])) as Record<Kind, T>

/** An event of others, with its contents. */
async function givenEvent(server: TestServer, org: Organisation) {
  const evacueeUid = await server.given.occupant(org)
  const warden = await server.given.warden(org)
  const offerUid = await server.given.assignment(warden, org, { role: 'Building Warden', status: 'Offered' })
  const { eventUid, chief } = await server.runningEvent(org)
  const signInUid = await signInUidOf(server, eventUid, warden)
  return { org, evacueeUid, warden, offerUid, signInUid, eventUid, chief }
}

/** Tower A is in the event, Tower B has left it, Tower C never was in it. */
async function givenHome(server: TestServer, org: Organisation, away: Awaited<ReturnType<typeof givenEvent>>) {
  const { given, db } = server
  const towerC = await given.building(org, { name: 'Tower C', floorNames: ['Ground'] })
  const [evacueeUid, outsideUid, leftUid] = [
    await given.occupant(org),
    await given.occupant(org, { floorUid: towerC.floorUid }),
    await given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const [chief, builder, linked, colleague, removed] = [
    await given.warden(org, { role: 'Chief Warden', ...all }),
    await given.warden(org, { role: 'Building Warden', ...all }),
    await given.warden(org, { role: 'Chief Warden', ...all }),
    await given.warden(org),
    await given.warden(org, { floorUid: org.otherFloorUid }),
  ]
  const colleagueOfferUid = await given.assignment(colleague, org, { role: 'Building Warden', status: 'Offered' })
  const other = await givenOtherCards(server, linked, away)
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const [colleagueSignInUid, removedSignInUid] = [
    await signInUidOf(server, eventUid, colleague),
    await signInUidOf(server, eventUid, removed),
  ]
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  await db.updateTable('eventType').set({ active: false }).where('uid', '=', org.otherEventTypeUid).execute()
  const removedUid = removed.assignmentUid
  const colleagues = { colleague, colleagueOfferUid, colleagueSignInUid, removedUid, removedSignInUid }
  return { org, towerC, evacueeUid, outsideUid, leftUid, chief, builder, linked, other, eventUid, ...colleagues }
}

/**
 * Further cards of the account: an assignment at the other site, where an event runs; an offer; and a person elsewhere.
 */
async function givenOtherCards(
  { given, db }: TestServer,
  linked: Warden,
  { org, eventUid }: Awaited<ReturnType<typeof givenEvent>>,
) {
  const assignmentUid = await given.assignment(linked, org, { role: 'Chief Warden', ...all })
  const offerUid = await given.assignment(linked, org, { role: 'Building Warden', status: 'Offered' })
  const elsewhere = await given.organisation()
  const { personUid, email } = await given.warden(elsewhere, { accountUid: linked.accountUid })
  const { uid } = await db
    .insertInto('wardenSignIn')
    .values({ clientUid: linked.clientUid, eventUid, assignmentUid, personUid: linked.personUid })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { assignmentUid, offerUid, personUid: personUid as string, email, signInUid: uid }
}

type Home = Awaited<ReturnType<typeof givenHome>>
type Others = Awaited<ReturnType<typeof givenEvent>>

function strangePlaces(home: Home, away: Others, abroad: Others) {
  const { org, towerC } = home
  return {
    evacuee: {
      'of another client': abroad.evacueeUid,
      'of another event': away.evacueeUid,
      'of a building without event': home.outsideUid,
      'of a building that left': home.leftUid,
      'of no person': org.floorUid,
    },
    floor: {
      'of another client': abroad.org.floorUid,
      'of another event': away.org.floorUid,
      'of a building without event': towerC.floorUid,
      'of a building that left': org.otherFloorUid,
      'of no floor': home.evacueeUid,
    },
    building: {
      'of another client': abroad.org.buildingUid,
      'of another event': away.org.buildingUid,
      'without event': towerC.buildingUid,
      'that left': org.otherBuildingUid,
      'of no building': org.floorUid,
    },
    managedBuilding: {
      'of another client': abroad.org.buildingUid,
      'of another site': away.org.buildingUid,
      'of no building': org.floorUid,
    },
    managedEvent: {
      'of another client': abroad.eventUid,
      'of another site': away.eventUid,
      'that is no event': org.floorUid,
    },
    recordSite: {
      'of another client': abroad.org.siteUid,
      'of another site': away.org.siteUid,
      'that is no site': org.floorUid,
    },
    siteFloor: {
      'of another client': abroad.org.floorUid,
      'of another site': away.org.floorUid,
      'of no floor': home.evacueeUid,
    },
    sitePerson: {
      'of another client': abroad.warden.personUid,
      'of another site': away.warden.personUid,
      'who is no one': org.floorUid,
    },
    floorStatus: {
      'of another client': abroad.org.statusUids[0],
      'that is out of use': org.statusUids[2],
      'of no floor status': org.floorUid,
    },
    eventType: {
      'of another client': abroad.org.eventTypeUid,
      'that is out of use': org.otherEventTypeUid,
      'of no event type': org.floorUid,
    },
  }
}

function strangeWardens(home: Home, away: Others, abroad: Others) {
  const { org, colleague } = home
  return {
    ownSignIn: {
      'of a colleague': home.colleagueSignInUid,
      'of another event': away.signInUid,
      'of another client': abroad.signInUid,
      'of no sign-in': org.floorUid,
    },
    eventSignIn: {
      'of another event': away.signInUid,
      'of another client': abroad.signInUid,
      'of someone who was removed': home.removedSignInUid,
      'of no sign-in': org.floorUid,
    },
    chainSignIn: {
      'of another event': away.signInUid,
      'of another client': abroad.signInUid,
      'of someone who was removed': home.removedSignInUid,
      'of no sign-in': org.floorUid,
    },
    eventWarden: {
      'of another event': away.warden.assignmentUid,
      'of another client': abroad.warden.assignmentUid,
      'who was removed': home.removedUid,
      'who is no one': org.floorUid,
    },
    eventWardenSignIn: {
      'of another event': away.signInUid,
      'of another client': abroad.signInUid,
      'of someone who was removed': home.removedSignInUid,
      'of no sign-in': org.floorUid,
    },
    ownAssignment: {
      'of a colleague': colleague.assignmentUid,
      'of another site': away.warden.assignmentUid,
      'of another client': abroad.warden.assignmentUid,
      'of no assignment': org.floorUid,
    },
    ownOffer: {
      'of a colleague': home.colleagueOfferUid,
      'of another site': away.offerUid,
      'of another client': abroad.offerUid,
      'of no assignment': org.floorUid,
    },
    ownPerson: {
      'of a colleague': colleague.personUid,
      'of another client': abroad.warden.personUid,
      'of an occupant': home.evacueeUid,
    },
    ownEmail: { 'of a colleague': colleague.email, 'of another client': abroad.warden.email },
  }
}

async function ownOf(server: TestServer, home: Home, asker: Warden): Promise<Uids> {
  const { org, evacueeUid: evacuee, eventUid, chief, colleague } = home
  const own = await uidsFor(server, { org, eventUid, evacuee, receiver: colleague }, asker)
  return { ...own, floor: org.floorUid, eventSignIn: await signInUidOf(server, eventUid, chief) }
}

/** On duty with the session that the link opens. */
async function byLink(server: TestServer, eventUid: EventUid, warden: Warden) {
  const call = await server.as(warden, { signInUid: await signInUidOf(server, eventUid, warden) })
  await call(reportIn, {})
  return call
}
