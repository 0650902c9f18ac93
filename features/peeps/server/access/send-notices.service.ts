import { queueMail } from '#features/mail/server/mail.service.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { fill } from '#server/platform/fill.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { claimLost, claimOwed, markLost, markTold, type OwedNotice, queueNoticeText } from './send-notices.queries.ts'

export interface NoticeWork {
  system: Db
  jobs: JobQueue
  /** Without a mail server people are told by text. */
  hasMail: boolean
  /** Makes the tokens. */
  key: Uint8Array
}

/** 132 bits, as those of arrival packs. */
export const tokenLength = 22
/** The token of a notice, derived from its uid: it is kept nowhere. */
export const noticeToken = (key: Uint8Array, uid: string) => hmac(key, uid).slice(0, tokenLength)

/** The address of a notice, made when its mail or text is sent. */
export const noticeLink = (key: Uint8Array, appUrl: string) => (uid: string) => `${appUrl}/v/${noticeToken(key, uid)}`

const dayMs = 86_400_000
const mostAtOnce = 100

/** Letter for letter. The link is filled in when it is sent. */
const sentence = ({ siteName, date }: OwedNotice) =>
  fill('Your evacuation plan was opened in the event at {siteName} on {date}. Who and why: {link}', { siteName, date })

/**
 * Tells people whose plan was opened in an event that ended 15 minutes ago: by mail, else by text. A mail that is
 * lost is followed by a text; who is not reached stays 'Not told'. Any number of workers may run at once.
 */
export async function tellWhosePlanWasOpened(work: NoticeWork, now: Date = new Date()): Promise<void> {
  for (const step of [tellOwed, followLost]) while ((await step(work, now)) === mostAtOnce);
}

const tellOwed = ({ system, jobs, hasMail, key }: NoticeWork, now: Date) =>
  system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const owed = await claimOwed(tx, now, mostAtOnce)
    for (const notice of owed) {
      const how = await tell({ tx, jobs, hasMail }, notice, now)
      await markTold(tx, { ...notice, how, tokenHash: sha256(noticeToken(key, notice.uid)) }, now)
      await record(tx, unattended(notice.clientUid), {
        action: 'plan_notice_sent',
        subjectType: 'person',
        subjectUid: notice.personUid,
        eventUid: notice.eventUid,
        after: { notice: notice.uid, how },
      })
    }
    return owed.length
  })

async function tell(
  { tx, jobs, hasMail }: { tx: Tx; jobs: JobQueue; hasMail: boolean },
  notice: OwedNotice,
  now: Date,
): Promise<'mail' | 'text' | 'none'> {
  const { uid, accountUid, email, subjectPrefix } = notice
  if (!hasMail || !email) return text(tx, jobs, notice)
  await queueMail(jobs, tx, {
    kind: 'notice',
    accountUid,
    toEmail: email,
    onceKey: `plan ${uid}`,
    planNoticeUid: uid,
    subject: `${subjectPrefix}Your evacuation plan was opened`,
    body: sentence(notice),
    passwordResetUid: null,
    validUntil: new Date(now.getTime() + dayMs),
  })
  return 'mail'
}

async function text(tx: Tx, jobs: JobQueue, notice: OwedNotice): Promise<'text' | 'none'> {
  if (!(await queueNoticeText(tx, notice, sentence(notice)))) return 'none'
  await jobs.enqueue(tx, 'texts', { event_uid: notice.eventUid })
  return 'text'
}

const followLost = ({ system, jobs }: NoticeWork, now: Date) =>
  system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const lost = await claimLost(tx, now, mostAtOnce)
    for (const notice of lost) {
      const mayFollow = notice.how === 'mail' && notice.isOpen
      await markLost(tx, notice, mayFollow ? await text(tx, jobs, notice) : 'none')
    }
    return lost.length
  })
