import { randomUUID } from 'node:crypto'
import { limits } from '@evac/contract/limits.ts'
import type { sendReportInLinks } from '@evac/contract/report-in-links.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { type DutyActor, journalActor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { record } from '../../platform/journal.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import { linkToken } from '../events/event-texts.service.ts'
import { listLinkReceivers, lockSignIns, sendLinks } from './report-in-links.queries.ts'

/** LINK-02, LINK-12, LINK-13, AMB-146: who cannot be sent one is passed over; answers how many were sent. */
export async function textLinks(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { warden_sign_in_uids: wanted, sender_warden_sign_in_uid: sender }: CallInput<typeof sendReportInLinks>['body'],
) {
  if (sender !== actor.signIn.uid) throw new Refusal('forbidden')
  const eventUid = actor.event.uid
  await lockSignIns(tx, eventUid, wanted)
  const links = (await listLinkReceivers(tx, eventUid, wanted)).map((signInUid) => {
    const uid = randomUUID()
    return { uid, signInUid, tokenHash: sha256(linkToken(app.secrets.links, uid)) }
  })
  if (links.length === 0) return { recordsInserted: 0 }

  await sendLinks(tx, { eventUid, senderSignInUid: sender, hours: limits.reportInLinkHours }, links)
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
  return { recordsInserted: links.length }
}
