import { keepEndInPacks } from '#features/arrival-pack/server/pack-of-end.service.ts'
import {
  lockEvacuees,
  removeEvacuees,
  returnWardensToEvacuees,
} from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { BuildingUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { EndEventInput, endEvent } from '../calls/events.ts'
import { stopBroadcasts } from './broadcast.queries.ts'
import {
  type ActiveEvent,
  findActiveEvent,
  listEventBuildings,
  lockSite,
  markEnded,
  removeEventBuildings,
} from './event.queries.ts'
import { cancelQueuedTexts, cancelTextsToRemoved } from './event-texts.queries.ts'
import { textConclusion } from './event-texts.service.ts'
import { getManagedSite } from './events.service.ts'
import { closeAllSignIns, closeStraySignIns, revokeLinkSessions } from './participation.queries.ts'

type Ended = CallAnswer<typeof endEvent>

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
  const tell = ownSignIn === null ? recordBeside : record
  await tell(tx, { ...journalActor(actor), signInUid: ownSignIn }, [
    { action: 'event_ended', subjectType: 'event', subjectUid: eventUid, eventUid, after: { message } },
  ])
  await keepEndInPacks(tx, { clientUid: actor.clientUid, eventUid })
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
