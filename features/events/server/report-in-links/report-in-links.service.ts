import { randomUUID } from 'node:crypto'
import { budgetUsedUp, reserve } from '#features/texts/server/budget.service.ts'
import type { QueuedText } from '#features/texts/server/queue.queries.ts'
import { findTextPrefix } from '#features/texts/server/queue.queries.ts'
import { countSegments, fillLink, noGatewaySetUp } from '#features/texts/server/wording.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { fill } from '#server/platform/fill.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { sendReportInLinks } from '../../calls/report-in-links.ts'
import { linkToken } from '../event-texts.service.ts'
import { getSiteName, listLinkReceivers, lockSignIns, noteUnsentLinks, sendLinks } from './report-in-links.queries.ts'

/** Returns the number of queued links, and who could not be texted. These are stored with the reason. */
export async function textLinks(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { warden_sign_in_uids: wanted, sender_warden_sign_in_uid: sender }: CallInput<typeof sendReportInLinks>['body'],
): Promise<CallAnswer<typeof sendReportInLinks>> {
  if (sender !== actor.signIn.uid) throw new Refusal('forbidden')
  const eventUid = actor.event.uid
  await lockSignIns(tx, eventUid, wanted)
  const receivers = (await listLinkReceivers(tx, eventUid, wanted)).map((signInUid) => {
    const uid = randomUUID()
    const token = linkToken(app.secrets.links, uid)
    return { uid, signInUid, token, tokenHash: sha256(token) }
  })
  const text = await priceText(app, tx, eventUid, receivers[0]?.token ?? '')
  const hasGateway = app.config.smsGateways.length > 0
  const price = { clientUid: actor.clientUid, kind: 'report_in_link', segments: text.segments, texts: receivers.length }
  const links = receivers.slice(0, hasGateway ? await reserve(tx, price, app.config.smsBudgets) : 0)

  await sendLinks(tx, { ...text, eventUid, senderSignInUid: sender, hours: limits.reportInLinkHours }, links)
  const reason = hasGateway ? budgetUsedUp : noGatewaySetUp
  const unsent = await noteUnsentLinks(tx, { eventUid, body: text.body }, wanted, reason)
  await record(
    tx,
    journalActor(actor),
    links.map(({ uid, signInUid }) => ({
      action: 'report_in_link_sent' as const,
      subjectType: 'sign_in' as const,
      subjectUid: signInUid,
      eventUid,
      after: { link_uid: uid },
    })),
  )
  await app.jobs.enqueue(tx, 'texts', { event_uid: eventUid })
  return { recordsInserted: links.length, not_reached: unsent.flatMap(presentUnsent) }
}

const presentUnsent = ({ signInUid, reason }: QueuedText) =>
  signInUid && reason ? [{ wardenSignInUid: signInUid, reason }] : []

/** The text of a link, and its segments including the token. */
async function priceText({ config }: Services, tx: Tx, eventUid: EventUid, token: string) {
  const site = await getSiteName(tx, eventUid)
  const body = fill('All Wardens: an event is in progress at {site}. Report in: {link}', { site })
  const filled = fillLink(body, config.appUrl, 'reportInToken', token)
  return { body, segments: countSegments((await findTextPrefix(tx, eventUid)) + filled) }
}
