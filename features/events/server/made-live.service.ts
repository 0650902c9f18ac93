import { setBackEverybody, toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { type Actor, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { MakeLiveInput, makeEventLive, noteLiveSeen } from '../calls/events.ts'
import { type ActiveEvent, findActiveEvent, listEventBuildings, lockSite, setFloorsBack } from './event.queries.ts'
import { listReach } from './event-reach.service.ts'
import { textEverybody } from './event-texts.service.ts'
import { listSignInsOffDuty, markLive, markLiveSeen, skipTextsOfDrill } from './made-live.queries.ts'

const isLive = { status: 'event_live', message: 'The drill is a live event now.' } as const

/**
 * Makes a drill a live event, for anyone who could start a live event at its site if there were no drill: a drill bars no
 * emergency. It is live in all its buildings, also those of other managers, because a site has one event and a false alarm
 * does less harm than none. Of several at once one does, and the others are answered alike. Throws `not_found`, `other_event` and `invalid_transition`.
 */
export async function makeLive(
  app: Services,
  tx: Tx,
  actor: Actor,
  { event: eventUid, message }: MakeLiveInput,
): Promise<CallAnswer<typeof makeEventLive>> {
  requireFit(message, 'body/message')
  const reach = await listReach(tx, actor)
  const siteUid = reach.find((row) => row.eventUid === eventUid)?.siteUid
  if (!siteUid || !reach.some((row) => row.manageable && row.siteUid === siteUid)) throw new Refusal('not_found')
  await lockSite(tx, siteUid)
  const active = await findActiveEvent(tx, siteUid)
  if (active?.uid !== eventUid) throw new Refusal('other_event')
  if (active.kind === 'live' && !active.wasDrill)
    throw new Refusal('invalid_transition', 'A live event cannot become a drill.')
  if (active.kind === 'drill') await turnLive(app, tx, actor, active, message.trim())
  // the person who asked for it knows, also of several at once
  if (actor.event?.uid === eventUid && actor.signIn) await markLiveSeen(tx, actor.signIn.uid)
  return isLive
}

async function turnLive(app: Services, tx: Tx, actor: Actor, { uid: eventUid }: ActiveEvent, message: string) {
  await skipTextsOfDrill(tx, eventUid)
  const { liveFrom, countsFrom, tally } = await setBackEverybody(tx, eventUid, () =>
    markLive(tx, eventUid, actor.personUid),
  )
  const buildings = (await listEventBuildings(tx, eventUid)).map(({ uid }) => uid)
  await setFloorsBack(tx, eventUid, buildings, countsFrom)
  const opened = (await listSignInsOffDuty(tx, eventUid)).map((signInUid) => ({ signInUid }))
  const everybody = { buildings, broadcastMessage: 'yes', alertToWarden: 'yes' } as const
  await textEverybody(app, tx, actor, { ...everybody, message, eventUid, opened })
  await record(tx, journalActor(actor), {
    action: 'drill_made_live',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    before: { kind: 'drill' },
    after: { kind: 'live', live_from: liveFrom.toISOString(), message, ...toldTally(...tally) },
  })
}

/** A warden on duty has read that the drill became live. Once. Throws `not_found` for another event. */
export async function noteSeen(
  tx: Tx,
  actor: DutyActor,
  { event }: { event: EventUid },
): Promise<CallAnswer<typeof noteLiveSeen>> {
  if (actor.event.uid !== event) throw new Refusal('not_found')
  if (await markLiveSeen(tx, actor.signIn.uid))
    await record(tx, journalActor(actor), {
      action: 'live_seen',
      subjectType: 'sign_in',
      subjectUid: actor.signIn.uid,
      eventUid: event,
    })
  return { status: 'seen' }
}
