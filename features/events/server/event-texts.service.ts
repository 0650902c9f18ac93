import { randomUUID } from 'node:crypto'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { CreateEventInput } from '../calls/events.ts'
import { type BroadcastKind, insertBroadcast } from './broadcast.queries.ts'
import {
  type EventText,
  findSender,
  insertReportInLinks,
  listWardensAmongOccupants,
  listWardensToAlert,
  queueForWardens,
  queueWardenAlerts,
} from './event-texts.queries.ts'
import type { OpenedSignIn } from './participation.queries.ts'

/** The token of a report-in link, derived from its uid when needed. Only its hash is stored. */
export const linkToken = (key: Uint8Array, linkUid: string) => hmac(key, linkUid)

/**
 * Queues the texts of a start or an addition, at most one per person. The alert goes
 * to wardens whose participation this call has opened, also if another start came first and this one became an addition.
 */
export async function textEverybody(
  app: Services,
  tx: Tx,
  actor: Actor,
  input: Omit<CreateEventInput, 'eventType'> & { eventUid: string; opened: readonly Pick<OpenedSignIn, 'signInUid'>[] },
): Promise<void> {
  const { eventUid, message } = input
  const opened = input.opened.map(({ signInUid }) => signInUid)
  const text = { eventUid, message, smsAllowed: actor.smsAllowed }
  const alerted = input.alertToWarden === 'yes' ? await listWardensToAlert(tx, opened, actor.personUid) : []
  const links = alerted.map(({ signInUid }) => {
    const uid = randomUUID()
    return { uid, signInUid, tokenHash: sha256(linkToken(app.secrets.links, uid)) }
  })
  await insertReportInLinks(tx, actor.clientUid, eventUid, links)
  if (links.length > 0) await queueWardenAlerts(tx, text, links)
  if (input.broadcastMessage === 'yes') {
    const told = [...alerted.map(({ personUid }) => personUid), actor.personUid]
    const senderSignInUid = await findSender(tx, eventUid, actor.signIn?.uid ?? null)
    await broadcast(tx, actor, 'event_message', { ...text, senderSignInUid }, input.buildings, told)
  }
  if (links.length > 0 || input.broadcastMessage === 'yes') await app.jobs.enqueue(tx, 'texts', { event_uid: eventUid })
}

/** Sends the conclusion to everyone in these buildings. Call before their participations close. */
export async function textConclusion(
  app: Services,
  tx: Tx,
  actor: Actor,
  text: EventText,
  buildingUids: readonly string[],
) {
  const told = await listWardensAmongOccupants(tx, text.eventUid, buildingUids)
  await broadcast(tx, actor, 'event_concluded', text, buildingUids, told)
  await app.jobs.enqueue(tx, 'texts', { event_uid: text.eventUid })
}

/** Queues the wardens' texts now. Those of up to 100,000 occupants are left to `writeBroadcastPage`. */
async function broadcast(
  tx: Tx,
  actor: Actor,
  kind: BroadcastKind,
  text: EventText,
  buildingUids: readonly string[],
  told: readonly string[],
) {
  await queueForWardens(tx, kind, text, buildingUids, told)
  await insertBroadcast(tx, actor.clientUid, kind, text, buildingUids)
}
