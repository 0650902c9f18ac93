import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requirePlainText } from '#server/platform/plain-text.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { listHazards, noteHazard } from '../calls.ts'
import * as queries from './hazards.queries.ts'

/** Hazards at one time. */
const mostHazards = 50

export async function presentHazards(tx: Tx, { clientUid, event }: DutyActor): Promise<CallAnswer<typeof listHazards>> {
  const rows = await queries.listLiveHazards(tx, clientUid, event.uid)
  const places = await queries.listHazardPlaces(tx, clientUid, event.uid)
  return {
    hazards: rows.map(({ uid, buildingUid, floorUid, place, words, by, at, inDrill }) => ({
      uid,
      by,
      text: words,
      at: at.toISOString(),
      in_drill: inDrill,
      place: buildingUid && place ? { id: floorUid ?? buildingUid, name: place } : null,
    })),
    places: places.map(({ buildingUid, floorUid, name }) => ({ id: floorUid ?? buildingUid, name })),
  }
}

/** What is dangerous on a floor, in its whole building or at the whole site, newest first, the same words once. Null: no floor. */
export async function hazardsAt(
  tx: Tx,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
  place: { buildingUid: string; floorUid: string | null },
): Promise<string[]> {
  const live = await queries.listLiveHazards(tx, clientUid, eventUid)
  const isThere = ({ buildingUid, floorUid }: queries.HazardRow) =>
    buildingUid === null || (buildingUid === place.buildingUid && (floorUid === null || floorUid === place.floorUid))
  return [...new Set(live.filter(isThere).map(({ words, inDrill }) => (inDrill ? `${words} (in the drill)` : words)))]
}

/** Many at once note no hazard too many. */
export async function note(
  tx: Tx,
  actor: DutyActor,
  { place, text }: CallInput<typeof noteHazard>['body'],
): Promise<null> {
  const { clientUid, event, signIn } = actor
  requirePlainText(text.replaceAll('\n', '\0'), 'text')
  await queries.lockArrival(tx, event.uid)
  if ((await queries.countLiveHazards(tx, clientUid, event.uid)) >= mostHazards)
    throw new Refusal('invalid_transition', `An event can have up to ${mostHazards} hazards. End one first.`)
  const uid = await queries.insertHazard(tx, {
    clientUid,
    eventUid: event.uid,
    words: text.trim(),
    bySignInUid: signIn.uid,
    ...(await placeOf(tx, actor, place)),
  })
  return tell(tx, actor, 'hazard_noted', uid)
}

async function placeOf(tx: Tx, { clientUid, event }: DutyActor, uid: string | undefined) {
  if (uid === undefined) return { buildingUid: null, floorUid: null }
  const places = await queries.listHazardPlaces(tx, clientUid, event.uid)
  const found = places.find(({ buildingUid, floorUid }) => (floorUid ?? buildingUid) === uid)
  if (!found) throw new Refusal('not_found')
  return { buildingUid: found.buildingUid, floorUid: found.floorUid }
}

/** The row stays. A second press changes nothing. */
export async function endHazard(tx: Tx, actor: DutyActor, uid: string): Promise<null> {
  const { clientUid, event, signIn } = actor
  const found = await queries.endHazardRow(tx, { clientUid, eventUid: event.uid, uid, by: signIn.uid })
  if (!found) throw new Refusal('not_found')
  return found.ended ? tell(tx, actor, 'hazard_over', uid) : null
}

async function tell(tx: Tx, actor: DutyActor, action: 'hazard_noted' | 'hazard_over', hazard: string): Promise<null> {
  const { uid } = actor.event
  await record(tx, journalActor(actor), {
    action,
    subjectType: 'event',
    subjectUid: uid,
    eventUid: uid,
    after: { hazard },
  })
  return null
}
