import { beginCommand } from '#features/command/server/command.service.ts'
import { goOnDuty } from '#features/duty/server/go-on-duty.service.ts'
import {
  dropWardensFromEvacuees,
  lockEvacuees,
  removeEvacuees,
  returnWardensToEvacuees,
} from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { takeInEvacuees, toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import { type UnaccountedRequest, unaccountedPage } from '#features/evacuation/server/event-people.service.ts'
import type { TallyLine } from '#features/evacuation/server/tally.queries.ts'
import { setSessionAssignment } from '#features/sign-in/server/session.queries.ts'
import type { BuildingUid, EventUid, SiteUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type {
  CreateEventInput,
  createEvent,
  EndEventInput,
  EventSites,
  endEvent,
  Unaccounted,
} from '../calls/events.ts'
import { stopBroadcasts } from './broadcast.queries.ts'
import {
  type ActiveEvent,
  ensureFloorStatuses,
  findActiveEvent,
  findManagingAssignment,
  insertEvent,
  insertEventBuildings,
  insertEventFloors,
  listEventBuildings,
  listEventTypes,
  lockSite,
  type ManagedBuilding,
  markEnded,
  removeEventBuildings,
  setStartedBy,
} from './event.queries.ts'
import { listReach } from './event-reach.service.ts'
import { cancelQueuedTexts, cancelTextsToRemoved } from './event-texts.queries.ts'
import { textConclusion, textEverybody } from './event-texts.service.ts'
import { findLiveSeen, type LiveSeen } from './made-live.queries.ts'
import {
  closeAllSignIns,
  closeStraySignIns,
  findSignIn,
  type OpenedSignIn,
  openSignIns,
  revokeLinkSessions,
} from './participation.queries.ts'

type Started = CallAnswer<typeof createEvent>
type Ended = CallAnswer<typeof endEvent>

/** The data of the event management screen. */
export async function presentSites(tx: Tx, actor: Actor): Promise<EventSites> {
  const [rows, types, active] = [
    await listReach(tx, actor),
    await listEventTypes(tx),
    actor.assignment && (await findActiveEvent(tx, actor.assignment.siteUid)),
  ]
  const sites = Map.groupBy(rows, (row) => row.siteUid)
  return {
    data: {
      sites: [...sites].map(([id, buildings]) => ({
        id,
        name: buildings[0]?.siteName ?? '',
        buildings: buildings.map(presentBuilding),
      })),
      eventTypes: types.map(({ uid, ...type }) => ({ id: uid, ...type })),
      activeEvent: active
        ? {
            ...presentEvent(active),
            active: true,
            siteId: active.siteUid,
            eventType: active.eventTypeUid,
            live: presentLive(await findLiveSeen(tx, active.uid)),
          }
        : null,
      sms_allowed: actor.smsAllowed,
    },
  }
}

/** Who is not accounted for in those buildings of the event that the caller manages. Throws `not_found`. */
export async function unaccounted(
  tx: Tx,
  actor: Actor,
  request: UnaccountedRequest & { eventUid: EventUid },
): Promise<Unaccounted> {
  const managed = (await listReach(tx, actor)).filter((row) => row.manageable && row.eventUid === request.eventUid)
  const [first] = managed
  if (!first?.eventUid) throw new Refusal('not_found')
  const { eventUid, eventName, eventKind } = first
  return {
    event: { id: eventUid, ...eventName, kind: eventKind },
    ...(await unaccountedPage(tx, { clientUid: actor.clientUid, eventUid, managed }, request)),
  }
}

const presentLive = (live: LiveSeen | null) =>
  live && {
    from: live.liveFrom.toISOString(),
    seen: live.seen,
    wardens: live.wardens,
    not_seen: live.notSeen.slice(0, 200),
  }

const presentBuilding = (row: ManagedBuilding) => ({
  id: row.buildingUid,
  name: row.buildingName,
  event: row.eventUid ? { id: row.eventUid, ...row.eventName, kind: row.eventKind, eventType: row.eventTypeUid } : null,
  manageable: row.manageable,
})
const presentEvent = ({ uid, name, kind }: Pick<ActiveEvent, 'uid' | 'name' | 'kind'>) => ({ id: uid, ...name, kind })

/**
 * Starts the site's event, or adds buildings if type and buildings allow it. Whoever says that it is live never becomes
 * part of a drill without a word, and the other way round.
 */
export async function startOrExtend(app: Services, tx: Tx, actor: Actor, input: CreateEventInput): Promise<Started> {
  requireFit(input.message, 'body/message')
  const type = (await listEventTypes(tx)).find(({ uid }) => uid === input.eventType)
  if (!type) throw new Refusal('not_found')
  const siteUid = await getManagedSite(tx, actor, input.buildings)
  const site = await lockSite(tx, siteUid)
  const active = await findActiveEvent(tx, siteUid)
  if (!active) return startEvent(app, tx, actor, siteUid, { kind: type.kind, ...input })

  const inEvent = new Set((await listEventBuildings(tx, active.uid)).map(({ uid }) => uid))
  const isOfKind = (input.kind ?? active.kind) === active.kind
  const isOfType = active.eventTypeUid === input.eventType
  if (isOfKind && isOfType && !input.buildings.some((uid) => inEvent.has(uid)))
    return extendEvent(app, tx, actor, active, input)
  const message =
    active.kind === 'drill' && (input.kind ?? type.kind) === 'live'
      ? `A drill is running at ${site.name}. Nothing was started. Make the drill a live event.`
      : `An event is already running at ${site.name}.`
  return { status: 'event_running', message, event: presentEvent(active), ...presentDuty(actor) }
}

async function startEvent(
  app: Services,
  tx: Tx,
  actor: Actor,
  siteUid: SiteUid,
  input: CreateEventInput & { kind: EventKind },
): Promise<Started> {
  const message = input.message.trim()
  const { kind } = input
  const announced = kind === 'drill' ? input.announced !== 'no' : null
  const assignmentUid = await findManagingAssignment(tx, actor.personUid, siteUid, actor.assignment?.uid ?? null)
  if (!assignmentUid) throw new Refusal('not_found')
  const eventUid = await insertEvent(tx, {
    clientUid: actor.clientUid,
    siteUid,
    eventTypeUid: input.eventType,
    message,
    broadcast: input.broadcastMessage === 'yes',
    alert: input.alertToWarden === 'yes',
    kind,
    announced,
  })
  const { opened, tally } = await takeIn(tx, eventUid, siteUid, input.buildings, { isFirst: true })

  const own = await findSignIn(tx, eventUid, assignmentUid)
  if (!own) throw new Error('the creator has no sign-in in their own event')
  const creator: Actor = {
    ...actor,
    event: { uid: eventUid, kind, liveUnseen: null },
    signIn: { uid: own.uid, attendance: 'on_duty', reportedIn: true },
  }
  await record(tx, journalActor(creator), {
    action: 'event_started',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    after: {
      event_type_uid: input.eventType,
      buildings: input.buildings,
      message,
      kind,
      announced,
      ...toldTally(...tally),
    },
  })
  await goOnDuty(tx, creator, own.uid)
  await setStartedBy(tx, eventUid, own.uid)
  await beginCommand(tx, creator)
  await setSessionAssignment(tx, actor.sessionUid, assignmentUid)
  await textEverybody(app, tx, creator, { ...input, message, eventUid, opened })
  const started = await findActiveEvent(tx, siteUid)
  return {
    status: 'event_created',
    message: 'Event has been successfully created.',
    event: started ? presentEvent(started) : null,
    WardenSignInUID: own.uid,
    on_duty: true,
    event_kind: kind,
  }
}

async function extendEvent(
  app: Services,
  tx: Tx,
  actor: Actor,
  active: ActiveEvent,
  input: CreateEventInput,
): Promise<Started> {
  const message = input.message.trim()
  const { opened, tally } = await takeIn(tx, active.uid, active.siteUid, input.buildings, { isFirst: false })
  const left = await dropWardensFromEvacuees(tx, active.uid)
  await record(tx, journalActor(actor), {
    action: 'buildings_added',
    subjectType: 'event',
    subjectUid: active.uid,
    eventUid: active.uid,
    after: { buildings: input.buildings, message, ...toldTally(...tally, ...left) },
  })
  await textEverybody(app, tx, actor, { ...input, message, eventUid: active.uid, opened })
  return {
    status: 'event_created',
    message: 'The building has successfully been added to the current event.',
    event: presentEvent(active),
    ...presentDuty(actor),
  }
}

/**
 * Adds floors, wardens and evacuees of these buildings. Existing ones stay unchanged. Returns the
 * wardens who were not in the event before, and how many people the new places have.
 */
async function takeIn(
  tx: Tx,
  eventUid: EventUid,
  siteUid: SiteUid,
  buildingUids: readonly BuildingUid[],
  { isFirst }: { isFirst: boolean },
): Promise<{ opened: OpenedSignIn[]; tally: TallyLine[] }> {
  await insertEventBuildings(tx, eventUid, buildingUids)
  await ensureFloorStatuses(tx, siteUid)
  await insertEventFloors(tx, eventUid, buildingUids)
  const opened = await openSignIns(tx, eventUid, siteUid)
  return { opened, tally: await takeInEvacuees(tx, eventUid, buildingUids, { isFirst }) }
}

const presentDuty = (actor: Actor) => ({
  WardenSignInUID: actor.signIn?.uid ?? null,
  on_duty: actor.signIn?.attendance === 'on_duty',
  event_kind: actor.event?.kind ?? null,
})

/** Removes buildings. The event ends with its last building. */
export async function shrinkOrEnd(app: Services, tx: Tx, actor: Actor, input: EndEventInput): Promise<Ended> {
  requireFit(input.message, 'body/message')
  const siteUid = await getManagedSite(tx, actor, input.buildings)
  await lockSite(tx, siteUid)
  const active = await findActiveEvent(tx, siteUid)
  if (!active) return { message: 'This event has already concluded.' }
  // Between the look and the press the event may have ended and another one begun.
  if (input.event && input.event !== active.uid) throw new Refusal('other_event')

  const inEvent = (await listEventBuildings(tx, active.uid)).map(({ uid }) => uid)
  const leaving = inEvent.filter((uid) => input.buildings.includes(uid))
  if (leaving.length === 0) return { message: 'The building(s) are not part of the current event.' }
  const change = { active, leaving, message: input.message.trim(), broadcast: input.broadcastMessage === 'yes' }
  return leaving.length === inEvent.length
    ? concludeEvent(app, tx, actor, change)
    : removeBuildings(app, tx, actor, { ...change, remaining: inEvent.length - leaving.length })
}

interface Leaving {
  active: ActiveEvent
  leaving: BuildingUid[]
  message: string
  broadcast: boolean
}

async function concludeEvent(
  app: Services,
  tx: Tx,
  actor: Actor,
  { active, leaving, message, broadcast }: Leaving,
): Promise<Ended> {
  const eventUid = active.uid
  await stopBroadcasts(tx, eventUid)
  await cancelQueuedTexts(tx, eventUid)
  const text = { eventUid, message, smsAllowed: actor.smsAllowed }
  if (broadcast) await textConclusion(app, tx, actor, text, leaving)
  const ownSignIn = actor.event?.uid === eventUid ? (actor.signIn?.uid ?? null) : null
  // locks the event before its participations, in the order of a sign-out
  await markEnded(tx, eventUid, { personUid: actor.personUid, signInUid: ownSignIn })
  await revokeLinkSessions(tx, await closeAllSignIns(tx, eventUid))
  await removeEventBuildings(tx, eventUid, leaving)
  await record(
    tx,
    { ...journalActor(actor), signInUid: ownSignIn },
    { action: 'event_ended', subjectType: 'event', subjectUid: eventUid, eventUid, after: { message } },
  )
  return {
    status: 'event_ended',
    scope: 'event',
    remaining: 0,
    message: 'The Event has been concluded. All Wardens will be signed out.',
  }
}

async function removeBuildings(
  app: Services,
  tx: Tx,
  actor: Actor,
  change: Leaving & { remaining: number },
): Promise<Ended> {
  const { active, leaving, message, broadcast, remaining } = change
  const eventUid = active.uid
  const text = { eventUid, message, smsAllowed: actor.smsAllowed }
  if (broadcast) await textConclusion(app, tx, actor, text, leaving)
  await lockEvacuees(tx, eventUid, leaving)
  await removeEventBuildings(tx, eventUid, leaving)
  const closed = await closeStraySignIns(tx, eventUid)
  await revokeLinkSessions(tx, closed)
  const left = await removeEvacuees(tx, eventUid, leaving)
  await cancelTextsToRemoved(tx, eventUid, leaving)
  const returned = await returnWardensToEvacuees(tx, eventUid, closed)
  await record(tx, journalActor(actor), [
    {
      action: 'buildings_removed',
      subjectType: 'event',
      subjectUid: eventUid,
      eventUid,
      after: { buildings: leaving, message, ...toldTally(...left, ...returned) },
    },
    ...closed.map((uid) => ({
      action: 'warden_removed' as const,
      subjectType: 'sign_in' as const,
      subjectUid: uid,
      eventUid,
    })),
  ])
  return {
    status: 'event_ended',
    scope: 'buildings',
    remaining,
    message: 'The building(s) have been removed from the event. Affected Wardens be signed out.',
  }
}

/** The site of these buildings. Throws `not_found` if one is not the caller's, and 422 for buildings of two sites. */
async function getManagedSite(tx: Tx, actor: Actor, buildingUids: readonly BuildingUid[]): Promise<SiteUid> {
  const reach = (await listReach(tx, actor)).filter(({ manageable }) => manageable)
  const wanted = reach.filter(({ buildingUid }) => buildingUids.includes(buildingUid))
  if (wanted.length < buildingUids.length) throw new Refusal('not_found')
  const sites = new Set(wanted.map(({ siteUid }) => siteUid))
  const [siteUid] = sites
  if (sites.size > 1 || !siteUid)
    throw new Refusal('invalid_request', 'Choose buildings of one site.', ['body/buildings'])
  return siteUid
}
