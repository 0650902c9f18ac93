import { beginCommand } from '#features/command/server/command.service.ts'
import { goOnDuty } from '#features/duty/server/go-on-duty.service.ts'
import { dropWardensFromEvacuees } from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { takeInEvacuees, toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import type { TallyLine } from '#features/evacuation/server/tally.queries.ts'
import { keepBuildingNames, keepChangedNames, keepNames } from '#features/log/server/names/names-kept.service.ts'
import { setSessionAssignment } from '#features/sign-in/server/session.queries.ts'
import { hasWhere } from '#kernel/actions.ts'
import type { BuildingUid, EventUid, SiteUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { requirePlainText } from '#server/platform/plain-text.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { BuildingAction } from '#server/wardens/building-action.ts'
import type { CreateEventInput, createEvent } from '../calls/events.ts'
import { ensureActionStatuses } from './action.queries.ts'
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
  setStartedBy,
} from './event.queries.ts'
import { textEverybody } from './event-texts.service.ts'
import { getManagedSite, presentEvent } from './events.service.ts'
import { findSignIn, type OpenedSignIn, openSignIns } from './participation.queries.ts'

type Started = CallAnswer<typeof createEvent>

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
  const doing = { action: type.action, where: hasWhere(type.action) ? (input.where ?? type.actionWhere).trim() : '' }
  requirePlainText(doing.where, 'body/where')
  if (!active) return startEvent(app, tx, actor, siteUid, { kind: type.defaultKind, ...input, doing })

  const inEvent = new Set((await listEventBuildings(tx, active.uid)).map(({ uid }) => uid))
  const isOfKind = (input.kind ?? active.kind) === active.kind
  const isOfType = active.eventTypeUid === input.eventType
  if (isOfKind && isOfType && !input.buildings.some((uid) => inEvent.has(uid)))
    return extendEvent(app, tx, actor, active, { ...input, doing })
  const message =
    active.kind === 'drill' && (input.kind ?? type.defaultKind) === 'live'
      ? `A drill is running at ${site.name}. Nothing was started. Make the drill a live event.`
      : `An event is already running at ${site.name}.`
  return { status: 'event_running', message, event: presentEvent(active), ...presentDuty(actor) }
}

async function startEvent(
  app: Services,
  tx: Tx,
  actor: Actor,
  siteUid: SiteUid,
  input: CreateEventInput & { kind: EventKind; doing: BuildingAction },
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
  const { opened, tally, statuses } = await takeIn(tx, actor, { eventUid, siteUid, isFirst: true }, input)

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
      ...toldAction(input.doing),
      ...toldTally(...tally),
    },
  })
  await keepNames(tx, actor.clientUid, eventUid)
  // for the events of other sites too
  await keepChangedNames(tx, actor.clientUid, 'floorStatus', statuses)
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
  input: CreateEventInput & { doing: BuildingAction },
): Promise<Started> {
  const message = input.message.trim()
  const { opened, tally, statuses } = await takeIn(
    tx,
    actor,
    { eventUid: active.uid, siteUid: active.siteUid, isFirst: false },
    input,
  )
  const left = await dropWardensFromEvacuees(tx, active.uid)
  await keepBuildingNames(tx, actor.clientUid, active.uid, input.buildings)
  await keepChangedNames(tx, actor.clientUid, 'floorStatus', statuses)
  await record(tx, journalActor(actor), {
    action: 'buildings_added',
    subjectType: 'event',
    subjectUid: active.uid,
    eventUid: active.uid,
    after: { buildings: input.buildings, message, ...toldAction(input.doing), ...toldTally(...tally, ...left) },
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
 * wardens who were not in the event before, how many people the new places have, and the floor statuses that were made.
 */
async function takeIn(
  tx: Tx,
  { clientUid }: Actor,
  { eventUid, siteUid, isFirst }: { eventUid: EventUid; siteUid: SiteUid; isFirst: boolean },
  { buildings: buildingUids, doing }: { buildings: readonly BuildingUid[]; doing: BuildingAction },
): Promise<{ opened: OpenedSignIn[]; tally: TallyLine[]; statuses: string[] }> {
  await insertEventBuildings(tx, eventUid, buildingUids, doing)
  await ensureFloorStatuses(tx, siteUid)
  const statuses = await ensureActionStatuses(tx, clientUid, doing.action)
  await insertEventFloors(tx, eventUid, buildingUids)
  const opened = await openSignIns(tx, eventUid, siteUid)
  return { opened, tally: await takeInEvacuees(tx, eventUid, buildingUids, { isFirst }), statuses }
}

/** Of an entry. Absent where people leave. */
const toldAction = ({ action, where }: BuildingAction) =>
  action === 'evacuate' ? {} : { action, ...(where && { where }) }

const presentDuty = (actor: Actor) => ({
  WardenSignInUID: actor.signIn?.uid ?? null,
  on_duty: actor.signIn?.attendance === 'on_duty',
  event_kind: actor.event?.kind ?? null,
})
